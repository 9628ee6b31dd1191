"""Reports kept across runs, by what they depend on."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from grader.batch.records import brief_of, json_text

# A limit may be another machine's mood, and a fault of ours is nobody's result.
_NOT_KEPT = frozenset(
    {
        "internal_error",
        "time_limit_exceeded",
        "memory_limit_exceeded",
        "output_limit_exceeded",
    }
)


def report_key(
    spec_digest: str, source: bytes, versions: dict[str, str], static_check: bool
) -> str:
    """SHA-256 of all that a report depends on; the limits are part of the spec."""
    basis = json.dumps([spec_digest, versions, static_check], sort_keys=True).encode()
    return sha256(basis + b"\0" + source).hexdigest()


def may_be_kept(report: dict[str, Any]) -> bool:
    """Whether a report holds for another run: jailed, no case hit a limit, no fault of ours."""
    verdicts = {report["verdict"], *(case["verdict"] for case in report["cases"])}
    # What ran without the jail may have written its own report.
    return report["isolation"] == "full" and not verdicts & _NOT_KEPT


@dataclass(frozen=True)
class KeptReport:
    """A report that is written again as it is; only what totals need of it is read.

    Attributes:
        brief: see `brief_of`.
        text: all of it, as JSON.
    """

    brief: dict[str, Any]
    text: str

    @staticmethod
    def of(report: dict[str, Any]) -> KeptReport:
        """Make one of a report."""
        return KeptReport(brief_of(report), json_text(report))


class ReportCache:
    """A folder of reports, a file each. Several runs may use it at a time.

    Args:
        folder: made where it is missing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, key: str) -> KeptReport | None:
        """Return the report of a key; None if there is none, or if its file is damaged."""
        try:
            data = self._file(key).read_bytes()
        except OSError:
            return None
        digest, _, body = data.partition(b"\n")
        if sha256(body).hexdigest().encode() != digest:
            return None  # damaged: judged again, and written anew
        brief, _, text = body.partition(b"\n")
        return KeptReport(json.loads(brief), text.decode())

    def keep(self, key: str, kept: KeptReport) -> None:
        """Keep a report; a cache that cannot be written is no reason to stop."""
        body = f"{json_text(kept.brief)}\n{kept.text}".encode()
        file = self._file(key)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            # Written aside and moved: another run may be reading.
            descriptor, aside = tempfile.mkstemp(dir=file.parent)
            with os.fdopen(descriptor, "wb") as made:
                made.write(sha256(body).hexdigest().encode() + b"\n" + body)
            Path(aside).replace(file)
        except OSError:
            return

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / key
