"""`python -m bench.load`: a public site with many learners at once, and an idle one.

python -m bench.load [--learners N] [--seconds S] [--postgres] [--idle N]

The site is `grader serve --public` in a process of its own. The learners are here, in another: read
a page, think, submit, watch the result come, read it. Both share the machine's cores, so a
machine for the site alone does better.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import httpx2

from bench.__main__ import line, percentile, timed, verdict_on
from bench.batch import mixed
from grader import Grader, load_problem
from grader.site.store import Store
from grader.site.visitors import COOKIE, digest_of, new_ticket

ROOT = Path(__file__).parents[1]
NAME = "judge.example.org"
SECRET = secrets.token_hex(32)
PORT = 8765
# As a browser behind the server in front would send it.
HEADERS = {"host": NAME, "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1"}
THINK_S = (5.0, 25.0)  # before a submission and after its result: one in half a minute
IDLE_BAR_MS, PAGE_BAR_MS = 15.0, 100.0
_PER_LEARNER = 20  # submissions; more in a minute would be too many


@dataclass
class Seen:
    """What the learners saw."""

    page_ms: list[float] = field(default_factory=list)
    verdict_ms: list[float] = field(default_factory=list)
    verdicts: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    sent: list[str] = field(default_factory=list)


@contextmanager
def served(database: str, jobs: int) -> Iterator[str]:
    """A public site of its own process; gives its address."""
    environment = os.environ | {"TENSORJUDGE_SECRET_KEY": SECRET}
    command = [sys.executable, "-m", "grader", "serve", "--public", "--url", f"https://{NAME}"]
    command += ["--trusted-proxy", "127.0.0.1", "--database", database]
    command += ["--port", str(PORT), "--jobs", str(jobs)]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        address = f"http://127.0.0.1:{PORT}"
        try:
            for _ in range(300):
                try:
                    if httpx2.get(f"{address}/healthz").status_code == 200:
                        break
                except httpx2.TransportError:
                    time.sleep(0.1)
            else:
                log.seek(0)
                raise SystemExit(log.read().decode(errors="replace"))
            yield address
        finally:
            process.terminate()
            process.wait(30)


def open_sessions(store: Store, count: int) -> list[str]:
    """Make learners that are signed in; return their cookies."""
    tickets = []
    moment = datetime.now(UTC)
    for number in range(count):
        account = store.accounts.add(
            f"learner{number}", f"Learner {number}", None, "learner", moment
        )
        ticket = new_ticket()
        digest = digest_of(SECRET.encode(), "session", ticket)
        store.tickets.open_session(account.id, digest, moment, timedelta(days=1), "load")
        tickets.append(ticket)
    return tickets


def _as_browser(ticket: str) -> dict[str, str]:
    return HEADERS | {"cookie": f"{COOKIE}={ticket}", "origin": f"https://{NAME}"}


class Learner:
    """One of many."""

    def __init__(self, client: httpx2.AsyncClient, ticket: str, seen: Seen, until: float) -> None:
        self._client = client
        self._headers = _as_browser(ticket)
        self._seen = seen
        self._until = until

    async def live(self, work: list[tuple[str, str]], chance: random.Random) -> None:
        """Practise until the time is over."""
        await asyncio.sleep(chance.uniform(0, THINK_S[1]))
        while time.monotonic() < self._until:
            slug, source = chance.choice(work)
            try:
                await self._page("/")
                await self._page(f"/problems/{slug}")
                await asyncio.sleep(chance.uniform(*THINK_S))
                await self.submit(slug, f"{source}\n# {chance.random()}\n")
            except httpx2.HTTPError as error:
                self._seen.errors[type(error).__name__] += 1
            await asyncio.sleep(chance.uniform(*THINK_S))

    async def _page(self, path: str) -> str:
        began = time.perf_counter()
        answer = await self._client.get(path, headers=self._headers)
        if answer.status_code != 200:
            self._seen.errors[f"{answer.status_code} of {path.split('/')[1]}"] += 1
        self._seen.page_ms.append((time.perf_counter() - began) * 1000)
        return answer.text

    async def submit(self, slug: str, source: str) -> None:
        """Submit, watch until it is judged, read the result."""
        began = time.perf_counter()
        answer = await self._client.post(
            f"/problems/{slug}/submit", data={"source": source}, headers=self._headers
        )
        if answer.status_code != 303:
            self._seen.errors[f"{answer.status_code} of submit"] += 1
            return
        path = answer.headers["location"]
        self._seen.sent.append(path.rpartition("/")[2])
        async with self._client.stream("GET", f"{path}/events", headers=self._headers) as stream:
            async for text in stream.aiter_lines():
                if text == "event: done":
                    break
        self._seen.verdict_ms.append((time.perf_counter() - began) * 1000)
        page = await self._page(path)
        found = re.search(r'data-verdict="(\w+)"', page)
        self._seen.verdicts[found[1] if found else "none"] += 1


async def crowd(address: str, tickets: list[str], seconds: float) -> Seen:
    """Let all learners live for a while."""
    seen, until = Seen(), time.monotonic() + seconds
    work = [(row["slug"], row["source"]) for row in mixed(400, distinct=False)]
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx2.AsyncClient(base_url=address, limits=limits, timeout=120) as client:
        await asyncio.gather(
            *(
                Learner(client, ticket, seen, until).live(work, random.Random(number))
                for number, ticket in enumerate(tickets)
            )
        )
    return seen


def under_load(name: str, database: str, learners: int, seconds: float, jobs: int) -> None:
    """Measure a crowd."""
    store = Store(database)
    store.migrate()
    tickets = open_sessions(store, learners)
    with served(database, jobs) as address:
        seen = asyncio.run(crowd(address, tickets, seconds))
    done = [store.submission(number) for number in seen.sent]
    lost = sum(each is None or each.state != "done" for each in done)
    store.close()
    line(f"{name}: {learners} learners, {seconds:.0f} s", f"{len(seen.sent)} submissions")
    line("  submissions a second", f"{len(seen.sent) / seconds:.1f}")
    for what, values in (("page", seen.page_ms), ("submit to verdict", seen.verdict_ms)):
        line(f"  {what}, p50 and p95",
             f"{percentile(values, 0.5):.0f} and {percentile(values, 0.95):.0f} ms")  # fmt: skip
    line("  errors", str(dict(seen.errors) or "none"), verdict_on(not seen.errors, "none"))
    line("  rows lost", str(lost), verdict_on(lost == 0, "0"))


def idle(database: str, count: int) -> None:
    """Measure one learner on an idle site beside the grader itself."""
    slug = "average-ranks"
    problem = load_problem(slug)
    sources = [f"{problem.reference_code}\n# {n}\n" for n in range(count)]
    store = Store(database)
    store.migrate()
    tickets = open_sessions(store, 1 + count // _PER_LEARNER)
    store.close()
    with served(database, 1), Grader(1) as grader:
        grader.grade(problem, sources[0])
        connection = HTTPConnection("127.0.0.1", PORT, timeout=60)
        alone, took = [], []
        for number, source in enumerate(sources):  # by turns, as a machine's speed changes
            alone.append(timed(partial(grader.grade, problem, source)))
            time.sleep(0.05)
            headers = _as_browser(tickets[number // _PER_LEARNER])
            took.append(timed(partial(_to_verdict, connection, headers, slug, source)))
            time.sleep(0.05)
        for name, path in (("list", "/"), ("problem", f"/problems/{slug}")):
            pages = [timed(partial(_read_page, connection, headers, path)) for _ in range(20)]
            weight = _read_page(connection, headers, path)
            line(f"idle site, {name}", f"{statistics.median(pages):.0f} ms, {weight} KB",
                 verdict_on(statistics.median(pages) < PAGE_BAR_MS, "100 ms"))  # fmt: skip
    site, itself = statistics.median(took[1:]), statistics.median(alone[1:])
    line("Grader itself, one submission", f"{itself:.1f} ms")
    line("idle site, submit to verdict", f"{site:.1f} ms",
         verdict_on(site - itself <= IDLE_BAR_MS, f"Grader and {IDLE_BAR_MS:.0f} ms"))  # fmt: skip


def _read_page(connection: HTTPConnection, headers: dict[str, str], path: str) -> int:
    """Read a page; return its weight on the wire."""
    connection.request("GET", path, headers=headers | {"accept-encoding": "gzip"})
    return len(connection.getresponse().read()) // 1000


def _to_verdict(
    connection: HTTPConnection, headers: dict[str, str], slug: str, source: str
) -> None:
    """Submit, and watch until it is judged, with as little of a client's own time as may be."""
    form = {"content-type": "application/x-www-form-urlencoded"}
    connection.request(
        "POST", f"/problems/{slug}/submit", urlencode({"source": source}), headers | form
    )
    answer = connection.getresponse()
    answer.read()
    if answer.status != 303:
        raise SystemExit(f"the idle site answered {answer.status}")
    connection.request("GET", f"{answer.headers['location']}/events", headers=headers)
    stream = connection.getresponse()
    while stream.readline().strip() != b"event: done":
        pass
    stream.read()


