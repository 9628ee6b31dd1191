"""Each problem's reference is the one people edit; right variants pass, typical mistakes fail."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from grader import Grader, load_problem
from grader.spec import list_problems

ROOT = Path(__file__).parent.parent / "reference"


def _folder(slug: str) -> Path:
    return ROOT / slug.replace("-", "_")


SLUGS = [path.stem for path in list_problems()]
ACCEPTED = [(slug, path) for slug in SLUGS for path in sorted(_folder(slug).glob("accepted/*.py"))]
WRONG = [(slug, path) for slug in SLUGS for path in sorted(_folder(slug).glob("wrong/*.py"))]


def _id(value: object) -> str:
    return value.stem if isinstance(value, Path) else str(value)


@pytest.mark.parametrize("slug", SLUGS)
def test_solution_is_the_twin_of_reference_code(slug: str) -> None:
    """A fact has one home; where a copy must exist, both are equal."""
    text = (_folder(slug) / "solution.py").read_text("utf-8")
    assert text == load_problem(slug).reference_code


@pytest.mark.parametrize("slug", SLUGS)
def test_problem_has_right_and_wrong_solutions(slug: str) -> None:
    """Without a wrong one that fails, a problem is untested."""
    assert len([path for of, path in ACCEPTED if of == slug]) >= 2
    assert len([path for of, path in WRONG if of == slug]) >= 5


@pytest.mark.parametrize(("slug", "path"), ACCEPTED, ids=_id)
def test_right_solution_is_accepted(slug: str, path: Path, grader: Grader) -> None:
    """Another way to the same values."""
    report = grader.grade(load_problem(slug), path.read_bytes())
    assert report.verdict == "accepted", report.cases


@pytest.mark.parametrize(("slug", "path"), WRONG, ids=_id)
def test_wrong_solution_gets_the_verdict_it_names(slug: str, path: Path, grader: Grader) -> None:
    """Its docstring names trap and verdict."""
    doc = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    named = re.search(r"^Verdict: (\w+)\.$", doc, re.MULTILINE)
    assert doc.startswith("Trap: ")
    assert named is not None
    assert grader.grade(load_problem(slug), path.read_bytes()).verdict == named[1]
