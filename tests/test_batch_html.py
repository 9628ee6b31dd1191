"""The page: complete, self-contained, and dead to whatever a submission wrote."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import replace
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

from grader.batch import html_matrix, html_page
from grader.batch.html_page import write_html
from grader.batch.records import Record

CHROMIUM = shutil.which("chromium")


class Page(HTMLParser):
    """Elements, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, tag: str, kind: str = "") -> list[dict[str, str]]:
        """Attributes of the elements of a tag, and a class."""
        return [
            attributes
            for name, attributes in self.tags
            if name == tag and (not kind or kind in attributes.get("class", "").split())
        ]

    @property
    def said(self) -> str:
        """All text, with single spaces."""
        return " ".join(" ".join(self.words).split())


@pytest.fixture
def page(tmp_path: Path) -> PageMaker:
    """Writes the page of some records and reads it."""
    return PageMaker(tmp_path / "batch.html")


class PageMaker:
    """Makes pages at one path."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self, records: Iterable[Record]) -> Page:
        write_html(records, self.path)
        return Page(self.path.read_text("utf-8"))


# --- what it shows ----------------------------------------------------------------------------


def test_totals_count_every_verdict_in_words_and_letters(page: PageMaker) -> None:
    """Colour alone tells nobody everything."""
    said = page(one_of_each()).said
    assert "14 submissions , 7 % accepted" in said
    for words in ("1 accepted AC", "1 time limit exceeded TLE", "1 security violation SV"):
        assert words in said
    assert "1 duplicate id" in said


def test_the_matrix_has_a_cell_for_each_who_and_problem(page: PageMaker) -> None:
    """With the letters of the best, and how many there are."""
    held = [
        record(0, "wrong_answer", "a", who="x"),
        record(1, "accepted", "a", who="x"),
        record(2, "runtime_error", "a", who="x"),
        record(3, "time_limit_exceeded", "b", who="y"),
    ]
    made = page(held)
    cells = [(one["data-v"], one["href"]) for one in made.all("a", "cell")]
    assert cells == [("accepted", "#s1"), ("time_limit_exceeded", "#s3")]
    assert "2 people by 2 problems" in made.said
    assert "x AC 3 · nothing sent 1 /2 y · nothing sent TLE 0 /2" in made.said
    assert "Accepted 1 of 1 0 of 1" in made.said


def test_among_failing_ones_the_best_is_the_one_that_passed_most(page: PageMaker) -> None:
    """And a judged one is better than one that was not."""
    half = report("a", [case(1), wrong_case(2)], "wrong_answer")
    none = report("a", [wrong_case(1), wrong_case(2)], "wrong_answer")
    held = [
        record(0, "internal_error", "a", who="x"),
        record(1, report=none, slug="a", who="x"),
        record(2, report=half, slug="a", who="x"),
        record(3, report=half, slug="a", who="x"),
    ]
    assert [one["href"] for one in page(held).all("a", "cell")] == ["#s2"]


def test_every_link_leads_to_a_place_on_the_page(page: PageMaker) -> None:
    """The drill-down from cell to case."""
    made = page([*class_of(10, 4), *(replace(r, position=r.position + 99) for r in one_of_each())])
    ids = [attributes["id"] for _, attributes in made.tags if "id" in attributes]
    links = {one["href"][1:] for one in made.all("a") if "href" in one}
    assert links <= set(ids)
    assert len(ids) == len(set(ids))


def test_a_failing_submission_shows_the_case_with_both_values(page: PageMaker) -> None:
    """Message, hint, place, values, input and what was printed."""
    said = page([record(0, "wrong_answer")]).said
    assert (
        "case 2 3 of 4 elements differ; 0.5 where 0.25 was expected at output[1] "
        "Hint. The values match if transposed. "
        "First difference at output[1] . Largest difference 0.25 . "
        "Actual tensor, float32, shape (4) [1.0, 0.5, 0.5, 0.5] "
        "Expected tensor, float32, shape (4) [1.0, 0.25, 0.75, 0.25] "
        "Input x torch.tensor([1.0, 2.0, 3.0, 4.0]) dim 0 Printed debug"
    ) in said


def test_what_links_open_is_inside_the_details(page: PageMaker) -> None:
    """Then a browser opens them without script."""
    made = page([record(0, "wrong_answer")]).text
    assert re.search(
        r'<details class="sub"[^>]*><summary>.*?</summary><div class="in" id="s0">', made
    )


def test_submissions_of_nobody_make_a_list_without_a_matrix(page: PageMaker) -> None:
    """Samples of a model have no names, but ids."""
    made = page([replace(record(0, "wrong_answer"), who=None, id="sample-7")])
    assert not made.all("table", "grid")
    assert "sample-7" in made.said


def test_a_misspelt_problem_makes_no_column(page: PageMaker) -> None:
    """It is listed, and said so above the matrix."""
    said = page([record(0, slug="a"), record(1, "unknown_problem", slug="b")]).said
    assert "1 person by 1 problem" in said
    assert "Listed below: 1 submission to problems of which none was judged." in said


def test_missing_isolation_is_said_loudly(page: PageMaker) -> None:
    """Such verdicts are not to be relied upon."""
    made = report("a", [case(1)], "accepted", isolation="none")
    assert "Judged without isolation: 1 submission." in page([record(0, report=made)]).said


def test_an_empty_batch_is_a_page(page: PageMaker) -> None:
    """It says that there is nothing."""
    assert "0 submissions" in page([]).said


# --- bounds -----------------------------------------------------------------------------------


def test_over_the_bound_failing_ones_are_kept_and_the_rest_counted(
    page: PageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Totals and matrix still count all."""
    monkeypatch.setattr(html_page, "MAX_SUBMISSIONS", 5)
    held = [record(n, "accepted" if n < 6 else "wrong_answer", who="x") for n in range(9)]
    made = page(held)
    assert len(made.all("details", "sub")) == 3
    assert len(made.all("div", "sub")) == 2
    assert "Left out of this list are 4 of 9 submissions" in made.said
    assert "9 submissions , 67 % accepted" in made.said


