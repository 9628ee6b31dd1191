"""The problems of the site, in the order in which a list shows them; read again when they change.

A file that cannot be read or holds a faulty spec is refused: the problem stays as it was.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.site.logs import log
from grader.spec import Problem, find_faults, list_problems

DIFFICULTIES = ("Easy", "Medium", "Hard")
_LOOK_EVERY_S = 2.0

# What is wrong with a problem whose form is right, a sentence each: its reference fails, say.
Prove = Callable[[Problem], list[str]]
_Stamp = tuple[int, int]  # when a file was changed, and its size


@dataclass(frozen=True)
class Changes:
    """What a look at the files found, by name of file."""

    read: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.read or self.refused or self.gone)


@dataclass(frozen=True)
class _Held:
    """What the shelf has: replaced as a whole, so that nobody reads half a change."""

    problems: Mapping[str, Problem] = field(default_factory=dict)
    slugs: Mapping[Path, str] = field(default_factory=dict)
    stamps: Mapping[Path, _Stamp] = field(default_factory=dict)
    faults: Mapping[Path, str] = field(default_factory=dict)


class Shelf:
    """Problems by slug. Threads may share it.

    Args:
        folder: of the specs; the bundle if None.
        prove: tries what is read once the site is running; None takes the form for enough.
    """

    def __init__(self, folder: Path | None = None, prove: Prove | None = None) -> None:
        self._folder = folder
        self._prove = prove
        self._held = _Held()
        self._turn = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="shelf", daemon=True)
        self.refresh(prove=False)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._held.problems.values())

    @property
    def faults(self) -> Mapping[Path, str]:
        """Why a file was refused."""
        return self._held.faults

    def titles(self, language: str) -> dict[str, str]:
        """Return the titles of all problems by slug."""
        return {each.slug: text_of(each, "title", language) for each in self}

    def find(self, slug: str) -> Problem | None:
        """Return the problem of a slug, None for an unknown one."""
        return self._held.problems.get(slug)

    def start(self) -> None:
        """Look at the files now and then, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(_LOOK_EVERY_S):
            try:
                if changes := self.refresh():
                    log.info("problems read again", **vars(changes))
            except Exception:  # the folder may be away for a while
                log.exception("the problems could not be read")

    def refresh(self, *, prove: bool = True) -> Changes:
        """Read the files that changed since the last look."""
        with self._turn:
            held, stamps = self._held, self._stamps()
            fresh = [path for path, stamp in stamps.items() if held.stamps.get(path) != stamp]
            gone = [path for path in held.stamps if path not in stamps]
            if not fresh and not gone:
                return Changes()
            found = {
                path: held.problems[slug] for path, slug in held.slugs.items() if path in stamps
            }
            faults = {path: text for path, text in held.faults.items() if path in stamps}
            for path in fresh:
                problem, fault = self._read(path, prove)
                others = {each.slug for at, each in found.items() if at != path}
                if problem is not None and problem.slug in others:
                    fault, problem = f"another file has the slug {problem.slug}", None
                if problem is None:
                    faults[path] = fault
                    log.warning("problem refused", file=path.name, why=fault)
                else:
                    faults.pop(path, None)
                    found[path] = problem
            self._held = _Held(
                {each.slug: each for each in sorted(found.values(), key=_order)},
                {path: problem.slug for path, problem in found.items()},
                stamps,
                faults,
            )
        return Changes(
            tuple(path.name for path in fresh if path not in faults),
            tuple(path.name for path in fresh if path in faults),
            tuple(path.name for path in gone),
        )

    def _stamps(self) -> dict[Path, _Stamp]:
        paths = list_problems() if self._folder is None else sorted(self._folder.glob("*.json"))
        found = {}
        for path in paths:
            try:
                stat = path.stat()
            except OSError:  # it went between the two looks
                continue
            found[path] = (stat.st_mtime_ns, stat.st_size)
        return found

    def _read(self, path: Path, prove: bool) -> tuple[Problem | None, str]:
        """The problem of a file, or why there is none."""
        try:
            problem, findings = find_faults(path)
        except (OSError, UnicodeDecodeError) as error:
            return None, str(error)
        if problem is None:
            return None, "\n".join(str(finding) for finding in findings)
        faults = self._prove(problem) if prove and self._prove is not None else []
        return (None, "\n".join(faults)) if faults else (problem, "")


def _order(problem: Problem) -> tuple[int, str]:
    return DIFFICULTIES.index(problem.difficulty), problem.slug


def text_of(problem: Problem, name: str, language: str) -> str:
    """Return a text in a language, or in the main one where there is none."""
    own = problem.translations.get(language, {}).get(name)
    return str(own if own else getattr(problem, name))
