"""Revisions of the tables, in order; Alembic runs them through `grader.site.store.migrate`."""
