"""The tables, and how values that a database would spoil are kept in them.

A change here needs a new revision in `migrations/versions`; a test compares the two.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    TypeDecorator,
    false,
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
    Column("name", String(80)),  # as it is shown; the login where there is none
    Column("role", String(8), nullable=False, server_default="learner"),
    Column("password", String(200)),  # its hash
    Column("disabled", Boolean, nullable=False, server_default=false()),
)

# Of what opens an account only keyed digests are kept.
sessions = Table(
    "session",
    metadata,
    Column("id", _number(), primary_key=True),
    _learner(),
    Column("digest", LargeBinary(32), nullable=False, unique=True),
    Column("created", Moment, nullable=False),
    Column("last_seen", Moment, nullable=False),
    Column("idle_s", Integer, nullable=False),
    Column("expires", Moment, nullable=False),
    Column("agent", AnyText, nullable=False),
    Index(None, "learner"),
)

tokens = Table(
    "token",
    metadata,
    Column("id", _number(), primary_key=True),
    _learner(),
    Column("digest", LargeBinary(32), nullable=False, unique=True),
    Column("name", AnyText, nullable=False),
    Column("created", Moment, nullable=False),
    Column("last_used", Moment),
    Column("expires", Moment),
    Index(None, "learner"),
)

password_links = Table(
    "password_link",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),
    _learner(),
    Column("expires", Moment, nullable=False),
    Index(None, "learner"),
)

identities = Table(
    "identity",
    metadata,
    Column("provider", String(64), primary_key=True),
    Column("subject", String(255), primary_key=True),
    _learner(),
    Column("created", Moment, nullable=False),
    Index(None, "learner"),
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
    Column("priority", SmallInteger, nullable=False, server_default="0"),  # the lowest first
    Column("spec_digest", String(64)),  # by which it was judged
    Column("before_verdict", String(40)),  # while it is judged anew
    Column("first_attempt", Integer, nullable=False, server_default="0"),  # of judging it anew
    Index(None, "state", "priority", "number"),  # claims
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

courses = Table(
    "course",
    metadata,
    Column("id", _number(), primary_key=True),
    Column("owner", _number(), ForeignKey("learner.id", ondelete="CASCADE"), nullable=False),
    Column("name", AnyText, nullable=False),
    Column("join_code", String(16), unique=True),
    Column("created", Moment, nullable=False),
    Column("archived", Boolean, nullable=False, server_default=false()),
    Index(None, "owner"),
)


def _course(*, key: bool = False) -> Column[int]:
    reference = ForeignKey("course.id", ondelete="CASCADE")
    return Column("course", _number(), reference, primary_key=key, nullable=False)


members = Table(
    "member",
    metadata,
    _course(key=True),
    Column("learner", _number(), ForeignKey("learner.id", ondelete="CASCADE"), primary_key=True),
    Column("joined", Moment, nullable=False),
    Index(None, "learner"),
)

assignments = Table(
    "assignment",
    metadata,
    Column("id", _number(), primary_key=True),
    _course(),
    Column("title", AnyText, nullable=False),
    Column("opens", Moment),
    Column("due", Moment),
    Column("created", Moment, nullable=False),
    Index(None, "course"),
)

assigned = Table(
    "assigned",
    metadata,
    Column(
        "assignment",
        _number(),
        ForeignKey("assignment.id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("position", Integer, primary_key=True),
    Column("slug", String(200), nullable=False),
)

# A verdict that changed because its problem did, until the learner has seen it.
notices = Table(
    "notice",
    metadata,
    Column("id", _number(), primary_key=True),
    _learner(),
    Column(
        "number", _number(), ForeignKey("submission.number", ondelete="CASCADE"), nullable=False
    ),
    Column("before", String(40), nullable=False),
    Column("after", String(40), nullable=False),
    Column("created", Moment, nullable=False),
    Index(None, "learner"),
    Index(None, "number"),
)
