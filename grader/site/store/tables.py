"""The tables, and how values that a database would spoil are kept in them.

A change here needs a new revision in `migrations/versions`; a test compares the two.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    TypeDecorator,
)

# A later migration can only change a constraint that has a name.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Moment(TypeDecorator[datetime]):
    """A time. SQLite knows no zones and PostgreSQL answers in the server's: both get UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time with a zone expected, got {value}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


class AnyText(TypeDecorator[str]):
    """Text as it was sent, kept as bytes: PostgreSQL's text refuses NUL, and neither takes a
    lone surrogate."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        return None if value is None else to_bytes(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        return None if value is None else value.decode("utf-8", "surrogatepass")


class AnyJson(TypeDecorator[dict[str, Any]]):
    """A JSON document with any text in it, for the reasons of `AnyText`."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: dict[str, Any] | None, dialect: Dialect) -> bytes | None:
        # Escapes would join two lone surrogates into one character when read back.
        return None if value is None else to_bytes(json.dumps(value, ensure_ascii=False))

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> dict[str, Any] | None:
        if value is None:
            return None
        document: dict[str, Any] = json.loads(value.decode("utf-8", "surrogatepass"))
        return document


def to_bytes(text: str) -> bytes:
    """Return text as UTF-8, with lone surrogates as if they were characters."""
    return text.encode("utf-8", "surrogatepass")


def _number() -> BigInteger:
    """SQLite counts up by itself only in a column declared INTEGER."""
    return BigInteger().with_variant(Integer, "sqlite")


def _learner() -> Column[int]:
    return Column(
        "learner", _number(), ForeignKey("learner.id", ondelete="CASCADE"), nullable=False
    )


learners = Table(
    "learner",
    metadata,
    Column("id", _number(), primary_key=True),
    Column("login", String(64), nullable=False, unique=True),
    Column("created", Moment, nullable=False),
)

# The queue, and all that lists and counts need: rows stay short, so that a claim rewrites little
# and a learner's thousands are read at once. The long texts lie in `submission_text`.
submissions = Table(
    "submission",
    metadata,
    Column("number", _number(), primary_key=True),  # the order of arrival
    Column("id", String(32), nullable=False, unique=True),
    _learner(),
    Column("slug", String(200), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("created", Moment, nullable=False),
    Column("state", String(8), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("lease_until", Moment),
    Column("verdict", String(40)),
    Column("passed", Integer),
    Column("total", Integer),
    Column("cpu_ms", Float),
    Column("finished", Moment),
    Index(None, "state", "number"),  # claims
    Index(None, "learner", "kind", "number"),  # history of all problems
    Index(None, "learner", "kind", "slug", "number"),  # history of one; progress
    Index(None, "learner", "kind", "created"),  # days
    Index(None, "slug", "kind", "verdict", "number"),  # times of those accepted
)

texts = Table(
    "submission_text",
    metadata,
    Column(
        "number",
        _number(),
        ForeignKey("submission.number", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("source", AnyText, nullable=False),
    Column("custom_input", AnyText),
    Column("report", AnyJson),
)

# What a learner left lying at one problem.
desks = Table(
    "desk",
    metadata,
    Column("learner", _number(), ForeignKey("learner.id", ondelete="CASCADE"), primary_key=True),
    Column("slug", String(200), primary_key=True),
    Column("draft", AnyText),
    Column("draft_saved", Moment),
    Column("note", AnyText),
    Column("note_saved", Moment),
    Column("hints_shown", Integer, nullable=False, server_default="0"),
    Column("given_up", Moment),
)
