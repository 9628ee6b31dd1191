# ruff: noqa: E501  (a table of sources reads best with one row a line)
"""The static check names what is forbidden and leaves alone what only looks like it."""

from __future__ import annotations

import ast
import time
from pathlib import Path

import pytest

from grader.source import decode_source, parse_source
from grader.static_check import MAX_VIOLATIONS, Violation, check_tree

CORPUS = Path(__file__).parent / "corpus"
MODULES = ["os", "sys", "subprocess", "socket", "shutil", "pathlib", "ctypes", "multiprocessing"]
CALLS = ["eval", "exec", "compile", "open", "__import__", "input", "breakpoint"]
HONEST = sorted((CORPUS / "honest").glob("*.py"))
ATTACKS = sorted((CORPUS / "attacks").rglob("*.py"))


def check(text: str) -> list[Violation]:
    return check_tree(parse_source(text), MODULES, CALLS, text)


def places(text: str) -> list[tuple[str, int, int]]:
    return [(found.rule, found.line, found.column) for found in check(text)]


def expected_verdicts(path: Path) -> list[str]:
    docstring = ast.get_docstring(parse_source(decode_source(path.read_bytes()))) or ""
    line = next(line for line in docstring.splitlines() if line.startswith("expect:"))
    return line.removeprefix("expect:").replace(",", " ").split()


MODULE, CALL = "forbidden-module", "forbidden-call"