@contextmanager
def databases(postgres: bool) -> Iterator[list[tuple[str, str]]]:
    """Empty databases, by name."""
    with ExitStack() as whole:
        folder = whole.enter_context(tempfile.TemporaryDirectory())
        found = [("SQLite", f"sqlite:///{folder}/load.sqlite3")]
        if postgres:
            sys.path.insert(0, str(ROOT / "tests"))
            from postgres_server import postgres_server, why_not

            if reason := why_not():
                raise SystemExit(reason)
            place = whole.enter_context(postgres_server())
            found.append(("PostgreSQL", f"postgresql://postgres@/postgres?host={place}"))
        yield found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench.load", description=__doc__)
    parser.add_argument("--learners", type=int, default=200, metavar="N", help="0: idle alone.")
    parser.add_argument("--seconds", type=float, default=120, metavar="S")
    parser.add_argument("--postgres", action="store_true", help="A PostgreSQL server as well.")
    parser.add_argument(
        "--idle", type=int, default=100, metavar="N", help="Submissions to an idle site."
    )
    chosen = parser.parse_args()
    cores = os.cpu_count() or 1
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f}\n")
    with tempfile.TemporaryDirectory() as folder:
        idle(f"sqlite:///{folder}/idle.sqlite3", chosen.idle)
    if not chosen.learners:
        return
    with databases(chosen.postgres) as found:
        for name, database in found:
            under_load(name, database, chosen.learners, chosen.seconds, cores)


if __name__ == "__main__":
    main()
