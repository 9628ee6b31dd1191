"""What several tests need: the corpora, one grader a test process, problems made on the spot."""

from __future__ import annotations

import itertools
import json
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader import Grader, Problem
from grader.spec import find_faults

if TYPE_CHECKING:
    from grader.site.store import Store

_databases = itertools.count()

CORPUS = Path(__file__).parent / "corpus"
SEED_SLUG = "balanced-accuracy-macro-recall"
# In the environment of everything the tests start; no report may ever hold it.
CANARY = secrets.token_hex(16)
os.environ["TENSORJUDGE_TEST_CANARY"] = CANARY


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder with the corpora that the project keeps its own copy of."""
    if not (CORPUS / "attacks").is_dir():
        pytest.fail(f"{CORPUS} is missing; the checkout is incomplete")
    return CORPUS


@pytest.fixture(scope="session")
def grader() -> Iterator[Grader]:
    """A grader for one submission at a time, warm for the whole test process."""
    with Grader(workers=1) as made:
        yield made


def seed_spec() -> dict[str, Any]:
    """The founder's document, with its own test code; the bundle's has grown beyond it."""
    path = CORPUS / "seeds" / f"{SEED_SLUG}.json"
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return document


@pytest.fixture(scope="session")
def seed_problem() -> Problem:
    """The seed problem as the founder wrote it."""
    return problem_from(seed_spec())


def problem_from(raw: dict[str, Any]) -> Problem:
    """Return the problem of a document, which must be sound."""
    problem, findings = find_faults("made.json", json.dumps(raw))
    assert problem is not None, "\n".join(map(str, findings))
    return problem


@pytest.fixture(scope="session")
def make_problem() -> Callable[..., Problem]:
    """Make a declarative problem: reference code, cases by name, and any other fields."""

    def make(reference: str, cases: dict[str, dict[str, Any]], **fields: Any) -> Problem:
        raw = seed_spec()
        del raw["test_code"]
        raw |= {"entry_point": "f", "reference_code": reference, "starter_code": reference}
        raw["test_cases"] = [{"name": name, **case} for name, case in cases.items()]
        return problem_from(raw | fields)

    return make


@pytest.fixture(scope="module")
def postgres() -> Iterator[Path]:
    """Folder of the socket of a running PostgreSQL server."""
    from postgres_server import postgres_server, why_not

    reason = why_not()
    if reason is not None:
        pytest.skip(f"PostgreSQL is not tested: {reason}")
    with postgres_server() as socket:
        yield socket


def empty_postgres(socket: Path) -> str:
    """Address of a new database of a server."""
    from sqlalchemy import create_engine, text

    address = "postgresql+psycopg://postgres@/{}?host=" + str(socket)
    name = f"test{next(_databases)}"
    engine = create_engine(address.format("postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0"))
    engine.dispose()
    return address.format(name)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Address of an empty database, of both kinds in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/new folder/site.sqlite3"
    return empty_postgres(request.getfixturevalue("postgres"))


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store of the practice site, with its tables."""
    from grader.site.store import Store

    made = Store(url)
    made.migrate()
    yield made
    made.close()