CAUGHT = [
    ("a plain import", "import os", [(MODULE, 1, 8)]),
    ("an alias", "import os as o", [(MODULE, 1, 8)]),
    ("a submodule", "import os.path", [(MODULE, 1, 8)]),
    ("a member", "from os import path", [(MODULE, 1, 16)]),
    ("a star", "from os import *", [(MODULE, 1, 16)]),
    ("a member of a submodule", "from os.path import join as j", [(MODULE, 1, 21)]),
    ("the second of two", "import math, os", [(MODULE, 1, 14)]),
    ("an import used later", "import os\nos.system('x')\nos.path", [(MODULE, 1, 8)]),
    ("an import in a function", "def f():\n    import sys", [(MODULE, 2, 12)]),
    ("an import behind a semicolon", "x = 1; \\\nimport os", [(MODULE, 2, 8)]),
    ("the C twin of os", "import posix\nposix.system('x')", [(MODULE, 2, 1)]),
    ("the other C twin of os", "__builtins__['getattr'](__import__('nt'), 'system')(1)", [(MODULE, 1, 1), (CALL, 1, 25)]),
    ("the C twin of socket", "from _socket import socket as s\ns()", [(MODULE, 2, 1)]),
    ("the C twin of ctypes", "import _ctypes as c\nc.dlopen('x', 1)", [(MODULE, 2, 1)]),
    ("the C twin of subprocess", "from _posixsubprocess import *\nimport _posixsubprocess as p\np.fork_exec()", [(MODULE, 3, 1)]),
    ("the C twin of multiprocessing", "import _multiprocessing\n_multiprocessing.SemLock()", [(MODULE, 2, 1)]),
    ("torch's wrapper", "import torch.multiprocessing as mp", [(MODULE, 1, 8)]),
    ("a re-export", "from torch import os", [(MODULE, 1, 19)]),
    ("a re-export of a submodule", "from torch.serialization import os", [(MODULE, 1, 33)]),
    ("an attribute", "import torch\ntorch.os.system", [(MODULE, 2, 1)]),
    ("an attribute of an alias", "import numpy as np\nnp.os", [(MODULE, 2, 1)]),
    ("a deep attribute", "import torch\ntorch.serialization.os", [(MODULE, 2, 1)]),
    ("a standard re-export", "import logging\nlogging.sys.exit", [(MODULE, 2, 1)]),
    ("a private re-export", "import random\nrandom._os.system", [(MODULE, 2, 1)]),
    ("an attribute of a member", "from torch import serialization as s\ns.os", [(MODULE, 2, 1)]),
    ("an assigned library", "import torch\nm = torch\nm.os", [(MODULE, 3, 1)]),
    ("a pair of assignments", "import torch\na, m = 1, torch\nm.os", [(MODULE, 3, 1)]),
    ("an assigned library above", "def f(): return m.os\nimport torch\nm = torch", [(MODULE, 1, 17)]),
    ("a walrus", "import torch\n[m := torch]\nm.os", [(MODULE, 3, 1)]),
    ("getattr of a library", "import torch\ngetattr(torch, 'o' + 's')", [(MODULE, 2, 1)]),
    ("a module's dictionary", "import torch\ntorch.__dict__['os']", [(MODULE, 2, 1)]),
    ("import_module", "import importlib\nimportlib.import_module('os')", [(MODULE, 2, 1)]),
    ("import_module by alias", "from importlib import import_module as i\ni('os')", [(MODULE, 2, 1)]),
    ("import_module assigned", "import importlib as l\ni = l.import_module\ni('os')", [(MODULE, 3, 1)]),
    ("import_module, joined", "import importlib as i\ni.import_module('o' 's')", [(MODULE, 2, 1)]),
    ("import_module, keyword", "import importlib as i\ni.import_module(name='os')", [(MODULE, 2, 1)]),
    ("import_module's result", "import importlib as i\nm = i.import_module('torch')\nm.os", [(MODULE, 3, 1)]),
    ("resolve_name", "import pkgutil\npkgutil.resolve_name('os:system')", [(MODULE, 2, 1)]),
    ("a loader", "import re\nre.__spec__.loader.load_module('os')", [(MODULE, 2, 1)]),
    ("the import function", "__import__('os')", [(CALL, 1, 1), (MODULE, 1, 1)]),
    ("sys.modules", "import typing\ntyping.sys.modules['os']", [(MODULE, 2, 1)]),
    ("a call", "eval('1')", [(CALL, 1, 1)]),
    ("a name without a call", "e = eval\ne('1')", [(CALL, 1, 5)]),
    ("a decorator", "@exec\ndef f(): pass", [(CALL, 1, 2)]),
    ("an argument", "map(eval, ['1'])", [(CALL, 1, 5)]),
    ("a default", "def f(e=eval): pass", [(CALL, 1, 9)]),
    ("full-width letters", "ｅｖａｌ('1')", [(CALL, 1, 1)]),
    ("builtins", "import builtins\nbuiltins.eval", [(CALL, 2, 1)]),
    ("builtins under an alias", "import builtins as b\nb.eval('1')", [(CALL, 2, 1)]),
    ("a member of builtins", "from builtins import eval as e", [(CALL, 1, 22)]),
    ("builtins re-exported", "import torch\ntorch.builtins.exec", [(CALL, 2, 1)]),
    ("__builtins__, subscript", "__builtins__['eval']", [(CALL, 1, 1)]),
    ("__builtins__, attribute", "__builtins__.eval", [(CALL, 1, 1)]),
    ("__builtins__, get", "__builtins__.get('ev' + 'al')", [(CALL, 1, 1)]),
    ("__builtins__, either", "s = __builtins__ if 1 else vars(__builtins__)\ns['eval']", [(CALL, 2, 1)]),
    ("globals", "globals()['__builtins__'].eval", [(CALL, 1, 1)]),
    ("getattr", "import builtins\ngetattr(builtins, 'ev' + 'al')", [(CALL, 2, 1)]),
    ("getattr, join", "import builtins\ngetattr(builtins, ''.join(['ev', 'al']))", [(CALL, 2, 1)]),
    ("getattr, f-string", "import builtins\ngetattr(builtins, f'ev{\"al\"}')", [(CALL, 2, 1)]),
    ("getattr, percent", "import builtins\ngetattr(builtins, 'e%sl' % 'va')", [(CALL, 2, 1)]),
    ("getattr, reversed", "import builtins\ngetattr(builtins, 'lave'[::-1])", [(CALL, 2, 1)]),
    ("getattr of an alias", "g = getattr\nimport builtins\ng(builtins, 'eval')", [(CALL, 3, 1)]),
    ("vars", "import builtins\nvars(builtins)['eval']", [(CALL, 2, 1)]),
    ("io.open", "import io\nio.open('x')", [(CALL, 2, 1)]),
    ("_io.open", "from _io import open as o", [(CALL, 1, 17)]),
    ("codecs.open", "import codecs\ncodecs.open('x')", [(CALL, 2, 1)]),
    ("a binding that never runs", "if False: eval = None\neval('1')", [(CALL, 2, 1)]),
    ("a loop that never runs", "for eval in []: pass\neval('1')", [(CALL, 2, 1)]),
    ("a binding in a branch", "if x: open = 3\ndef f(): open('x')", [(CALL, 2, 10)]),
    ("a binding after the use", "eval('1')\neval = None", [(CALL, 1, 1)]),
    ("a binding of itself", "eval = eval", [(CALL, 1, 8)]),
    ("a binding after the call", "def f(): eval('1')\nf()\neval = 0", [(CALL, 1, 10)]),
    ("a binding by the call", "def f(): eval('1')\neval = f()", [(CALL, 1, 10)]),
    ("a decorator that calls first", "@run\n@exec_\ndef exec(): exec('')\nrun = exec_ = 1", [(CALL, 3, 13)]),
    ("a deleted binding", "eval = None\ndel eval\neval('1')", [(CALL, 3, 1)]),
    ("a binding deleted elsewhere", "eval = 1\ndef f():\n global eval\n del eval\nf()\neval('')", [(CALL, 6, 1)]),
    ("a name an except clause deletes", "eval = 1\ntry: x\nexcept E as eval: pass\neval('')", [(CALL, 4, 1)]),
    ("a bare annotation", "eval: int\neval('1')", [(CALL, 2, 1)]),
    ("a class's name in a method", "class A:\n def eval(self): return eval('1')", [(CALL, 2, 25)]),
    ("a class's conditional name", "class A:\n if 0: eval = 1\n x = eval", [(CALL, 3, 6)]),
    ("another function's name", "def f(eval): pass\ndef g(): eval('1')", [(CALL, 2, 10)]),
    ("a comprehension's name outside", "[eval for eval in []]\neval('1')", [(CALL, 2, 1)]),
    ("a conditional global", "def f():\n global eval\n eval = 1\neval('1')", [(CALL, 4, 1)]),
    ("two on a line", "eval(open('x'))", [(CALL, 1, 1), (CALL, 1, 6)]),
    ("columns in characters", "数 = '字'; eval(数)", [(CALL, 1, 10)]),
]  # fmt: skip

