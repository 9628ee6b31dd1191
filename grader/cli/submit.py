"""`grader submit`: send a solution to a practice site and see the result here."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote, urlsplit

import click

from grader.cli.common import EXIT_CODES, FAULT, INTERRUPTED, USAGE, fail
from grader.cli.judging import exit_code_of, read_submission, show_report

if TYPE_CHECKING:
    from requests import Response, Session

_CONNECT_S, _SILENCE_S = 10, 30  # the site sends something at least every ten seconds
_LOOK_EVERY_S = 1.0
_AWAY_S = 60.0
_LOCAL = ("localhost", "127.0.0.1", "::1")


@click.command(epilog=EXIT_CODES)
@click.argument("slug")
@click.argument("file")
@click.option("--site", required=True, metavar="URL", help="https://judge.example.org")
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With a token of one's account; or TENSORJUDGE_TOKEN.",
)
@click.option("--run", is_flag=True, help="Only the shown cases; it counts for nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def submit(
    slug: str, file: str, site: str, token_file: Path | None, run: bool, as_json: bool
) -> None:
    """Send FILE, or - for standard input, as a solution of SLUG to a practice site."""
    source = read_submission(file)
    with _session(site, token_file) as session:
        base = site.rstrip("/")
        sent = {
            "source": source.decode("utf-8", "replace"),
            "kind": "run" if run else "submit",
        }
        url = f"{base}/api/v1/problems/{quote(slug, safe='')}/submissions"
        accepted = _answer(session.post, url, json=sent)
        page = base + accepted["page"]
        try:
            whole = _wait(session, base + accepted["url"])
        except KeyboardInterrupt:
            fail(INTERRUPTED, f"interrupted; the result will be at {page}")
    _end(whole, as_json, page)


def _session(site: str, token_file: Path | None) -> Session:
    try:
        from requests import Session
    except ModuleNotFoundError:
        fail(USAGE, "this needs requests: pip install 'tensorjudge[site]'")
    try:
        token = token_file.read_text("utf-8") if token_file else os.environ.get("TENSORJUDGE_TOKEN")
    except (OSError, UnicodeDecodeError) as error:
        fail(USAGE, f"{token_file}: {getattr(error, 'strerror', None) or 'no text'}")
    token = (token or "").strip()
    parts = urlsplit(site)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        fail(USAGE, f"--site {site}: https://NAME expected")
    if token and parts.scheme == "http" and parts.hostname not in _LOCAL:
        fail(USAGE, f"--site {site}: a token is sent by https alone")
    session = Session()
    session.trust_env = False  # no password of a .netrc instead of the token
    if token:
        session.headers["authorization"] = f"Bearer {token}"
    return session


def _answer(ask: Any, url: str, away_s: float = 0.0, **given: Any) -> dict[str, Any]:
    """The JSON of an answer, or the end with what is wrong.

    Args:
        away_s: how long the site may be away: it may be starting again.
    """
    from requests import RequestException

    until = time.monotonic() + away_s
    while True:
        try:
            answer: Response = ask(
                url, timeout=(_CONNECT_S, _SILENCE_S), allow_redirects=False, **given
            )
            break
        except RequestException as error:
            if time.monotonic() >= until:
                fail(FAULT, f"{url}: not reached ({type(error).__name__})")
            time.sleep(_LOOK_EVERY_S)
    try:
        told = answer.json()
    except ValueError:
        told = None
    if not answer.ok or not isinstance(told, dict):
        _refused(url, answer.status_code, told)
    return told


def _refused(url: str, status: int, told: Any) -> NoReturn:
    if status == 401:
        fail(
            USAGE,
            "the site wants a token: make one on its page 'Account' and name its file with"
            " --token-file, or set TENSORJUDGE_TOKEN",
        )
    said = told.get("error") if isinstance(told, dict) else None
    code = FAULT if status >= 500 else USAGE
    fail(code, f"{url}: {said or f'answered with {status}; is it a practice site?'}")


def _wait(session: Session, url: str) -> dict[str, Any]:
    """The submission once it is done; on a terminal, how far it is meanwhile."""
    shown = sys.stderr.isatty()
    while True:
        whole = _answer(session.get, url, away_s=_AWAY_S)
        if whole["state"] == "done":
            return whole
        if shown and whole["waiting_before"]:
            click.echo(f"waiting; {whole['waiting_before']} before it", err=True)
        judged, name = 0, ""
        for name in _events(session, f"{url}/events"):
            judged += name == "case"
            if shown:
                click.echo(f"\r{judged} cases judged ", nl=False, err=True)
        if shown and judged:
            click.echo("\r", nl=False, err=True)
        if name != "done":  # the stream broke
            time.sleep(_LOOK_EVERY_S)


def _events(session: Session, url: str) -> Any:
    """Yield the names of events as they come; end early if the stream breaks."""
    from requests import RequestException

    try:
        with session.get(url, stream=True, timeout=(_CONNECT_S, _SILENCE_S)) as answer:
            if not answer.ok:
                return
            for line in answer.iter_lines(chunk_size=1):
                if line.startswith(b"event: "):
                    yield line[len(b"event: ") :].decode("ascii", "replace")
    except RequestException:
        return


def _end(whole: dict[str, Any], as_json: bool, page: str) -> None:
    """Show the report and end as `grader grade` does."""
    from grader.report import Report

    try:
        report = Report.from_dict(whole["report"])
    except (TypeError, ValueError, KeyError):
        said = (whole.get("report") or {}).get("message") or "the report is of another version"
        fail(FAULT, f"{said}\nsee {page}")
    show_report(report, as_json, page)
    sys.exit(exit_code_of(report))
