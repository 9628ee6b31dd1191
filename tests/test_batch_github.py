"""GitHub: the worst as annotations, the rest in a summary that no name can break."""

from __future__ import annotations

import random
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from batch_records import (
    HOSTILE,
    case,
    class_of,
    hostile_record,
    hostile_records,
    one_of_each,
    record,
    report,
    wrong_case,
)
from markdown_it import MarkdownIt

from grader.batch import github
from grader.batch.records import Record


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[str] = []
        self.cells: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [name for name, _ in attrs]
        if tag == "tr":
            self.cells.append(0)
        elif tag in ("td", "th"):
            self.cells[-1] += 1


def rendered(markdown: str) -> _Tags:
    """What a renderer with tables, links and raw HTML makes of it."""
    tags = _Tags()
    made = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    tags.feed(made.render(markdown))
    return tags


# --- annotations ------------------------------------------------------------------------------


def test_an_annotation_stands_on_the_line_of_the_submission() -> None:
    """File, line and title as GitHub takes them."""
    assert github.annotations([record(0, "runtime_error")]) == [
        "::error file=w0/softmax.py,line=7,title=softmax%3A runtime error::"
        "case case 2: ZeroDivisionError: division by zero (line 7 in softmax)"
    ]


def test_a_violation_is_annotated_where_it_is() -> None:
    """The static check knows the line."""
    [line] = github.annotations([record(0, "forbidden")])
    assert line.startswith("::error file=w0/softmax.py,line=4,title=softmax%3A forbidden::line 4: ")


def test_without_a_file_the_title_names_the_submission() -> None:
    """Lines of JSON have none."""
    [line] = github.annotations([record(0, "wrong_answer", path=None, id="s-1")])
    assert line.startswith("::error title=s-1%2C softmax%3A wrong answer::case case 2: 3 of 4")
    assert line.endswith("output[1]%0AThe values match if transposed.")


def test_the_worst_come_first() -> None:
    """In the order the docstring gives."""
    shuffled = one_of_each()
    random.Random(5).shuffle(shuffled)
    found = [
        re.search(r"title=.*?%3A ([a-z ]+)::", line) for line in github.annotations(shuffled, 99)
    ]
    assert [one[1] for one in found if one] == [
        "security violation",
        "internal error",
        "unknown problem",
        "unreadable",
        "malformed",
        "duplicate id",
        "forbidden",
        "invalid submission",
        "runtime error",
        "memory limit exceeded",
        "time limit exceeded",
        "output limit exceeded",
        "wrong answer",
    ]


def test_among_equals_the_fewer_cases_passed_the_worse() -> None:
    """Then the place in the input, so that the choice is the same in every run."""
    half = report("a", [case(1), wrong_case(2)], "wrong_answer")
    none = report("a", [wrong_case(1), wrong_case(2)], "wrong_answer")
    held = [record(n, report=r, path=f"{n}") for n, r in enumerate((half, none, half, none))]
    files = [line.split(",")[0] for line in github.annotations(held)]
    assert files == ["::error file=1", "::error file=3", "::error file=0", "::error file=2"]


def test_there_are_at_most_ten() -> None:
    """GitHub drops the rest without a word."""
    assert len(github.annotations(record(n, "wrong_answer") for n in range(50))) == 10


def test_what_passed_is_not_annotated() -> None:
    """Silence is the good news."""
    assert github.annotations([record(0)]) == []


@pytest.mark.parametrize("kind", [0, 1, 2])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_text_makes_a_second_command_or_property(text: str, kind: int) -> None:
    """Everything is on one line, and only the three properties are there."""
    [line] = github.annotations([hostile_record(kind, text)])
    assert len(line.encode("utf-8").decode("utf-8").splitlines()) == 1
    command, properties, _ = re.split("::error |::", line, maxsplit=2)
    assert command == ""
    names = [one.partition("=")[0] for one in properties.split(",")]
    assert names in (["file", "title"], ["file", "line", "title"])