ALLOWED = [
    ("a method named eval", "model.eval()"),
    ("re.compile", "import re\nre.compile('x')"),
    ("re.compile under its own name", "from re import compile\ncompile('x')"),
    ("torch.compile", "import torch\n@torch.compile\ndef f(x): return x"),
    ("nn.Module.compile", "from torch import nn\nnn.Module().compile()\nnn.Module.compile"),
    ("an attribute named input", "class A:\n def f(self): return self.input"),
    ("a method named open", "class A:\n def open(self): pass\nA().open()"),
    ("a private method", "def f(o): return o._open()"),
    ("a parameter", "def f(input): return input + 1"),
    (
        "every kind of parameter",
        "def f(eval, /, exec, *open, input, **compile): eval, exec, open, input, compile",
    ),
    ("a lambda's parameter", "f = lambda input: input + 1"),
    ("a local name", "def f():\n compile = 3\n return compile"),
    ("a local name bound below", "def f():\n  if 0: return open\n  open = 3"),
    ("a local loop", "def f(xs):\n for input in xs: pass\n return input"),
    ("a local with", "def f(x):\n with x as open: pass\n return open"),
    ("a local except", "def f():\n try: pass\n except E as input: return input"),
    ("a local match", "def f(x):\n match x:\n  case [input, *open]: return input, open"),
    ("a local import", "def f():\n from torch import compile\n return compile"),
    ("a closure", "def f(input):\n def g(): return lambda: input\n return g"),
    ("a nonlocal", "def f(input):\n def g():\n  nonlocal input\n  input = 1\n  return input"),
    ("a comprehension", "def f(xs): return [input for input in xs if input]"),
    ("a walrus in a comprehension", "def f(xs):\n [input := x for x in xs]\n return input"),
    ("a module's loop", "for input in [1]:\n print(input)"),
    ("a module's comprehension", "x = {input: 1 for input in [1]}"),
    ("a module's with", "with x as open:\n open.read()"),
    ("a module's function", "def compile(x): return compile(x - 1)\ncompile(1)"),
    ("a function defined below", "def f(): return compile(1)\ndef compile(x): return x"),
    (
        "a function defined below a constant",
        "def f(): return eval(1)\nN = 3\ndef eval(x): return x",
    ),
    (
        "a global assigned below",
        "import torch\ndef f(): return input + 1\ninput = torch.ones(3)\nf()",
    ),
    ("a module's name", "open = 3\nprint(open)"),
    ("a module's name in a function", "open = 3\ndef f(): return open"),
    ("a module's pair", "input, (open, *eval) = 1, (2, 3)\nprint(input, open, eval)"),
    ("a name bound in the same branch", "if __name__ == '__main__':\n input = 3\n print(input)"),
    ("a function in a branch", "if x:\n def compile(n): return compile(n)"),
    ("a class of that name", "class input: pass\ninput()"),
    ("an import of that name", "from torch import ones as input\ninput(3)"),
    ("a class attribute", "class A:\n input = 3\n x = input"),
    ("a declared global", "def f():\n global input\n input = 3\n return input"),
    ("a keyword argument", "f(input=1, open=2)"),
    ("words in strings", "x = 'import os'; y = f'eval({x})'; 'open'"),
    ("words in comments", "x = 1  # import os; eval('1')"),
    ("words in a docstring", 'def f():\n    """open(); eval()"""'),
    ("a string annotation", "def f(x: 'eval'): pass"),
    ("a local object's os", "class A: pass\na = A()\na.os = a\na.os.system"),
    ("a local that hides a library", "import torch\ndef f(torch): return torch.os"),
    ("names that merely begin so", "def f(eval_, os_sum, opened): return eval_, os_sum, opened"),
    ("a harmless open", "from PIL import Image\nImage.open"),
    ("a harmless import", "import importlib\nimportlib.import_module('math')"),
    ("a harmless getattr", "import torch\ngetattr(torch, 'ones')(3)"),
    ("an unknown getattr", "import torch\ndef f(n): return getattr(torch, n)"),
    ("a relative import", "from . import os"),
    ("globals", "globals()['x'] = 1"),
    ("a C twin that is not called", "import posix\nx = posix.system"),
]


