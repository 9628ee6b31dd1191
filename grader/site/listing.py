"""Which problems a list shows, in which order, and what comes next for a learner."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from grader.site.shelf import DIFFICULTIES, text_of
from grader.site.store import Progress
from grader.spec import Problem

SORTS = ("difficulty", "title", "status", "featured")
STATUSES = ("untouched", "tried", "solved")


@dataclass(frozen=True)
class Wanted:
    """What a learner asks the list for; "" means all."""

    query: str = ""
    difficulty: str = ""
    category: str = ""
    tag: str = ""
    status: str = ""
    language: str = ""
    sort: str = "difficulty"


def status_of(slug: str, progress: Mapping[str, Progress]) -> str:
    """Return solved, tried or untouched."""
    known = progress.get(slug)
    if known is None:
        return "untouched"
    return "solved" if known.solved else "tried"


def chosen(
    problems: Iterable[Problem], progress: Mapping[str, Progress], wanted: Wanted, language: str
) -> list[Problem]:
    """Return the problems that fit, sorted."""
    found = [problem for problem in problems if _fits(problem, progress, wanted)]
    keys: dict[str, Callable[[Problem], str | int]] = {
        "title": lambda p: text_of(p, "title", language).casefold(),
        "status": lambda p: STATUSES.index(status_of(p.slug, progress)),
        "featured": lambda p: not p.is_featured,
        "difficulty": lambda p: DIFFICULTIES.index(p.difficulty),
    }
    order = keys.get(wanted.sort, keys["difficulty"])
    return sorted(found, key=lambda problem: order(problem))


def _fits(problem: Problem, progress: Mapping[str, Progress], wanted: Wanted) -> bool:
    languages = {problem.language, *problem.translations}
    exact = (
        (wanted.difficulty, {problem.difficulty}),
        (wanted.category, {problem.category}),
        (wanted.tag, set(problem.tags)),
        (wanted.status, {status_of(problem.slug, progress)}),
        (wanted.language, languages),
    )
    if any(asked and asked not in has for asked, has in exact):
        return False
    words = wanted.query.casefold().split()
    texts = [problem.slug, problem.title, problem.entry_point, *problem.tags]
    texts += [str(texts.get("title", "")) for texts in problem.translations.values()]
    text = " ".join(texts).casefold()
    return all(word in text for word in words)


def next_problem(
    problems: Iterable[Problem], progress: Mapping[str, Progress], after: str | None
) -> str | None:
    """Return the slug that follows one by category and difficulty, None if all are solved."""
    open_ones = [p for p in problems if status_of(p.slug, progress) != "solved" and p.slug != after]
    if not open_ones:
        return None
    known = {problem.slug: problem for problem in problems}
    last = known.get(after or "")
    if last is None:
        return open_ones[0].slug

    def distance(problem: Problem) -> tuple[bool, int, int]:
        step = DIFFICULTIES.index(problem.difficulty) - DIFFICULTIES.index(last.difficulty)
        shared = len(set(problem.tags) & set(last.tags))
        return problem.category != last.category, abs(step) if step >= 0 else 3, -shared

    return min(open_ones, key=distance).slug


def random_unsolved(problems: Iterable[Problem], progress: Mapping[str, Progress]) -> str | None:
    """Return the slug of some problem that is not solved, None if all are."""
    left = [p.slug for p in problems if status_of(p.slug, progress) != "solved"]
    return random.choice(left) if left else None
