"""The site as it is lived with: whole journeys in a browser, on one's own machine and in public."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
from site_served import BROWSER, Site, a_browser, local_site, public_site
from test_site_app import RIGHT, SLUG, WRONG
from test_site_browser import write

from grader.site.store import Store
from grader.spec import load_problem

ROOT = Path(__file__).parent.parent
SLOW = "def average_ranks(x):\n    while True: pass\n"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="needs chromium (Debian: apt-get install chromium)"),
]


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of one learner."""
    with local_site(tmp_path_factory.mktemp("local")) as site:
        yield site


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    """Of all browsers."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as made:
        yield made


@pytest.fixture(scope="module")
def browser(driver: Any, local: Site) -> Iterator[Any]:
    """A browser that knows it."""
    with a_browser(driver, local) as made:
        yield made


@pytest.fixture
def page(local: Site, browser: Any) -> Iterator[Any]:
    """A page at a problem, in a context without memory."""
    context = browser.new_context(base_url=local.address)
    made = context.new_page()
    made.goto(f"/problems/{SLUG}")
    made.wait_for_selector(".cm-content")
    yield made
    context.close()


def verdict(page: Any, text: str) -> None:
    """Wait for the verdict of the whole beside the code; a case with its words comes before."""
    page.wait_for_selector(f"#result h2 >> text={text}", timeout=30_000)


# --- on one's own machine --------------------------------------------------------------------


def test_wrong_then_a_hint_then_right(page: Any) -> None:
    """The journey the site is made for."""
    write(page, WRONG)
    page.keyboard.press("Control+Enter")
    verdict(page, "Wrong answer")
    assert "was expected" in page.inner_text("#result")
    page.click("text=Show hint 1")
    page.wait_for_selector("#hints details[open]")
    write(page, RIGHT)
    page.keyboard.press("Control+Enter")
    verdict(page, "Accepted")
    page.click("nav.tabs >> text=Editorial")
    page.wait_for_selector("text=Reference solution")


def test_a_time_limit_tells_what_was_used_and_allowed(page: Any) -> None:
    """A learner must see that it is time, and how much there was."""
    write(page, SLOW)
    page.keyboard.press("Control+Enter")
    verdict(page, "Time limit")
    assert re.search(r"\d+(\.\d+)? s", page.inner_text("#result"))


def test_an_input_of_ones_own_is_answered(page: Any) -> None:
    """With what the reference makes of it."""
    write(page, WRONG)
    page.click("text=Own input")
    page.fill("#own", "x = [5.0, 7.0]")
    page.click("button[data-run]")
    verdict(page, "Wrong answer")
    assert "2.0" in page.inner_text("#result")


def test_the_keyboard_alone_is_enough(page: Any, local: Site) -> None:
    """From the list to a verdict without touching a mouse."""
    page.goto("/")
    page.keyboard.press("/")
    page.keyboard.type("average ranks")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=average*")
    page.keyboard.press("Tab")
    page.locator("body").press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/problems/{SLUG}")
    page.wait_for_selector(".cm-content")
    page.keyboard.press("Alt+2")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(RIGHT)
    page.keyboard.press("Control+Enter")
    verdict(page, "Accepted")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("!document.activeElement.closest('.cm-editor')")


@pytest.mark.parametrize(("language", "said"), [("zh", "答案错误"), ("vi", "Sai kết quả")])
def test_other_languages_say_it_too(language: str, said: str, local: Site, browser: Any) -> None:
    """By what the browser prefers."""
    context = browser.new_context(base_url=local.address, locale=language)
    page = context.new_page()
    page.goto(f"/problems/{SLUG}")
    page.wait_for_selector(".cm-content")
    write(page, WRONG)
    page.keyboard.press("Control+Enter")
    verdict(page, said)
    context.close()


def test_two_tabs_do_not_disturb_each_other(local: Site, browser: Any) -> None:
    """Each sees its own submission; the draft is the later one's."""
    context = browser.new_context(base_url=local.address)
    tabs = [context.new_page() for _ in range(2)]
    for tab, source in zip(tabs, (WRONG, RIGHT), strict=True):
        tab.goto(f"/problems/{SLUG}")
        tab.wait_for_selector(".cm-content")
        write(tab, source)
    for tab in tabs:
        tab.bring_to_front()
        tab.click("button[data-submit]")
    verdict(tabs[0], "Wrong answer")
    verdict(tabs[1], "Accepted")
    context.close()


