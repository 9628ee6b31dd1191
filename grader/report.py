"""The report of one submission: what a surface shows and a course keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from grader.limits import Limits
from grader.static_check import Violation

REPORT_VERSION = 1


class Verdict(StrEnum):
    """What became of a submission or of one case."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    RUNTIME_ERROR = "runtime_error"
    TIME_LIMIT_EXCEEDED = "time_limit_exceeded"
    MEMORY_LIMIT_EXCEEDED = "memory_limit_exceeded"
    OUTPUT_LIMIT_EXCEEDED = "output_limit_exceeded"
    FORBIDDEN = "forbidden"
    SECURITY_VIOLATION = "security_violation"
    INVALID_SUBMISSION = "invalid_submission"
    INTERNAL_ERROR = "internal_error"
    SKIPPED = "skipped"  # of a case only: it was not run


@dataclass(frozen=True)
class CaseResult:
    """One case.

    Attributes:
        case_id: 1-based position.
        time_ms: the keeper's clock around the submission's calls alone.
        cpu_ms: CPU time of the submission's process in those calls, all threads.
        memory_mb: the most MiB above the warm baseline seen so far in the run, sampled.
        max_diff: largest absolute difference; "NaN" and "Infinity" by name.
        where: place of the first mismatch, `output[2]`.
        hint: a sentence where a near miss was recognised.
        input: argument name to expression, where it may be shown.
        generated: index, seed and size of a drawn case; size None where it was not shrunk.
    """

    case_id: int
    case_name: str
    verdict: Verdict
    hidden: bool = False
    message: str = ""
    time_ms: float = 0.0
    cpu_ms: float = 0.0
    memory_mb: float = 0.0
    max_diff: float | str | None = None
    where: str | None = None
    hint: str | None = None
    user_output_summary: Any = None
    expected_summary: Any = None
    input: Mapping[str, str] | None = None
    generated: Mapping[str, int | None] | None = None
    stdout: str = ""
    stderr: str = ""

    @property
    def passed(self) -> bool:
        """Whether the referee said so for this case."""
        return self.verdict is Verdict.ACCEPTED

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> CaseResult:
        """Return the case of what `to_dict` gave."""
        known = {name: value for name, value in document.items() if name != "passed"}
        return cls(**{**known, "verdict": Verdict(known["verdict"])})

    def to_dict(self) -> dict[str, Any]:
        """Return the case as JSON."""
        # Its parts are plain already: asdict() would copy each of them deeply.
        return {**vars(self), "verdict": str(self.verdict), "passed": self.passed}

    def veiled(self) -> CaseResult:
        """The case with all that would give a hidden case away left out."""
        return CaseResult(
            case_id=self.case_id,
            case_name=self.case_name,
            verdict=self.verdict,
            hidden=True,
            time_ms=self.time_ms,
            cpu_ms=self.cpu_ms,
            memory_mb=self.memory_mb,
            generated=self.generated,
        )


@dataclass(frozen=True)
class Usage:
    """What the whole submission took."""

    wall_ms: float
    cpu_ms: float
    memory_mb: float


@dataclass(frozen=True)
class Report:
    """All there is to say about one submission; `schemas/report.schema.json` describes it.

    Attributes:
        message: why there are no case results, where there are none.
        attempts: 2 where a fault of ours made the grader try again.
        isolation: "full" or "none".
        versions: of grader, python, torch and numpy.
        digests: SHA-256 of the canonical spec and of the source as sent.
    """

    slug: str
    verdict: Verdict
    cases: tuple[CaseResult, ...]
    limits: Limits
    usage: Usage
    isolation: str
    versions: Mapping[str, str]
    digests: Mapping[str, str]
    violations: tuple[Violation, ...] = ()
    message: str = ""
    stdout: str = ""
    stderr: str = ""
    attempts: int = 1
    static_check: bool = True
    report_version: int = field(default=REPORT_VERSION)

    @property
    def passed(self) -> int:
        """How many cases passed."""
        return sum(case.passed for case in self.cases)

    @property
    def total(self) -> int:
        """How many cases there are."""
        return len(self.cases)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Report:
        """Return the report of what `to_dict` gave.

        Raises:
            ValueError, TypeError, KeyError: it is none, or one of another version.
        """
        made = {name: value for name, value in document.items() if name not in ("passed", "total")}
        made["verdict"] = Verdict(made["verdict"])
        made["cases"] = tuple(CaseResult.from_dict(case) for case in made["cases"])
        made["violations"] = tuple(Violation(**each) for each in made["violations"])
        made["limits"], made["usage"] = Limits(**made["limits"]), Usage(**made["usage"])
        return cls(**made)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON, as the schema describes it."""
        return {
            "report_version": self.report_version,
            "slug": self.slug,
            "verdict": str(self.verdict),
            "passed": self.passed,
            "total": self.total,
            "message": self.message,
            "violations": [asdict(violation) for violation in self.violations],
            "cases": [case.to_dict() for case in self.cases],
            "stdout": self.stdout,
            "stderr": self.stderr,
            "limits": self.limits.to_dict(),
            "usage": asdict(self.usage),
            "attempts": self.attempts,
            "static_check": self.static_check,
            "isolation": self.isolation,
            "versions": dict(self.versions),
            "digests": dict(self.digests),
        }


def overall_verdict(cases: tuple[CaseResult, ...]) -> Verdict:
    """The verdict of a submission whose cases were run.

    The first case that did not pass decides, but an act that the sandbox stopped outweighs
    any other failure. Without a single case nothing was proved.
    """
    failed = [case.verdict for case in cases if not case.passed]
    if not cases:
        return Verdict.INTERNAL_ERROR
    if not failed:
        return Verdict.ACCEPTED
    if Verdict.SECURITY_VIOLATION in failed:
        return Verdict.SECURITY_VIOLATION
    return failed[0]


def veil_hidden(cases: tuple[CaseResult, ...]) -> tuple[CaseResult, ...]:
    """Veil hidden cases, but leave the first failing one open if it is hidden."""
    first_failed = next((case.case_id for case in cases if not case.passed), None)
    return tuple(
        case.veiled() if case.hidden and case.case_id != first_failed else case for case in cases
    )
