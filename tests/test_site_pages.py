"""Pages of the practice site: whole without script, harmless with any text, in three languages."""

from __future__ import annotations

import gzip
import re
import shutil
import string
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("jinja2")

import people_pages as people
from batch_records import HOSTILE, VERDICTS, case, cases_of, hostile_record, report, wrong_case

from grader.site import pages
from grader.site.alignment import align
from grader.site.markup import code_lines, prose
from grader.site.pages import Filters, Glance, ListRow, Look
from grader.site.statics import FILES, static_file, static_url
from grader.site.visitors import Visitor
from grader.site.wording import WORDS, word
from grader.spec import Problem, load_problem

ROOT = Path(__file__).parents[1]
SITE = ROOT / "grader" / "site"
NOW = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
SLUGS = ("accuracy-paradox", "balanced-accuracy-macro-recall", "mini-metric-base")
LANGUAGES = ("en", "zh", "vi")
ID = "0123456789abcdef0123456789abcdef"

# What the server answers.
GET = (
    *("/", "/history", "/progress", "/random", "/export"),
    *("/problems/{x}", "/problems/{x}/history", "/problems/{x}/give-up", "/problems/{x}/editorial"),
    *("/submissions/{x}", "/submissions/{x}/diff", "/submissions/{x}/events", "/static/{x}"),
    *("/sign-in", "/sign-up", "/account", "/account/delete", "/oauth/{x}", "/notices"),
    *("/admin", "/admin/problems", "/classes", "/classes/{x}", "/classes/{x}/table.csv"),
    *("/classes/{x}/assignments/{x}", "/classes/{x}/delete"),
)
POST = (
    *("/theme", "/problems/{x}/run", "/problems/{x}/submit", "/problems/{x}/hint"),
    *("/problems/{x}/note", "/problems/{x}/give-up", "/problems/{x}/reset", "/notices"),
    *("/sign-in", "/sign-up", "/sign-out", "/password/{x}", "/account/{x}", "/account/{x}/{x}"),
    *("/admin/{x}", "/classes", "/classes/join", "/classes/{x}/{x}"),
    *("/classes/{x}/assignments/{x}", "/classes/{x}/assignments/{x}/delete"),
)
VOID = frozenset(["br", "hr", "img", "input", "link", "meta", "source", "wbr"])


@dataclass(frozen=True)
class Sent:
    """A submission as the store gives it."""

    id: str
    slug: str
    kind: str
    source: str
    custom_input: str | None
    created: datetime
    state: str
    verdict: str | None = None
    passed: int | None = None
    total: int | None = None
    cpu_ms: float | None = None
    report: dict[str, Any] | None = None
    finished: datetime | None = None


def look(language: str = "en", path: str = "/", theme: str | None = None) -> Look:
    return Look(language, theme, path)


@cache
def problem(slug: str = SLUGS[0]) -> Problem:
    return load_problem(slug)


def waiting(slug: str = SLUGS[0], **changed: Any) -> Sent:
    return replace(
        Sent(ID, slug, "submit", "import torch\n\ndef f(x):\n    return x\n", None, NOW, "queued"),
        **changed,
    )


def done(made: dict[str, Any], **changed: Any) -> Sent:
    return waiting(
        state="done",
        verdict=made["verdict"],
        passed=made["passed"],
        total=made["total"],
        cpu_ms=made["usage"]["cpu_ms"],
        report=made,
        finished=NOW,
        **changed,
    )


def of_verdict(verdict: str, slug: str = SLUGS[0]) -> Sent:
    said: dict[str, Any] = {}
    if verdict == "forbidden":
        said["violations"] = [{"rule": "call", "line": 4, "column": 9, "message": "sorted() no"}]
    elif verdict in ("invalid_submission", "internal_error"):
        said["message"] = "line 5, column 7: invalid syntax"
    return done(report(slug, cases_of(verdict), verdict, **said), slug=slug)


def rows(language: str) -> list[ListRow]:
    states = ("solved", "tried", "untouched")
    made = []
    for slug, status in zip(SLUGS, states, strict=True):
        one = problem(slug)
        own = one.translations.get(language, {})
        made.append(
            ListRow(
                slug,
                own.get("title", one.title),
                one.difficulty,
                one.category,
                one.tags,
                one.is_featured,
                status,
                (one.language, *one.translations),
            )
        )
    return made


def glance() -> Glance:
    days = {NOW.date() - timedelta(days=n): n % 7 for n in range(180)}
    return Glance(1, 1, 3, 2, days, SLUGS[1], SLUGS[2], NOW.date())


