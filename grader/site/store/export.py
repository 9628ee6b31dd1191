"""All that a learner wrote and got, as named files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from sqlalchemy import Connection

from grader.site.store import desk, queue
from grader.site.store.models import Submission
from grader.site.store.tables import to_bytes

_PAGE = 20  # submissions held in memory at a time, of some hundred KiB each

Open = Callable[[], AbstractContextManager[Connection]]


def export(read: Open, learner: int) -> Iterator[tuple[str, bytes]]:
    """Return names and contents; names are unique and hold nothing a file system refuses.

    Args:
        read: opens a transaction; none is open while the caller has an item.
    """
    with read() as connection:
        rows = desk.notes_and_drafts(connection, learner)
        numbers = queue.numbers_of(connection, learner)
    for row in rows:
        if row.note:
            yield f"{row.slug}/note.md", to_bytes(row.note)
        if row.draft:
            yield f"{row.slug}/draft.py", to_bytes(row.draft)
    seen: set[str] = set()
    for start in range(0, len(numbers), _PAGE):
        with read() as connection:
            page = queue.at(connection, numbers[start : start + _PAGE])
        for submission in page:
            yield from _files(submission, _unused(_stem(submission), seen))


def _stem(submission: Submission) -> str:
    run = "run-" if submission.kind == "run" else ""
    # No colons: Windows refuses them in a name.
    created = f"{submission.created:%Y-%m-%dT%H-%M-%SZ}"
    return f"{submission.slug}/{created}-{run}{submission.verdict or 'waiting'}"


def _unused(stem: str, seen: set[str]) -> str:
    """Return a stem, numbered if several were sent in one second."""
    name, number = stem, 1
    while name in seen:
        number += 1
        name = f"{stem}-{number}"
    seen.add(name)
    return name


def _files(submission: Submission, stem: str) -> Iterator[tuple[str, bytes]]:
    yield f"{stem}.py", to_bytes(submission.source)
    if submission.custom_input is not None:
        yield f"{stem}-input.txt", to_bytes(submission.custom_input)
    if submission.report is not None:
        # Escaped, unlike in the table: other programs refuse a file with a lone surrogate. On one
        # line, as indenting takes ten times as long.
        yield f"{stem}.json", json.dumps(submission.report).encode("ascii") + b"\n"
