"""One submission of a batch as it is written down: `schemas/batch_record.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Fault:
    """Why a submission of a batch could not be judged at all.

    Attributes:
        kind: "unknown_problem", "unreadable", "malformed", "duplicate_id", or "internal_error"
            where no judge lived to report.
        message: a sentence for the one who runs the batch.
    """

    kind: str
    message: str


@dataclass(frozen=True)
class Record:
    """What became of one submission.

    Attributes:
        position: 0-based place in the input.
        id: of the submission, unique in the batch; a doubled one is a fault.
        who: sent it; None where the input does not say.
        report: as `Report.to_dict` gives it; None where there is a fault.
        cached: whether the report was found rather than made.
        path: file of the source, where there is one; for those who annotate it.
        report_text: the report as JSON, where it was found as such. `report` is then brief: what
            totals need of it, and no more.
    """

    position: int
    id: str
    slug: str
    who: str | None = None
    report: dict[str, Any] | None = None
    fault: Fault | None = None
    cached: bool = False
    path: str | None = None
    report_text: str | None = field(default=None, compare=False, repr=False)

    @property
    def verdict(self) -> str:
        """The report's verdict, or the kind of the fault."""
        if self.report is not None:
            return str(self.report["verdict"])
        return self.fault.kind if self.fault is not None else "internal_error"

    def to_json(self) -> str:
        """One line, without its end."""
        head = json_text(
            {
                "position": self.position,
                "id": self.id,
                "slug": self.slug,
                "who": self.who,
                "path": self.path,
                "cached": self.cached,
                "fault": None if self.fault is None else vars(self.fault),
            }
        )
        report = json_text(self.report) if self.report_text is None else self.report_text
        return f'{head[:-1]},"report":{report}}}'

    @staticmethod
    def from_json(line: str | bytes) -> Record:
        """Read what `to_json` wrote.

        Raises:
            ValueError: it is no record.
        """
        raw = json.loads(line)
        try:
            fault = raw.pop("fault")
            return Record(**raw, fault=None if fault is None else Fault(**fault))
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"no batch record: {error}") from None


def json_text(value: Any) -> str:
    """Return JSON on one line, in ASCII: lone surrogates of file names survive it."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def brief_of(report: dict[str, Any]) -> dict[str, Any]:
    """Return what totals need of a report: a tenth of it."""
    cases = [{name: case[name] for name in _BRIEF_CASE} for case in report["cases"]]
    return {**{name: report[name] for name in _BRIEF}, "cases": cases}


_BRIEF = ("slug", "verdict", "passed", "total", "usage", "digests", "static_check")
_BRIEF_CASE = ("case_id", "case_name", "verdict", "passed")


def read_records(path: Path) -> Iterator[Record]:
    """Yield the records of a finished output, one at a time.

    Raises:
        ValueError: a line is no record; the message has its number.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                yield Record.from_json(line)
            except ValueError as error:
                raise ValueError(f"{path}:{number}: {error}") from None