@cache
def all_pages(language: str) -> dict[str, str]:
    """Every page in one language, each in a shape that shows most of it."""
    made: dict[str, str] = {}
    here = look(language)
    made["list"] = pages.list_page(here, rows(language), Filters(sort="difficulty"), glance())
    made["list empty"] = pages.list_page(
        look(language, "/?q=x&lang=en"),
        [],
        Filters("x", "Hard", "ML", "t", "tried", "vi"),
        glance(),
    )
    for slug in SLUGS:
        one, attempts = problem(slug), [of_verdict("wrong_answer", slug), waiting(slug)]
        for shown, may, gave in ((0, False, False), (2, True, True), (9, True, False)):
            made[f"problem {slug} {shown}"] = pages.problem_page(
                here, one, one.starter_code, shown, attempts if shown else [], "a note", may, gave
            )
        made[f"editorial {slug}"] = pages.editorial_page(here, one)
    one = problem()
    part = pages.result_part(here, one, of_verdict("wrong_answer"), 0)
    made["problem with result"] = pages.problem_page(
        here, one, "x = 1", 1, [], "", False, False, part, complaint="line 1: no Python"
    )
    for verdict in VERDICTS:
        made[verdict] = pages.result_page(
            here, one, of_verdict(verdict), 0, [1.0, 8.25, 9.0, 70.0], SLUGS[1]
        )
    fault = {**report("", [], "internal_error", message="gone"), "limits": {}, "versions": {}}
    made["fault of the site"] = pages.result_page(here, one, done(fault), 0)
    made["queued"] = pages.result_page(here, one, waiting(), 3)
    made["running"] = pages.result_page(here, one, waiting(state="running"), 0)
    run = waiting(kind="run", custom_input="y = [1]")
    made["own input"] = pages.result_page(here, one, run, 0)
    made["run done"] = pages.result_page(here, one, replace(of_verdict("accepted"), kind="run"), 0)
    many = [waiting(created=NOW - timedelta(hours=n)) for n in range(50)]
    made["history"] = pages.history_page(here, None, many, None)
    made["history of one"] = pages.history_page(here, SLUGS[0], many[:2], ID)
    made["history empty"] = pages.history_page(here, None, [], None)
    newer = waiting(source="import torch\n\ndef g(x):\n    return x\n")
    made["diff"] = pages.diff_page(here, one, waiting(), newer)
    made["diff from starter"] = pages.diff_page(here, one, None, newer)
    made["diff same"] = pages.diff_page(here, one, waiting(), waiting())
    made["diff long"] = pages.diff_page(here, one, waiting(source="x\n" * 9_000), newer)
    made["give up"] = pages.give_up_page(here, one)
    made["error"] = pages.error_page(here, 404, "There is no problem <x>.")
    made["progress"] = pages.progress_page(here, rows(language), glance(), glance().days)
    nobody = people.look(language, Visitor(), f"/problems/{one.slug}")
    made["problem for nobody"] = pages.problem_page(
        nobody, one, one.starter_code, 0, [], "", False, False
    )
    return made | people.people_pages(language, SLUGS)


NAMES = sorted(all_pages("en"))


