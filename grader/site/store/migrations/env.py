"""What Alembic runs first: which connection, which tables. Nothing else imports it."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from sqlalchemy import TypeDecorator

from grader.site.store.tables import metadata


def _render(kind: str, item: Any, _context: object) -> str | Literal[False]:
    """Write plain types into a revision: it must not change when our own types do."""
    if kind == "type" and isinstance(item, TypeDecorator):
        return f"sa.{item.impl_instance!r}"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_item=_render,
    render_as_batch=True,  # SQLite changes a column by making the table anew
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
