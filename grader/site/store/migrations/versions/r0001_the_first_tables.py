"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "learner",
        sa.Column("id", number, nullable=False),
        sa.Column("login", sa.String(64), nullable=False),
        sa.Column("created", moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_learner"),
        sa.UniqueConstraint("login", name="uq_learner_login"),
    )
    op.create_table(
        "submission",
        sa.Column("number", number, nullable=False),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("learner", number, nullable=False),
        sa.Column("slug", sa.String(200), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("created", moment, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lease_until", moment),
        sa.Column("verdict", sa.String(40)),
        sa.Column("passed", sa.Integer()),
        sa.Column("total", sa.Integer()),
        sa.Column("cpu_ms", sa.Float()),
        sa.Column("finished", moment),
        sa.ForeignKeyConstraint(
            ["learner"], ["learner.id"], name="fk_submission_learner", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("number", name="pk_submission"),
        sa.UniqueConstraint("id", name="uq_submission_id"),
    )
    for columns in (
        ["state", "number"],
        ["learner", "kind", "number"],
        ["learner", "kind", "slug", "number"],
        ["learner", "kind", "created"],
        ["slug", "kind", "verdict", "number"],
    ):
        op.create_index(f"ix_submission_{'_'.join(columns)}", "submission", columns)
    op.create_table(
        "submission_text",
        sa.Column("number", number, nullable=False, autoincrement=False),
        sa.Column("source", sa.LargeBinary(), nullable=False),
        sa.Column("custom_input", sa.LargeBinary()),
        sa.Column("report", sa.LargeBinary()),
        sa.ForeignKeyConstraint(
            ["number"], ["submission.number"], name="fk_submission_text_number", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("number", name="pk_submission_text"),
    )
    op.create_table(
        "desk",
        sa.Column("learner", number, nullable=False),
        sa.Column("slug", sa.String(200), nullable=False),
        sa.Column("draft", sa.LargeBinary()),
        sa.Column("draft_saved", moment),
        sa.Column("note", sa.LargeBinary()),
        sa.Column("note_saved", moment),
        sa.Column("hints_shown", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("given_up", moment),
        sa.ForeignKeyConstraint(
            ["learner"], ["learner.id"], name="fk_desk_learner", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("learner", "slug", name="pk_desk"),
    )


def downgrade() -> None:
    """Drop them, with all that is in them."""
    for table in ("desk", "submission_text", "submission", "learner"):
        op.drop_table(table)