@pytest.mark.parametrize(
    ("text", "expected"), [row[1:] for row in CAUGHT], ids=[r[0] for r in CAUGHT]
)
def test_forbidden_is_caught_at_its_place(text: str, expected: list[tuple[str, int, int]]) -> None:
    """A learner is sent to the very word."""
    assert places(text) == expected


@pytest.mark.parametrize("text", [row[1] for row in ALLOWED], ids=[row[0] for row in ALLOWED])
def test_allowed_is_left_alone(text: str) -> None:
    """A right solution that is refused for a word costs more trust than a missed trick."""
    assert check(text) == []


@pytest.mark.parametrize("path", HONEST, ids=lambda path: path.stem)
def test_honest_file_has_no_violation(path: Path) -> None:
    """The corpus holds the forms that word-based checks refuse."""
    assert check(decode_source(path.read_bytes())) == []


@pytest.mark.parametrize(
    "path",
    [path for path in ATTACKS if expected_verdicts(path) == ["forbidden"]],
    ids=lambda path: path.stem,
)
def test_attack_that_only_the_check_may_stop_is_caught(path: Path) -> None:
    """These list no other verdict."""
    assert check(decode_source(path.read_bytes()))


@pytest.mark.parametrize(
    "path",
    [p for p in ATTACKS if "forbidden" not in expected_verdicts(p)],
    ids=lambda path: path.stem,
)
def test_attack_that_names_nothing_forbidden_is_left_alone(path: Path) -> None:
    """The verdict `forbidden` would be wrong for them."""
    assert check(decode_source(path.read_bytes())) == []


