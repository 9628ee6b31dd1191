"""Accounts, classes, judging anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change."""

    op.create_table(
        "course",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("owner", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.LargeBinary(), nullable=False),
        sa.Column("join_code", sa.String(length=16), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("archived", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner"], ["learner.id"], name=op.f("fk_course_owner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_course")),
        sa.UniqueConstraint("join_code", name=op.f("uq_course_join_code")),
    )
    with op.batch_alter_table("course", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_course_owner"), ["owner"], unique=False)

    op.create_table(
        "identity",
        sa.Column("provider", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("learner", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner"], ["learner.id"], name=op.f("fk_identity_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("provider", "subject", name=op.f("pk_identity")),
    )
    with op.batch_alter_table("identity", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_identity_learner"), ["learner"], unique=False)

    op.create_table(
        "password_link",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("learner", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner"], ["learner.id"], name=op.f("fk_password_link_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_password_link")),
    )
    with op.batch_alter_table("password_link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_password_link_learner"), ["learner"], unique=False)

    op.create_table(
        "session",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("learner", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("idle_s", sa.Integer(), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("agent", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner"], ["learner.id"], name=op.f("fk_session_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session")),
        sa.UniqueConstraint("digest", name=op.f("uq_session_digest")),
    )
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_session_learner"), ["learner"], unique=False)

    op.create_table(
        "token",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("learner", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("name", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["learner"], ["learner.id"], name=op.f("fk_token_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("digest", name=op.f("uq_token_digest")),
    )
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_token_learner"), ["learner"], unique=False)

    op.create_table(
        "assignment",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("course", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("title", sa.LargeBinary(), nullable=False),
        sa.Column("opens", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["course"], ["course.id"], name=op.f("fk_assignment_course"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
    )
    with op.batch_alter_table("assignment", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_assignment_course"), ["course"], unique=False)

    op.create_table(
        "member",
        sa.Column("course", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("learner", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("joined", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["course"], ["course.id"], name=op.f("fk_member_course"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["learner"], ["learner.id"], name=op.f("fk_member_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("course", "learner", name=op.f("pk_member")),
    )
    with op.batch_alter_table("member", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_member_learner"), ["learner"], unique=False)

    op.create_table(
        "notice",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("learner", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("before", sa.String(length=40), nullable=False),
        sa.Column("after", sa.String(length=40), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner"], ["learner.id"], name=op.f("fk_notice_learner"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["number"], ["submission.number"], name=op.f("fk_notice_number"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
    )
    with op.batch_alter_table("notice", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_notice_learner"), ["learner"], unique=False)
        batch_op.create_index(batch_op.f("ix_notice_number"), ["number"], unique=False)

    op.create_table(
        "assigned",
        sa.Column(
            "assignment", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment"],
            ["assignment.id"],
            name=op.f("fk_assigned_assignment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("assignment", "position", name=op.f("pk_assigned")),
    )
    with op.batch_alter_table("learner", schema=None) as batch_op:
        batch_op.add_column(sa.Column("name", sa.String(length=80), nullable=True))
        batch_op.add_column(
            sa.Column("role", sa.String(length=8), server_default="learner", nullable=False)
        )
        batch_op.add_column(sa.Column("password", sa.String(length=200), nullable=True))
        batch_op.add_column(
            sa.Column("disabled", sa.Boolean(), server_default=sa.false(), nullable=False)
        )

    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("priority", sa.SmallInteger(), server_default="0", nullable=False)
        )
        batch_op.add_column(sa.Column("spec_digest", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("before_verdict", sa.String(length=40), nullable=True))
        batch_op.add_column(
            sa.Column("first_attempt", sa.Integer(), server_default="0", nullable=False)
        )
        batch_op.drop_index(batch_op.f("ix_submission_state_number"))
        batch_op.create_index(
            batch_op.f("ix_submission_state_priority_number"),
            ["state", "priority", "number"],
            unique=False,
        )


def downgrade() -> None:
    """Take it back."""

    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_submission_state_priority_number"))
        batch_op.create_index(
            batch_op.f("ix_submission_state_number"), ["state", "number"], unique=False
        )
        batch_op.drop_column("first_attempt")
        batch_op.drop_column("before_verdict")
        batch_op.drop_column("spec_digest")
        batch_op.drop_column("priority")

    with op.batch_alter_table("learner", schema=None) as batch_op:
        batch_op.drop_column("disabled")
        batch_op.drop_column("password")
        batch_op.drop_column("role")
        batch_op.drop_column("name")

    op.drop_table("assigned")
    with op.batch_alter_table("notice", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_notice_number"))
        batch_op.drop_index(batch_op.f("ix_notice_learner"))

    op.drop_table("notice")
    with op.batch_alter_table("member", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_member_learner"))

    op.drop_table("member")
    with op.batch_alter_table("assignment", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_assignment_course"))

    op.drop_table("assignment")
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_token_learner"))

    op.drop_table("token")
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_session_learner"))

    op.drop_table("session")
    with op.batch_alter_table("password_link", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_password_link_learner"))

    op.drop_table("password_link")
    with op.batch_alter_table("identity", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_identity_learner"))

    op.drop_table("identity")
    with op.batch_alter_table("course", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_course_owner"))

    op.drop_table("course")