def test_a_phone_reads_and_submits(local: Site, browser: Any) -> None:
    """Statement, code and result below each other, each within reach."""
    context = browser.new_context(
        base_url=local.address, viewport={"width": 390, "height": 844}, has_touch=True
    )
    page = context.new_page()
    page.goto(f"/problems/{SLUG}")
    page.tap("nav.jump >> text=Code")
    write(page, RIGHT)
    page.tap("button[data-submit]")
    verdict(page, "Accepted")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_a_restart_between_submit_and_result(driver: Any, tmp_path: Path) -> None:
    """The page waits, says so, and shows the result when the site is back."""
    site = Site(tmp_path, "--jobs", "1")
    site.start()
    try:
        with a_browser(driver, site) as browser:
            page = browser.new_page(base_url=site.address)
            page.goto(f"/problems/{SLUG}")
            page.wait_for_selector(".cm-content")
            for n in range(2):  # so that ours must wait
                form = {"source": f"{SLOW}# {n}\n"}
                httpx2.post(f"{site.address}/problems/{SLUG}/submit", data=form)
            write(page, SLOW)
            page.click("button[data-submit]")
            page.wait_for_selector("#result [data-stream]")
            site.end()
            page.wait_for_selector("#result .lost", timeout=20_000)
            site.start()
            page.wait_for_selector("#result [data-stream]", state="detached", timeout=60_000)
            verdict(page, "Time limit")
    finally:
        site.end()
    store = Store(f"sqlite:///{tmp_path}/site.sqlite3")
    found = store.submissions(1)
    store.close()
    assert [each.verdict for each in found] == ["time_limit_exceeded"] * 3


HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>"
    "</textarea></pre></details>'\"><a href=javascript:alert(4)>x</a>\x1b[2J\u202e"
)


def test_nothing_fires_whatever_submissions_and_statements_hold(
    driver: Any, tmp_path: Path
) -> None:
    """In what is printed, raised, returned, named and written, live and in the result."""
    folder = tmp_path / "problems"
    folder.mkdir()
    raw = load_problem(SLUG).raw
    texts = {"title": HOSTILE, "description_md": HOSTILE, "hints": [HOSTILE]}
    texts |= {"editorial_md": HOSTILE, "category": HOSTILE[:99], "tags": [HOSTILE[:99]]}
    first, *others = raw["test_cases"]
    raw = {**raw, **texts, "translations": {}, "test_cases": [{**first, "name": HOSTILE}, *others]}
    (folder / f"{SLUG}.json").write_text(json.dumps(raw))
    sources = [
        f"print({HOSTILE!r})\ndef average_ranks(x):\n    return {HOSTILE!r}\n",
        f"def average_ranks(x):\n    raise ValueError({HOSTILE!r})\n",
        f"class A(Exception):\n    pass\nA.__name__ = A.__qualname__ = {HOSTILE!r}\n"
        f"def average_ranks(x):\n    raise A\n# {HOSTILE!r}\n",
    ]
    told: list[str] = []
    with (
        local_site(tmp_path, "--problems", str(folder)) as site,
        a_browser(driver, site) as browser,
    ):
        page = browser.new_page(base_url=site.address)
        page.on("dialog", lambda dialog: (told.append(dialog.message), dialog.dismiss()))
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("request", lambda request: told.append(request.url)
                if not request.url.startswith((site.address, "data:")) else None)  # fmt: skip
        for source in sources:
            page.goto(f"/problems/{SLUG}")
            page.wait_for_selector(".cm-content")
            page.fill("#note", HOSTILE)
            page.click("#notes button")
            page.wait_for_selector(".cm-content")
            write(page, source)
            page.click("button[data-submit]")
            page.wait_for_selector("#result [data-stream]", state="detached", timeout=30_000)
            page.goto(str(page.get_attribute("#result a.to-page", "href")))
            page.goto(f"{page.url.partition('?')[0]}/diff")
        page.goto(f"/problems/{SLUG}/give-up")
        page.click("main form button")
        for path in (f"/?q={quote(HOSTILE)}", "/history", "/progress", f"/problems/{HOSTILE}"):
            page.goto(path)
    assert [each for each in told if "404" not in each] == []


# --- in public ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with accounts, with a teacher."""
    data = tmp_path_factory.mktemp("public")
    with public_site(data) as site:
        yield site


@pytest.fixture(scope="module")
def crowd(driver: Any, public: Site) -> Iterator[Any]:
    """A browser that knows the public site."""
    with a_browser(driver, public) as made:
        yield made


def sign_up(crowd: Any, site: Site, login: str) -> Any:
    """A page of somebody who just made an account."""
    context = crowd.new_context(base_url=site.address, ignore_https_errors=True)
    page = context.new_page()
    page.goto("/sign-up")
    page.fill("#login", login)
    page.fill("#name", login.title())
    page.fill("#password", "a horse and a staple")
    page.click("main button")
    page.wait_for_selector("a.who")
    return page


