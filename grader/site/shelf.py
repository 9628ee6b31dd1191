"""The problems of the site, read once, in the order in which a list shows them."""

from __future__ import annotations

from collections.abc import Iterator

from grader.spec import Problem, list_problems, load_problem

DIFFICULTIES = ("Easy", "Medium", "Hard")


class Shelf:
    """Problems by slug."""

    def __init__(self) -> None:
        found = [load_problem(path) for path in list_problems()]
        found.sort(key=lambda problem: (DIFFICULTIES.index(problem.difficulty), problem.slug))
        self._problems = {problem.slug: problem for problem in found}

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._problems.values())

    def titles(self, language: str) -> dict[str, str]:
        """Return the titles of all problems by slug."""
        return {slug: text_of(each, "title", language) for slug, each in self._problems.items()}

    def find(self, slug: str) -> Problem | None:
        """Return the problem of a slug, None for an unknown one."""
        return self._problems.get(slug)


def text_of(problem: Problem, name: str, language: str) -> str:
    """Return a text in a language, or in the main one where there is none."""
    own = problem.translations.get(language, {}).get(name)
    return str(own if own else getattr(problem, name))
