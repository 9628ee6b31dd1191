"""What the API takes and gives."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Status = Literal["solved", "tried", "untouched"]


class Fault(BaseModel):
    """Why there is no answer."""

    error: str


class Summary(BaseModel):
    """A problem in a list."""

    slug: str
    title: str
    difficulty: str
    category: str
    tags: list[str]
    languages: list[str]
    status: Status


class ShownCase(BaseModel):
    """A case that everybody may see: its inputs as Python expressions."""

    name: str
    inputs: dict[str, str]


class ProblemText(Summary):
    """A problem as its page shows it."""

    language: str = Field(description="Of title, statement and hints.")
    statement: str = Field(description="Markdown with formulas between dollar signs.")
    entry_point: str
    starter_code: str
    cases: int = Field(description="How many are judged.")
    shown_cases: list[ShownCase]
    time_limit_s: float
    memory_limit_mb: int
    atol: float
    rtol: float
    forbidden_modules: list[str]
    forbidden_calls: list[str]
    forbidden_apis: list[str]
    hints: list[str] = Field(description="Those that were asked for on the page.")


class Sent(BaseModel):
    """A submission to be judged."""

    model_config = ConfigDict(extra="forbid")

    source: str
    kind: Literal["submit", "run"] = "submit"
    input: dict[str, str] | None = Field(
        None, description="For a run: an input of one's own, expressions by parameter."
    )


class Accepted(BaseModel):
    """A submission is in the queue."""

    id: str
    state: str
    url: str = Field(description="Of the submission.")
    events: str = Field(description="Of its events, as they happen.")
    page: str = Field(description="For people.")


class Brief(BaseModel):
    """A submission in a list."""

    id: str
    slug: str
    kind: str
    state: Literal["queued", "running", "done"]
    created: datetime
    finished: datetime | None
    verdict: str | None
    passed: int | None
    total: int | None
    cpu_ms: float | None


class Whole(Brief):
    """A submission with its report."""

    waiting_before: int = Field(description="How many are judged before it, while it waits.")
    report: dict[str, Any] | None = Field(
        description="As schemas/report.schema.json describes it, hidden cases veiled."
    )


class Page(BaseModel):
    """Submissions, the newest first."""

    submissions: list[Brief]
    next: str | None = Field(description="Address of the older ones.")


class Me(BaseModel):
    """Who asks."""

    login: str
    name: str
    role: str
    solved: int
    tried: int