def test_a_class_from_sign_up_to_the_teachers_table(public: Site, crowd: Any) -> None:
    """Teacher and learner, each in a browser of their own."""
    teacher = sign_up(crowd, public, "thu.ha")
    store = Store(f"sqlite:///{public.data}/site.sqlite3")
    account = store.accounts.find("thu.ha")
    assert account is not None
    store.accounts.set_role(account.id, "author")
    store.close()
    teacher.click("nav >> text=Classes")
    teacher.fill("#name", "Deep learning")
    teacher.click("text=Make the class")
    code = teacher.inner_text("code.chip")
    teacher.click("text=New assignment")
    teacher.fill("#title", "Week 1")
    teacher.fill("#due", "2099-01-31T23:59")
    teacher.check(f"input[value={SLUG}]")
    teacher.click("main >> text=Save")
    teacher.wait_for_selector("text=Nobody has joined yet")

    learner = sign_up(crowd, public, "minh.anh")
    learner.goto(f"/classes?code={code}")
    learner.click("main >> button:has-text('Join')")
    learner.click("text=Average Ranks")
    learner.wait_for_selector(".cm-content")
    write(learner, WRONG)
    learner.keyboard.press("Control+Enter")
    verdict(learner, "Wrong answer")
    write(learner, RIGHT)
    learner.keyboard.press("Control+Enter")
    verdict(learner, "Accepted")

    teacher.reload()
    assert "Minh.Anh" in teacher.inner_text("table.grid")
    teacher.click("a.cell")
    teacher.wait_for_selector("aside >> text=Wrong answer")
    assert "average_ranks" not in teacher.content().replace(f"/problems/{SLUG}", "")
    with teacher.expect_download() as told:
        teacher.click("a:has-text('CSV')")
    rows = Path(told.value.path()).read_text("utf-8-sig").splitlines()
    assert rows[1].startswith("minh.anh,Minh.Anh,1,solved,2,")


def test_nobody_reads_and_is_asked_to_sign_in(public: Site, crowd: Any) -> None:
    """And finds what they wrote when they are in."""
    context = crowd.new_context(base_url=public.address, ignore_https_errors=True)
    page = context.new_page()
    page.goto(f"/problems/{SLUG}")
    page.wait_for_selector(".cm-content")
    write(page, RIGHT)
    page.click("a[data-submit]")
    page.click("text=Make an account")
    page.fill("#login", "newcomer")
    page.fill("#password", "a horse and a staple")
    page.click("main button")
    page.wait_for_url(f"**/problems/{SLUG}")
    page.wait_for_selector(".cm-content")
    page.click("button[data-submit]")
    verdict(page, "Accepted")
    context.close()


# --- what a screen reader meets -----------------------------------------------------------------


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """axe-core, as the editor's lock names it."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("needs npm (Debian: apt-get install npm)")
    folder = tmp_path_factory.mktemp("axe")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "editor" / name, folder / name)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
    return (folder / "node_modules/axe-core/axe.min.js").read_text("utf-8")


def faults(page: Any, axe: str) -> list[str]:
    """What axe-core finds that is serious or critical."""
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault_on_ones_own_machine(
    scheme: str, local: Site, browser: Any, axe: str
) -> None:
    """On every kind of page, with results of every family."""
    context = browser.new_context(base_url=local.address, color_scheme=scheme)
    page = context.new_page()
    results = []
    for source in (WRONG, RIGHT, SLOW, "def f(:", "import os\n" + RIGHT, "print('x')\n" + WRONG):
        page.goto(f"/problems/{SLUG}")
        page.wait_for_selector(".cm-content")
        write(page, source)
        page.click("button[data-submit]")
        page.wait_for_selector("#result a.to-page", timeout=30_000)
        page.wait_for_selector("#result [data-stream]", state="detached", timeout=30_000)
        results.append(page.get_attribute("#result a.to-page", "href"))
        assert faults(page, axe) == []
    others = ["/", "/?q=nothing+at+all", "/progress", "/history", "/problems/none", *results]
    others += [f"{results[0]}/diff", f"/problems/{SLUG}/editorial", f"/problems/{SLUG}/history"]
    others += ["/problems/auc-by-pairs/give-up"]
    for path in others:
        page.goto(path)
        assert faults(page, axe) == [], path
    context.close()


def test_axe_finds_no_serious_fault_in_public(public: Site, crowd: Any, axe: str) -> None:
    """At the door, on the pages of an account, of a class, and of those who run the site."""
    page = sign_up(crowd, public, "axe")
    store = Store(f"sqlite:///{public.data}/site.sqlite3")
    account = store.accounts.find("axe")
    assert account is not None
    store.accounts.set_role(account.id, "admin")
    store.close()
    paths = ["/account", "/account/delete", "/classes", "/admin", "/admin/problems"]
    for path in paths:
        page.goto(path)
        assert faults(page, axe) == [], path
    page.goto("/classes")
    page.fill("#name", "A class")
    page.click("text=Make the class")
    assert faults(page, axe) == []
    course = page.url
    page.click("text=New assignment")
    assert faults(page, axe) == []
    page.set_viewport_size({"width": 390, "height": 844})
    for path in (*paths, course, f"{course}/assignments/new", f"{course}/delete"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    context = crowd.new_context(base_url=public.address, ignore_https_errors=True)
    page = context.new_page()
    for path in ("/", "/sign-in", "/sign-up", "/password/none", f"/problems/{SLUG}"):
        page.goto(path)
        assert faults(page, axe) == [], path
    context.close()
