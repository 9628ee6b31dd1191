"""The faults that are not a submission's: the spec's, the host's and our own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Finding:
    """One thing wrong with a problem spec, and where.

    Attributes:
        file: path as the user gave it.
        line: 1-based line in the file; 0 where the file has no such place.
        column: 1-based column; 0 likewise.
        path: JSON path, `$.test_cases[2].name`; `$` for the document.
        message: what was found and what was expected.
    """

    file: str
    line: int
    column: int
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.path}: {self.message}"


class GraderError(Exception):
    """Base of every error this package raises on purpose."""


class SpecError(GraderError):
    """A problem spec cannot be used; all its faults at once."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(str(finding) for finding in self.findings))


class UnknownProblem(GraderError):
    """No problem of that slug, and no file of that path."""


class IsolationUnavailable(GraderError):
    """This host cannot jail a submission; the message says what is missing."""


class InternalFault(GraderError):
    """Our own machinery failed; the submission is not to blame and may be tried again."""


class ReferenceFault(GraderError):
    """The author's code failed; trying again will not help, and the learner is not to blame.

    Attributes:
        path: JSON path of the field at fault.
    """

    def __init__(self, message: str, path: str = "$") -> None:
        super().__init__(message)
        self.path = path