def test_library_attribute_with_a_module_name_is_its_own() -> None:
    """A problem that forbids `random` must still allow `np.random`."""
    tree = ast.parse("import numpy as np, torch\nnp.random.rand()\ntorch.random\nnp.random._pickle")
    assert check_tree(tree, ["random", "copy", "array"], []) == []


def test_dotted_module_is_forbidden_alone() -> None:
    """`torch.nn.functional` may be forbidden where `torch` is the subject."""
    text = (
        "import torch.nn.functional as F\nimport torch\ntorch.nn.functional.relu\ntorch.nn.Linear"
    )
    found = check_tree(ast.parse(text), ["torch.nn.functional"], [])
    assert [(v.line, v.column) for v in found] == [(1, 8), (3, 1)]


def test_nothing_forbidden_finds_nothing() -> None:
    """The lists are the problem's own; nothing is forbidden by itself."""
    assert check_tree(ast.parse("import os\neval('1')"), [], []) == []


def test_message_names_the_thing_and_the_way_out() -> None:
    """A sentence that helps is half of the check."""
    assert [
        v.message
        for v in check("import os.path\nimport torch\ntorch.os\nimport posix\nposix.x()\neval\n")
    ] == [
        "`os` may not be imported in this problem; solve it without that module",
        "`torch.os` is the module `os`, which may not be used in this problem",
        "`posix.x` belongs to the C twin of `os`, which may not be used in this problem",
        "`eval` may not be used in this problem, called or not; "
        "if you mean a name of your own, bind it before this line",
    ]


def test_violations_are_bounded() -> None:
    """A hostile source must not make the report huge."""
    assert len(check("eval\n" * 1000)) == MAX_VIOLATIONS


@pytest.mark.parametrize("kind", ["sum", "attribute", "lambda", "call", "if"])
def test_depth_does_not_overflow(kind: str) -> None:
    """A tree deeper than any stack hides nothing: the forbidden name lies at its bottom."""
    node: ast.expr = ast.Name("eval", ast.Load(), lineno=1, col_offset=0)
    none = ast.arguments([], [], None, [], [], None, [])
    make = {
        "sum": lambda n: ast.BinOp(n, ast.Add(), ast.Constant("x")),
        "attribute": lambda n: ast.Attribute(n, "x", ast.Load()),
        "lambda": lambda n: ast.Lambda(none, n),
        "call": lambda n: ast.Call(n, [], []),
        "if": lambda n: ast.IfExp(ast.Constant(1), n, ast.Constant(1)),
    }[kind]
    for _ in range(30_000):
        node = make(node)
    tree = ast.Module([ast.Expr(node)], [])
    assert [v.rule for v in check_tree(tree, MODULES, CALLS)] == [CALL]
    while not isinstance(node, ast.Name):  # take it apart: freeing it at once would recurse in C
        field = {
            "sum": "left",
            "attribute": "value",
            "lambda": "body",
            "call": "func",
            "if": "body",
        }[kind]
        inner = getattr(node, field)
        delattr(node, field)
        node = inner


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "x = a + b.c(d)\n",
        "if x: eval = 1\neval\n",
        "a = a or b\nb = a\n",
        "import os\n",
        "def f(): return input\ninput = f\n",
        "x = ['a' + 'b', 'c']\n",
    ],
)
def test_time_is_linear(line: str) -> None:
    """256 KiB of anything is checked in seconds; a quadratic walk would take hours."""
    tree = ast.parse(line * (262_144 // len(line)))
    start = time.process_time()
    check_tree(tree, MODULES, CALLS)
    assert time.process_time() - start < 20


def test_looking_at_words_first_changes_no_finding(corpus: Path) -> None:
    """Passing the text lets most sources off early; it must let off none that has a violation."""
    sources = [path for folder in ("attacks", "own", "honest", "own_honest")
               for path in (corpus / folder).rglob("*.py")]  # fmt: skip
    assert len(sources) > 400
    for path in sources:
        text = path.read_bytes().decode("utf-8-sig")
        tree = ast.parse(text)
        whole = {(v.rule, v.line) for v in check_tree(tree, MODULES, CALLS)}
        assert {(v.rule, v.line) for v in check_tree(tree, MODULES, CALLS, text)} == whole, path