def test_failing_ones_over_the_bound_leave_no_room_for_others(
    page: PageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of them in the input are kept."""
    monkeypatch.setattr(html_page, "MAX_SUBMISSIONS", 2)
    held = [record(0), *(record(n, "wrong_answer") for n in range(1, 5))]
    made = page(held)
    assert [a["id"] for t, a in made.tags if a.get("id", "").startswith("s") and t == "div"] == [
        "s1",
        "s2",
    ]
    assert not made.all("div", "sub")


def test_values_are_left_out_beyond_their_bound(
    page: PageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message stays."""
    monkeypatch.setattr(html_page, "MAX_DETAILED", 1)
    said = page([record(0, "wrong_answer"), record(1, "wrong_answer")]).said
    assert said.count("Expected tensor") == 1
    assert said.count("Values are left out here") == 1
    assert "The first 1 failing ones are shown with their values" in said


def test_a_matrix_that_is_too_large_shows_who_fails_most(
    page: PageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And says whom it left out."""
    monkeypatch.setattr(html_matrix, "MAX_SHOWN_CELLS", 2)
    held = [record(n, "wrong_answer" if n in (1, 3) else "accepted") for n in range(5)]
    made = page(held)
    assert [one["href"] for one in made.all("a", "cell")] == ["#s1", "#s3"]
    assert "Shown are the 2 people with most problems not accepted, of 5." in made.said


def test_cells_beyond_what_is_kept_are_counted(
    page: PageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory is bounded whatever is sent."""
    monkeypatch.setattr(html_matrix, "MAX_KEPT_CELLS", 2)
    assert (
        "It is full: 3 submissions could not be put in." in page([record(n) for n in range(5)]).said
    )


def test_long_texts_are_clipped(page: PageMaker) -> None:
    """One submission's megabyte is not everybody's page."""
    before = len(page([record(0, "wrong_answer")]).text)
    after = len(page([hostile_record(1, "&" * 1_000_000)]).text)
    assert after - before < 60_000


# --- safety -----------------------------------------------------------------------------------

TAGS = {
    *("html", "head", "meta", "title", "style", "script", "body", "main", "header", "section"),
    *("h1", "h2", "h3", "h4", "p", "b", "a", "ul", "li", "span", "small", "div", "code", "pre"),
    *("table", "thead", "tbody", "tfoot", "tr", "th", "td", "details", "summary", "bdi"),
    *("form", "label", "input", "select", "option"),
    *("svg", "symbol", "use", "path", "rect", "circle", "g"),
}


@pytest.mark.parametrize("kind", [0, 1, 2])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_text_becomes_markup(page: PageMaker, text: str, kind: int) -> None:
    """Neither element, nor attribute, nor a character that acts."""
    made = page([hostile_record(kind, text)])
    assert {tag for tag, _ in made.tags} <= TAGS
    names = {name for _, attributes in made.tags for name in attributes}
    assert not [name for name in names if name.startswith("on") or name == "style"]
    assert (len(made.all("script")), len(made.all("style"))) == (1, 1)
    assert not set(made.text) & set("\x00\x1b\x07\x08\x9b\r\u202e\u2066\u2028\ufffe\uffff")


def test_nothing_is_loaded_from_anywhere(page: PageMaker) -> None:
    """It is sent by mail and opened without a network."""
    made = page([*one_of_each(), *hostile_records()])
    targets = [
        value
        for _, attributes in made.tags
        for name, value in attributes.items()
        if name in ("href", "src", "action", "data", "poster", "srcset")
    ]
    assert all(re.fullmatch(r"#[a-z0-9-]+", value) for value in targets)
    assert not re.search(r"url\(|@import", made.text[: made.text.index("</style>")])


def test_the_policy_allows_the_one_style_and_the_one_script(page: PageMaker) -> None:
    """By digest, so anything else stays dead even if it got in."""
    made = page([record(0)])
    [policy] = [m["content"] for m in made.all("meta") if "http-equiv" in m]
    digests = {}
    for tag in ("style", "script"):
        [text] = re.findall(rf"<{tag}>(.*?)</{tag}>", made.text, re.DOTALL)
        digests[tag] = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests['style']}'; "
        f"script-src 'sha256-{digests['script']}'; base-uri 'none'; form-action 'none'"
    )


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (Debian: apt-get install chromium)")
def test_in_a_browser_our_script_runs_and_no_other(page: PageMaker, tmp_path: Path) -> None:
    """The digests are right, and the markup of a submission made no element."""
    assert CHROMIUM is not None
    page([*one_of_each(), *hostile_records()])
    options = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'c'}")
    done = subprocess.run(
        [CHROMIUM, *options, "--dump-dom", page.path.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    seen = Page(done.stdout)
    [form] = seen.all("form")
    assert "hidden" not in form  # the script has run
    assert {tag for tag, _ in seen.tags} <= TAGS