def test_percent_signs_are_escaped_first() -> None:
    """`%0A` in a message is not a line end."""
    [line] = github.annotations(
        [record(0, report=report("a", [], "invalid_submission", message="100%0A\nx"), path="a,b:c")]
    )
    assert line == ("::error file=a%2Cb%3Ac,title=softmax%3A invalid submission::100%250A%0Ax")


# --- summary ----------------------------------------------------------------------------------


def test_the_summary_has_totals_tables_and_first_failures() -> None:
    """As the issue asks."""
    text = github.step_summary([record(0), record(1, "wrong_answer"), record(2, "unreadable")])
    assert "**3 submissions**: 1 accepted · 1 wrong answer · 1 unreadable" in text
    assert "| problem | all | AC | WA | – | median | most failed case |" in text
    assert "| <code>softmax</code> | 3 | 1 | 1 | 1 | 8.2 ms | <code>case 2</code> (1) |" in text
    assert "| <code>w1</code> | 1 |  | 1 |  |" in text
    assert "### All 2 that did not pass" in text
    assert "- expected: <code>&#91;1&#46;0" in text


def test_hostile_text_makes_no_markup_and_ends_no_cell() -> None:
    """Rendered with raw HTML allowed, as GitHub renders it before it cleans."""
    tags = rendered(github.step_summary([*hostile_records(), *one_of_each()]))
    assert tags.tags == {
        *("h2", "h3", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "code"),
        *("details", "summary", "ul", "li"),
    }
    assert set(tags.attributes) <= {"style"}  # the alignment of a column
    assert len(set(tags.cells)) == 3  # as many as there are tables


def test_the_summary_is_bounded_by_rows() -> None:
    """A table of ten thousand helps nobody."""
    text = github.step_summary(class_of(300, 5))
    assert "… 200 people more" in text
    assert "### The first 50 of" in text
    assert len(text.encode()) < 100_000


def test_the_summary_stays_under_one_mebibyte_at_its_worst() -> None:
    """Long names of nothing but punctuation, each with problem, person and case of its own."""
    long = "&" * 3_000
    held = (
        record(
            n,
            report=report(
                "a", [wrong_case(1, case_name=f"{n}{long}", message=long)], "wrong_answer"
            ),
            slug=f"{n}{long}",
            who=f"{n}{long}",
            id=f"{n}{long}",
        )
        for n in range(300)
    )
    assert len(github.step_summary(held).encode("utf-8")) < github.MAX_SUMMARY_BYTES


def test_appending_keeps_what_other_steps_wrote(tmp_path: Path) -> None:
    """The file belongs to the step."""
    path = tmp_path / "summary.md"
    path.write_text("before\n", "utf-8")
    github.append_step_summary("## Batch ü\n", path)
    assert path.read_text("utf-8") == "before\n## Batch ü\n"


@pytest.mark.parametrize("held", [0, 500_000, 1_048_000, 1_048_576, 2_000_000])
def test_appending_never_takes_the_file_over_the_limit(tmp_path: Path, held: int) -> None:
    """Over it GitHub shows nothing, of the other steps' text neither."""
    path = tmp_path / "summary.md"
    path.write_bytes(b"x" * held)
    github.append_step_summary("ü line\n" * 150_000, path)
    size = path.stat().st_size
    assert size <= max(held, github.MAX_SUMMARY_BYTES)
    path.read_text("utf-8")
    assert held >= 1_048_000 or path.read_text("utf-8").endswith("may have 1 MiB.\n")


def test_an_empty_batch_has_a_summary() -> None:
    """It says that there was nothing."""
    assert github.step_summary([]) == "## Batch\n\n**0 submissions**\n"


def test_a_record_without_report_and_fault_is_told() -> None:
    """It should not be; it must not break the report either."""
    assert "neither a report nor a fault" in github.step_summary([Record(0, "a", "b")]).replace(
        "&#46;", "."
    )
