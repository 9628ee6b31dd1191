"""Dotted names of library objects: where an attribute leads, and which names are forbidden."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from grader.checking.apis import ForbiddenApis

_MAX_PARTS = 32  # no library nests deeper; a longer chain is no longer followed

# The C twin of a module does the same without the name. `_socket` for `socket` and its like
# need no row: an underscore before a forbidden name is always a twin.
_TWINS = {
    "posix": "os",
    "nt": "os",
    "_posixsubprocess": "subprocess",
    "_winapi": "subprocess",
    "_posixshmem": "multiprocessing",
}

# The same function as a builtin, by another way.
_CALL_TWINS = {
    "io.open": "open",
    "io.open_code": "open",
    "io.FileIO": "open",
    "codecs.open": "open",
    "_pyio.open": "open",
    "tokenize.open": "open",
    "importlib.__import__": "__import__",
    "torch.fx.graph_module._exec_with_source": "exec",
}

# Modules that lead on to others; libraries re-export them (`typing.sys`, `torch.builtins`).
_JUNCTIONS = frozenset({"builtins", "codecs", "importlib", "io", "os", "posix", "sys"})

# A library's own attribute that merely has the name of a top-level module.
_OWN_ATTRIBUTES = frozenset(
    {
        "datetime.datetime.time",
        "datetime.time",
        "numpy.array",
        "numpy.char",
        "numpy.copy",
        "numpy.random",
        "numpy.select",
        "numpy.typing",
        "scipy.io",
        "scipy.signal",
        "scipy.special",
        "torch.cuda.random",
        "torch.profiler",
        "torch.random",
        "torch.select",
        "torch.signal",
        "torch.types",
    }
)


# Ways from a text to the thing it names. Without one of these words in it, a source can only
# mean what it spells.
_BRIDGES = frozenset(
    {
        *("getattr", "__getattr__", "__getattribute__", "attrgetter", "vars", "__dict__"),
        *("globals", "locals", "modules", "__builtins__", "builtins", "importlib", "import_module"),
        *("__import__", "pkgutil", "resolve_name", "__spec__", "__loader__", "load_module"),
    }
)
_WORD = re.compile(r"\w+")


class Forbidden:
    """What one problem forbids, asked by dotted name."""

    def __init__(
        self, modules: Collection[str], calls: Collection[str], apis: Collection[str]
    ) -> None:
        self.modules = frozenset(modules)
        self.calls = frozenset(calls)
        self.apis = ForbiddenApis(apis)
        self._roots = self.modules | _TWINS.keys() | _JUNCTIONS

    def spelled_in(self, text: str) -> bool:
        """Tell whether a source has any word by which it could name something forbidden.

        Most sources have none, and this is a hundred times faster than to follow their names.
        The parser folds identifiers, so they are folded here.
        """
        folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
        words = set(_WORD.findall(folded))
        named = {name.rpartition(".")[2] for name in (*self.modules, *self.calls)}
        named |= {f"_{name}" for name in self.modules} | _TWINS.keys()
        named |= {name.rpartition(".")[2] for name in _CALL_TWINS}
        return not words.isdisjoint(named | _BRIDGES) or self.apis.spelled_in(words)

    def step(self, origin: str, name: str) -> str | None:
        """Return what the attribute `name` of `origin` is; None where the trail is lost.

        A module met as another's attribute is that module: `torch.serialization.os` is `os`.
        """
        if name == "__dict__":  # subscripts of it are taken as attributes
            return origin
        if origin == "globals()":
            return "builtins" if name == "__builtins__" else None
        if name == "__builtins__":
            return "builtins"
        if origin.startswith("builtins."):
            return None
        dotted = f"{origin}.{name}"
        if dotted in _OWN_ATTRIBUTES or origin in ("builtins", "sys.modules"):
            return name if origin == "sys.modules" else dotted
        if self.twin_of(origin):  # `_socket.socket` is no module
            return dotted
        if name in self._roots:
            return name
        if name.startswith("_") and name[1:] in self._roots:  # `random._os`
            return name[1:]
        # A method of a class may have any name: `torch.Tensor.numpy` is no module.
        is_class = origin.rpartition(".")[2][:1].isupper()
        return None if is_class or dotted.count(".") >= _MAX_PARTS else dotted

    def module_of(self, origin: str) -> str | None:
        """Return the forbidden module that `origin` is or lies in."""
        while origin:
            if origin in self.modules:
                return origin
            origin = origin.rpartition(".")[0]
        return None

    def twin_of(self, origin: str) -> str | None:
        """Return the forbidden module whose C twin `origin` is or lies in."""
        top = origin.partition(".")[0]
        module = _TWINS.get(top, top.removeprefix("_"))
        return module if module in self.modules and module != top else None

    def call_of(self, origin: str) -> str | None:
        """Return the forbidden call that `origin` is."""
        name = origin.removeprefix("builtins.").removeprefix("_io.")
        name = _CALL_TWINS.get(origin, name)
        return name if name in self.calls else None
