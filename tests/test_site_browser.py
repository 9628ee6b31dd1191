"""The site in a real browser: typed, submitted, seen; with scripts and without."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from test_site_app import RIGHT, SLUG, WRONG, free_port, wait_for

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="needs chromium (Debian: apt-get install chromium)"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site as `grader serve` brings it up."""
    port = free_port()
    data = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "grader", "serve", "--port", str(port), "--data", str(data)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    found = f"http://127.0.0.1:{port}"
    try:
        with httpx2.Client(base_url=found) as client:
            wait_for(client)
        yield found
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield made
        made.close()


def write(page: Any, source: str) -> None:
    """Put a source into the editor, as pasting does."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(source)


def test_ctrl_enter_submits_and_the_verdict_appears_beside_the_code(
    address: str, browser: Any
) -> None:
    """Case by case, without leaving the page, and nothing complains on the console."""
    page = browser.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.goto(f"{address}/problems/{SLUG}")
    page.wait_for_selector(".cm-content")
    write(page, WRONG)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#result h2 >> text=Wrong answer", timeout=20_000)
    assert "was expected" in page.inner_text("#result")
    write(page, RIGHT)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#result h2 >> text=Accepted", timeout=20_000)
    assert page.url.endswith(f"/problems/{SLUG}")
    assert told == []
    page.close()


def test_a_finding_is_underlined_while_one_types(address: str, browser: Any) -> None:
    """By the check that judges."""
    page = browser.new_page()
    page.goto(f"{address}/problems/{SLUG}")
    page.wait_for_selector(".cm-content")
    write(page, "import sklearn\n" + RIGHT)
    page.wait_for_selector("text=may not be imported", timeout=10_000)
    page.close()


def test_everything_works_without_scripts(address: str, browser: Any) -> None:
    """A text area, a form, and a page that looks again by itself."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/problems/{SLUG}")
    page.fill("textarea[name=source]", RIGHT)
    page.click("button[data-submit]")
    page.wait_for_url("**/submissions/*")
    for _ in range(20):
        if "Accepted" in page.content():
            break
        page.wait_for_timeout(500)
        page.reload()
    assert "Accepted" in page.content()
    context.close()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("path", ["/", f"/problems/{SLUG}", "/progress", "/history"])
def test_no_page_is_wider_than_the_screen(
    path: str, width: int, address: str, browser: Any
) -> None:
    """On a phone as on a desk, in all three languages."""
    page = browser.new_page(viewport={"width": width, "height": 800})
    for language in ("en", "zh", "vi"):
        page.goto(f"{address}{path}?lang={language}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_a_choice_of_theme_lasts(address: str, browser: Any) -> None:
    """The next page has it too."""
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.goto(address)
    before = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    for _ in range(2):  # light, then dark
        if page.get_attribute("html", "data-theme") != "dark":
            page.click("form[action='/theme'] button")
    assert page.get_attribute("html", "data-theme") == "dark"
    page.goto(f"{address}/history")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != before
    context.close()