class Strict(HTMLParser):
    """Reads a page and refuses what a browser would have to mend."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        self.tags.append((tag, dict(attrs)))
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def parsed(text: str) -> Strict:
    made = Strict()
    made.feed(text)
    made.close()
    assert not made.open
    return made


def _route(path: str, routes: tuple[str, ...]) -> bool:
    return any(re.fullmatch(one.replace("{x}", r"[^/]+"), path) for one in routes)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_well_formed_and_carries_nothing_inline(name: str, language: str) -> None:
    """The content policy lets no inline style or script through: such a page would be broken."""
    made = parsed(all_pages(language)[name])
    assert len(made.ids) == len(set(made.ids))
    for tag, attributes in made.tags:
        assert tag not in ("style", "iframe", "object", "base")
        assert not [key for key in attributes if key == "style" or key.startswith("on")], tag
        if tag == "script":
            assert attributes.get("src", "").startswith("/static/")
    assert made.tags[0][1]["lang"] == {"en": "en", "zh": "zh-Hans", "vi": "vi"}[language]


@pytest.mark.parametrize("name", NAMES)
def test_every_link_and_form_leads_somewhere(name: str) -> None:
    """A dead link on a page nobody clicked in a test is found by a learner."""
    made = parsed(all_pages("en")[name])
    for tag, attributes in made.tags:
        for key in ("href", "src", "action", "formaction", "data-code", "data-stream"):
            target = attributes.get(key)
            if target is None or tag == "use" or urlsplit(target).scheme in ("http", "https"):
                continue
            parts = urlsplit(target)
            if target.startswith("#"):
                assert parts.fragment in made.ids, target
                continue
            posts = key == "formaction" or (tag == "form" and attributes["method"] == "post")
            assert _route(parts.path, POST if posts else GET), (tag, target)
            if parts.path.startswith("/static/"):
                assert target == static_url(parts.path.removeprefix("/static/"))
    icons = {attributes["href"] for tag, attributes in made.tags if tag == "use"}
    assert {str(icon).removeprefix("#") for icon in icons} <= set(made.ids)


@pytest.mark.parametrize("name", NAMES)
def test_every_control_has_a_name_and_the_page_its_landmarks(name: str) -> None:
    """Who hears a page must know what a field is for, and get past the header."""
    made = parsed(all_pages("vi")[name])
    tags = [tag for tag, _ in made.tags]
    assert tags.count("main") == tags.count("h1") == 1
    labelled = {attributes.get("for") for tag, attributes in made.tags if tag == "label"}
    for tag, attributes in made.tags:
        if tag not in ("input", "select", "textarea") or attributes.get("type") in (
            *("radio", "checkbox", "hidden"),
        ):
            continue
        hidden = "hidden" in attributes
        assert hidden or attributes.get("aria-label") or attributes.get("id") in labelled, (
            attributes
        )


def test_a_browser_would_mend_nothing() -> None:
    """html5lib knows the rules of nesting that tags alone do not show."""
    html5lib = pytest.importorskip("html5lib")
    for language in LANGUAGES:
        for name, text in all_pages(language).items():
            parser = html5lib.HTMLParser(strict=False)
            parser.parse(text)
            # It predates elements that are fine now; all else counts.
            assert not [error for error in parser.errors if "unexpected-" in error[1]], name
            assert not parser.errors, (name, parser.errors[:3])


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_are_light(language: str) -> None:
    """200 KB on the wire is what a slow line takes; a page has a tenth of that."""
    for name, text in all_pages(language).items():
        assert len(gzip.compress(text.encode("utf-8"))) < 20_000, name
    loaded = [FILES[name].read_bytes() for name in ("tokens.css", "site.css", "app.js")]
    assert sum(len(gzip.compress(data)) for data in loaded) < 25_000
    editor = FILES["editor.js"].read_bytes()
    assert len(gzip.compress(editor)) < 160_000


def test_a_large_submission_does_not_make_a_large_page() -> None:
    """A source may have 256 KiB and a report some MB of captured text."""
    cases = [wrong_case(n, stdout="x y\n" * 1_000, stderr="z" * 4_000) for n in range(1, 60)]
    sent = replace(done(report(SLUGS[0], cases, "wrong_answer")), source="x = [1, 2]\n" * 24_000)
    text = pages.result_page(look(), problem(), sent, 0)
    assert len(gzip.compress(text.encode("utf-8"))) < 200_000
    assert word("clipped", "en") in text


def _hostile_pages(text: str) -> Iterator[str]:
    record = hostile_record(1, text)
    assert record.report is not None
    forbidden = hostile_record(2, text).report
    assert forbidden is not None
    sent = done(record.report, source=text, custom_input=text)
    here = look("en", f"/problems/{SLUGS[0]}")
    yield pages.result_page(here, problem(), sent, 0)
    yield pages.result_page(here, problem(), done(forbidden, source=text), 0)
    yield pages.result_page(here, problem(), replace(sent, kind="run"), 0)
    part = pages.result_part(here, problem(), sent, 0)
    yield pages.problem_page(here, problem(), text, 1, [sent], text, True, True, part, text)
    yield pages.diff_page(here, problem(), sent, waiting(source=text[::-1]))
    row = ListRow(SLUGS[0], text, "Easy", text, (text,), True, "tried", ("en",))
    yield pages.list_page(here, [row], Filters(*[text] * 7), glance())
    yield pages.list_page(here, [], Filters(*[text] * 7), glance())
    yield pages.error_page(here, 400, text)
    yield pages.history_page(here, None, [sent], None, {SLUGS[0]: text})
    made = replace(problem(), title=text, description_md=text, hints=(text,), editorial_md=text)
    yield pages.problem_page(here, made, text, 1, [], "", True, False)
    yield pages.editorial_page(here, made)
    yield pages.progress_page(here, [row], glance(), {date(2026, 1, 1): 1})


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_shown_and_does_nothing(text: str) -> None:
    """Every one of these comes from somebody who would like the page to be theirs."""
    for made in _hostile_pages(text):
        made.encode("utf-8")
        read = parsed(made)
        for tag, attributes in read.tags:
            assert tag not in ("img", "iframe", "object")
            assert not [key for key in attributes if key.startswith("on") or key == "style"]
            assert not str(attributes.get("href", "")).lower().startswith("javascript:")
        assert "\x1b" not in made
        assert "\x00" not in made
        assert sum(tag == "script" for tag, _ in read.tags) == 1


def test_bidi_marks_of_a_submission_are_written_out() -> None:
    """A turned line can show a verdict that is not there."""
    made = pages.case_row(look(), case(1, message="a\u202eb", case_name="c\u202ed"))
    assert "\u202e" not in made


def test_markup_of_a_learner_in_a_note_stays_text() -> None:
    """A note is Markdown in an export, but no page renders it."""
    made = pages.problem_page(look(), problem(), "", 0, [], "<b>x</b></textarea>", False, False)
    assert "&lt;b&gt;x&lt;/b&gt;&lt;/textarea&gt;" in made


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_statement_is_in_the_language_of_the_page(language: str) -> None:
    """A learner who chose a language chose it for the task, too."""
    for slug in SLUGS:
        one = problem(slug)
        title = one.title if language == one.language else one.translations[language]["title"]
        made = all_pages(language)[f"problem {slug} 0"]
        assert title in "".join(parsed(made).text)
        assert word("written_in", language) not in made


def test_a_missing_translation_falls_back_and_says_so() -> None:
    """An empty page would be worse than a foreign one, and a reader is told by `lang`."""
    one = replace(problem(), translations={})
    made = pages.problem_page(look("vi"), one, "", 0, [], "", False, False)
    assert word("written_in", "vi") in made
    assert '<div class="prose" lang="en">' in made


def test_hints_come_one_at_a_time() -> None:
    """A hint in the source of the page is no secret; it must not be sent."""
    one = problem()
    made = pages.problem_page(look(), one, "", 1, [], "", False, False)
    text = "".join(parsed(made).text)
    first, second = ("".join(parsed(prose(hint)).text).strip() for hint in one.hints[:2])
    assert first in text
    assert second not in text
    assert f'action="/problems/{one.slug}/hint"' in made


def test_a_page_holds_no_reference_before_it_may() -> None:
    """The page of a problem is what everybody may see."""
    for slug in SLUGS:
        one = problem(slug)
        line = max(one.reference_code.splitlines(), key=len)
        hidden = [v for c in one.cases if c.hidden for v in c.raw_inputs.values() if len(v) > 30]
        text = "".join(parsed(all_pages("en")[f"problem {slug} 9"]).text)
        assert line not in text
        assert not [value for value in hidden if value in text]


def test_the_editor_field_holds_the_code_letter_for_letter() -> None:
    """A browser eats the first line end of a field, and every letter counts."""
    code = "\n\n# é & <tag> \U0001f600\n\tx = '\"'\n"
    made = pages.problem_page(look(), problem(), code, 0, [], "", False, False)
    area = made.partition('data-phrases="')[2].partition(">\n")[2].partition("</textarea>")[0]
    assert "".join(parsed(area).text) == code


def test_a_waiting_result_refreshes_itself_without_script() -> None:
    """With script the stream tells; without it the page must come again by itself."""
    made = all_pages("en")["queued"]
    assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in made
    assert f'data-stream="/submissions/{ID}/events"' in made
    assert made.count('data-state="waiting"') == len(problem().cases)
    finished = all_pages("en")["accepted"]
    assert "refresh" not in finished
    assert "data-stream" not in finished


def test_a_row_that_is_sent_is_the_row_of_the_page() -> None:
    """An event replaces a row; another form would make the table jump."""
    sent = of_verdict("wrong_answer")
    assert sent.report is not None
    made = pages.result_page(look(), problem(), sent, 0)
    for number, one in enumerate(sent.report["cases"], 1):
        row = pages.case_row(look(), one)
        assert row in made
        assert row.startswith(f'<tr id="case-{number}"')


def test_the_first_failing_case_is_open_and_alone() -> None:
    """What a learner looks for first."""
    made = all_pages("en")["wrong_answer"]
    opened = re.findall(
        r'<details class="one-case" open data-failing>.*?id="detail-(\d+)"', made, re.S
    )
    assert opened == ["2"]


def test_a_limit_is_shown_as_used_against_allowed() -> None:
    """How far over it was tells whether to tune or to think again."""
    made = parsed(all_pages("en")["time_limit_exceeded"])
    assert word("used_allowed", "en") in "".join(made.text)
    assert [a for _, a in made.tags if a.get("class") == "meter"]


def test_the_share_of_slower_submissions_is_told() -> None:
    """8.25 ms among 1, 8.25, 9 and 70: two of four were slower."""
    assert word("faster", "en", share=50) in all_pages("en")["accepted"]
    alone = pages.result_page(look(), problem(), of_verdict("accepted"), 0, [8.25])
    assert "Faster" not in alone


def test_numbers_that_differ_are_marked_where_both_sides_show_them_all() -> None:
    """A place is found by the eye, not by counting commas."""
    tensor = {"type": "tensor", "shape": [2, 2], "dtype": "float32"}
    found = align(
        {**tensor, "preview": "[1.0, nan, 3.0, inf]"},
        {**tensor, "preview": "[1.0, nan, 3.5, inf]"},
        1e-6,
        0.0,
    )
    assert found is not None
    assert found.errors == [[None, None], [0.5, None]]
    assert found.rows[1][0].first


@pytest.mark.parametrize(
    "preview",
    ["[1.0, 2.0, …]", "[1.0, 'a']", "Node(1)", "", "[[[1], [2]]]", "[1, 2", "[1, [2]]"],
)
def test_what_is_no_whole_table_of_numbers_is_left_as_text(preview: str) -> None:
    """A table made of half a preview would show what nobody returned."""
    whole = {"type": "list", "preview": "[1.0, 3.0]"}
    assert align({"type": "list", "preview": preview}, whole, 0.0, 0.0) is None


@pytest.mark.parametrize("part", ["1", "1.1", "0.1234567, ", "True", "-+", "1e1", "(", " ", ","])
def test_a_long_preview_is_read_at_once(part: str) -> None:
    """One that was cut after many digits kept a whole site busy for ever."""
    cut = {"type": "list", "preview": f"[{part * 2000}…"}
    assert align(cut, cut, 0.0, 0.0) is None


def test_a_formula_keeps_its_alignment_without_style() -> None:
    """The policy refuses style attributes; as classes the columns stay where they belong."""
    made = prose(r"$$\begin{aligned}a&=b\\c&=d\end{aligned}$$")
    assert " style=" not in made
    assert '<mtd class="ta-r pr-0">' in made


def test_markdown_of_an_author_cannot_run_anything() -> None:
    """Statements come from people who send pull requests."""
    made = prose(
        "<script>alert(1)</script> [x](javascript:alert(1)) ![i](http://e/x.png)"
        " [y](https://example.org) $\\text{<img src=x onerror=alert(1)>}$"
    )
    tags = [tag for tag, _ in parsed(made).tags]
    assert not {"script", "img"} & set(tags)
    assert 'href="javascript' not in made
    assert 'href="https://example.org"' in made


def test_a_formula_that_cannot_be_shown_is_shown_as_written() -> None:
    """One formula must not cost a learner the page."""
    assert r"\substack" in prose(r"$\substack{a\\b}$")


def test_headings_of_a_statement_stand_below_the_title() -> None:
    """A jump from level 1 to 3 hides a part from those who go by headings."""
    assert "<h2>" in prose("### Task")
    assert "<h3>" in prose("### Task\n\n#### More")


def test_code_is_highlighted_line_by_line() -> None:
    """A docstring of two lines must not swallow the line numbers between them."""
    made = code_lines('def f():\n    """a\n    b"""\n')
    assert len(made) == 3
    for line in made:
        parsed(line)


def test_the_language_of_a_page_changes_without_losing_the_filters() -> None:
    """A switch in the middle of a search should not end the search."""
    assert look("en", "/?q=a+b&lang=en").in_language("vi") == "/?q=a+b&lang=vi"


def test_older_attempts_are_asked_for_by_the_last_one_shown() -> None:
    """Two attempts may have one moment; an id has one place."""
    assert f'href="/history?before={ID}"' in all_pages("en")["history"]
    assert "before=" not in all_pages("en")["history of one"]


# --- wording --------------------------------------------------------------------------------


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("key", WORDS)
def test_every_word_is_there_in_every_language(key: str) -> None:
    """A missing one would be an error on a page, in one language only."""
    texts = WORDS[key]
    assert tuple(texts) == LANGUAGES
    assert all(text.strip() == text and text for text in texts.values())
    # "1 day|{n} days": what the singular leaves out, the plural has.
    assert len({frozenset(_fields(text)) for text in texts.values()}) == 1


def test_no_word_is_unused_and_none_is_missing() -> None:
    """Words nobody shows are translated for nothing; words nobody wrote break a page."""
    names = ("pages.py", "account_pages.py", "class_pages.py", "result_view.py", "case_view.py")
    sources = [*(SITE / "templates").glob("*.html"), *(SITE / name for name in names)]
    text = "\n".join(path.read_text("utf-8") for path in sources)
    script = (SITE / "static" / "app.js").read_text("utf-8")
    families = ("v.", "m.", "d.", "b.", "sort.", "theme.", "e.", "f.", "cm.", "keys.", "role.")
    loose = {"clock", "cpu", "memory", "solved", "tried", "untouched"}
    unused = []
    for key in WORDS:
        used = f"'{key}'" in text or f'"{key}"' in text or key in loose
        used = used or key.startswith(families) or f"words.{key.removeprefix('js.')}" in script
        unused += [] if used else [key]
    assert not unused
    asked = set(re.findall(r"\bt\('([^']+)'[,)]", text)) | set(re.findall(r'word\("([^"]+)"', text))
    assert asked <= set(WORDS)
    assert {f"js.{name}" for name in re.findall(r"\bwords\.(\w+)", script)} <= set(WORDS)


def test_one_is_told_from_many() -> None:
    """ "1 days" is what a program says."""
    assert word("n.days", "en", n=1) == "1 day"
    assert word("n.days", "en", n=2) == "2 days"


# --- static files ---------------------------------------------------------------------------


def test_static_files_are_named_by_content() -> None:
    """So a browser may keep them for good and yet never shows an old one."""
    for name in FILES:
        found = static_file(name)
        assert found is not None
        assert static_url(name).endswith(found.digest)
    assert static_file("../pages.py") is None


def test_styles_load_nothing_but_the_font() -> None:
    """The policy allows nothing else, and a name that is not served is a hole."""
    text = FILES["site.css"].read_text("utf-8") + FILES["tokens.css"].read_text("utf-8")
    assert set(re.findall(r"url\(([^)]+)\)", text)) == {"latinmodern-math.woff2"}
    assert "@import" not in text


def test_every_class_of_a_template_is_known_to_the_styles() -> None:
    """A class that no style knows is a slip or a leftover."""
    styles = (SITE / "static" / "site.css").read_text("utf-8")
    known = set(re.findall(r"\.([a-zA-Z][\w-]*)", styles))
    used: set[str] = set()
    for name in NAMES:
        for tag, attributes in parsed(all_pages("en")[name]).tags:
            if tag not in ("span", "code", "div") or "prose" not in str(attributes):
                used |= set(str(attributes.get("class") or "").split())
    # Tokens of code, languages of fences, and hooks that need no look of their own.
    plain = {"desktop", "answer", "outcome", "same", "list", "details", "w", "sign", "gap", "ask"}
    tokens = {"n", "o", "p", "nn", "nb", "bp", "w", "nv", "ne", "x", "sb", "language-python"}
    assert not {one for one in used - known - plain - tokens if not one.startswith("language-")}


def _node_tools() -> str | None:
    npm = shutil.which("npm")
    return npm if npm and shutil.which("node") else None


@pytest.mark.slow
def test_the_committed_editor_is_what_its_source_gives(tmp_path: Path) -> None:
    """A bundle that cannot be built again cannot be reviewed."""
    npm = _node_tools()
    if npm is None:
        pytest.skip("node and npm are needed to build the editor: apt-get install nodejs npm")
    for name in ("package.json", "package-lock.json", "entry.js"):
        shutil.copy(ROOT / "editor" / name, tmp_path / name)
    run = {"cwd": tmp_path, "check": True, "capture_output": True, "timeout": 300}
    subprocess.run([npm, "ci", "--no-audit", "--no-fund"], **run)  # type: ignore[call-overload]
    built = tmp_path / "built.js"
    subprocess.run([npm, "run", "build", "--", f"--outfile={built}"], **run)  # type: ignore[call-overload]
    assert built.read_bytes() == FILES["editor.js"].read_bytes()
