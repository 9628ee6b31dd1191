"""The problems a batch may name: those of the bundle, or of a folder, each read once."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from grader.errors import Finding, SpecError
from grader.spec import Problem, list_problems, load_problem


class ProblemShelf:
    """Problems by slug.

    Args:
        folder: of JSON files; the bundle where it is None.

    Raises:
        SpecError: a file is faulty. Found out before the first submission is judged.
    """

    def __init__(self, folder: Path | None = None) -> None:
        files = list_problems() if folder is None else sorted(folder.glob("*.json"))
        findings: list[Finding] = []
        self._problems: dict[str, Problem] = {}
        for file in files:
            try:
                problem = load_problem(file)
            except SpecError as error:
                findings += error.findings
            else:
                self._problems[problem.slug] = problem
        if findings:
            raise SpecError(findings)

    def find(self, slug: str) -> Problem | None:
        """Return the problem of a slug, None for an unknown one."""
        return self._problems.get(slug)

    @property
    def digest(self) -> str:
        """SHA-256 of all of them: a batch that goes on must judge by the same."""
        text = "".join(problem.digest for _, problem in sorted(self._problems.items()))
        return sha256(text.encode()).hexdigest()
