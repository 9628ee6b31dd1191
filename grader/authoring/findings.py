"""What the gate finds wrong with a problem, and what it measured."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Check(StrEnum):
    """Names of the gate's checks; each finding is of one."""

    FORM = "form"  # the file: schema, code, layout
    RUN = "run"  # reference and cases do not run, or declared and executed cases differ
    REFERENCE = "reference"  # the reference does not pass as a submission
    STARTER = "starter"  # the starter passes cases
    LAZY = "lazy"  # zeros, an argument handed back, or one constant would be accepted
    ACCEPTED = "accepted"  # right solutions: too few, or refused
    WRONG = "wrong"  # wrong solutions: too few, accepted, or with another verdict
    MUTANTS = "mutants"  # the cases let mutants of the reference live
    EQUIVALENT = "equivalent"  # the list of equivalent mutants does not hold
    TOLERANCE = "tolerance"  # too loose or too tight
    COST = "cost"  # limits too near to what the reference needs
    CASES = "cases"  # too few, too many, none drawn, idle ones
    EXAMPLES = "examples"  # statement examples are not what the reference prints
    TRANSLATION = "translation"  # incomplete, or with other examples
    MATH = "math"  # formulas that cannot be shown


class Level(StrEnum):
    """How much a finding weighs; only an error fails the gate."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class GateFinding:
    """One finding.

    Attributes:
        where: file, field, case or solution it is about.
        message: what is wrong and what to do about it.
    """

    check: Check
    level: Level
    where: str
    message: str


@dataclass
class Inspection:
    """What the gate found out about one problem.

    Attributes:
        declared: how many cases are declared; `drawn` likewise.
        mutants: how many mutants were tried, those listed as equivalent left out.
        killed: how many of them some case told from the reference.
        suggestions: cases, as JSON objects, that kill survivors.
        cached: whether all this was found out in an earlier run.
    """

    slug: str
    declared: int = 0
    drawn: int = 0
    mutants: int = 0
    killed: int = 0
    equivalent: int = 0
    accepted: int = 0
    wrong: int = 0
    findings: list[GateFinding] = field(default_factory=list)
    suggestions: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    cached: bool = False

    @property
    def score(self) -> float | None:
        """Share of the mutants that were killed; None where there are none."""
        return self.killed / self.mutants if self.mutants else None

    @property
    def passes(self) -> bool:
        """Whether the gate opens."""
        return not any(finding.level is Level.ERROR for finding in self.findings)

    def error(self, check: Check, where: str, message: str) -> None:
        """Note what fails the gate."""
        self.findings.append(GateFinding(check, Level.ERROR, where, message))

    def warn(self, check: Check, where: str, message: str) -> None:
        """Note what an author should look at."""
        self.findings.append(GateFinding(check, Level.WARNING, where, message))

    def to_dict(self) -> dict[str, Any]:
        """Return the inspection as JSON."""
        score = None if self.score is None else round(self.score, 4)
        return {**asdict(self), "score": score, "passes": self.passes}

    @staticmethod
    def from_dict(raw: dict[str, Any]) -> Inspection:
        """Read what `to_dict` wrote."""
        known = {key: value for key, value in raw.items() if key not in ("score", "passes")}
        known["findings"] = [
            GateFinding(Check(f["check"]), Level(f["level"]), f["where"], f["message"])
            for f in raw["findings"]
        ]
        return Inspection(**known)
