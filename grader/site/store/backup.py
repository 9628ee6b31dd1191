"""Everything in a database as one file, and back, from either kind of database into either.

A backup is a zip with one member of JSON Lines a table and a manifest with what each must hold.
Sessions and password links are left out: after a disaster everybody signs in again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from alembic.migration import MigrationContext
from sqlalchemy import (
    Connection,
    DateTime,
    LargeBinary,
    Table,
    TypeDecorator,
    func,
    insert,
    select,
    text,
    type_coerce,
)
from sqlalchemy.exc import IntegrityError

from grader.site.store.engine import READING, open_engine
from grader.site.store.migrate import is_current, upgrade
from grader.site.store.models import StoreRefused
from grader.site.store.tables import metadata, password_links, sessions

_FORMAT = 1
_ROWS = 200  # at a time, of some hundred KiB each
_MANIFEST = "manifest.json"
TABLES = [table for table in metadata.sorted_tables if table not in (sessions, password_links)]


def backup(url: str, file: Path, *, replace: bool = False) -> dict[str, int]:
    """Write everything to a file, as it is at one moment; the site may be running.

    Args:
        file: readable to its owner only; it holds code and hashes of passwords.

    Returns:
        Rows by table.

    Raises:
        StoreRefused: the database is not up to date, or the file is there already.
        OSError: it cannot be written; then nothing is left of it.
    """
    if file.exists() and not replace:
        raise StoreRefused(f"{file} is there already; --force replaces it")
    scratch = file.with_name(f"{file.name}.{os.getpid()}.part")
    engine = open_engine(url)
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    engine = engine.execution_options(**{READING: True})
    try:
        handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with (
            os.fdopen(handle, "wb") as raw,
            zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive,
            engine.begin() as connection,
        ):
            manifest = _write(connection, archive)
            archive.writestr(_MANIFEST, json.dumps(manifest, indent=1))
        scratch.replace(file)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
    finally:
        engine.dispose()
    return {name: about["rows"] for name, about in manifest["tables"].items()}


def _write(connection: Connection, archive: zipfile.ZipFile) -> dict[str, Any]:
    if not is_current(connection):
        raise StoreRefused("the database is not up to date; run first: grader site migrate")
    tables = {}
    for table in TABLES:
        rows, digest = 0, hashlib.sha256()
        with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as member:
            for row in _rows(connection, table):
                line = json.dumps(_packed(table, row)).encode() + b"\n"
                member.write(line)
                digest.update(line)
                rows += 1
        tables[table.name] = {"rows": rows, "sha256": digest.hexdigest()}
    revision = MigrationContext.configure(connection).get_current_revision()
    return {"format": _FORMAT, "revision": revision, "tables": tables}


def _rows(connection: Connection, table: Table) -> Iterator[Any]:
    """The rows of a table in the order of its key, a few at a time."""
    ordered = select(*_raw(table)).order_by(*table.primary_key.columns)
    with connection.execute(ordered.execution_options(yield_per=_ROWS)) as found:
        yield from found.mappings()


def _raw(table: Table) -> list[Any]:
    """The columns as the database has them: what was sent must not be read and written anew."""
    return [
        type_coerce(column, LargeBinary).label(column.name)
        if isinstance(_plain(column), LargeBinary)
        else column
        for column in table.columns
    ]


def _plain(column: Any) -> Any:
    return getattr(column.type, "impl_instance", column.type)


def _packed(table: Table, row: Any) -> dict[str, Any]:
    return {column.name: _to_json(row[column.name]) for column in table.columns}


def _to_json(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(bytes(value)).decode("ascii")
    return value.isoformat() if isinstance(value, datetime) else value


def restore(file: Path, url: str) -> dict[str, int]:
    """Fill an empty database with a backup, wholly or not at all.

    Returns:
        Rows by table.

    Raises:
        StoreRefused: the file is none, is damaged, or is of another version; or the database
            holds something.
        OSError: the file cannot be read.
    """
    upgrade(url)
    engine = open_engine(url)
    try:
        with zipfile.ZipFile(file) as archive, engine.begin() as connection:
            manifest = _manifest(connection, file, archive)
            _check_empty(connection)
            for table in TABLES:
                _read(connection, file, archive, table, manifest["tables"][table.name])
            if engine.dialect.name == "postgresql":
                _set_counters(connection)
    except (zipfile.BadZipFile, IntegrityError, KeyError, EOFError) as error:
        raise StoreRefused(f"{file} is no whole backup ({error}); nothing was restored") from error
    finally:
        engine.dispose()
    return {name: about["rows"] for name, about in manifest["tables"].items()}


def _manifest(connection: Connection, file: Path, archive: zipfile.ZipFile) -> dict[str, Any]:
    with suppress(ValueError):
        manifest = json.loads(archive.read(_MANIFEST))
        revision = MigrationContext.configure(connection).get_current_revision()
        if manifest.get("format") == _FORMAT and manifest.get("revision") == revision:
            return dict(manifest)
        raise StoreRefused(
            f"{file} was made by a version with format {manifest.get('format')} and revision"
            f" {manifest.get('revision')}, this one has {_FORMAT} and {revision}: restore it with"
            " that version, then run: grader site migrate"
        )
    raise StoreRefused(f"{file}: {_MANIFEST} is no JSON; nothing was restored")


def _check_empty(connection: Connection) -> None:
    for table in TABLES:
        if connection.scalar(select(func.count()).select_from(table)):
            raise StoreRefused(
                f"the database holds {table.name}s already; restore into an empty one"
            )


def _read(
    connection: Connection, file: Path, archive: zipfile.ZipFile, table: Table, about: Any
) -> None:
    count, digest = 0, hashlib.sha256()
    with archive.open(f"{table.name}.jsonl") as member:
        for lines in _batches(member):
            for line in lines:
                digest.update(line)
            rows = [_unpacked(table, json.loads(line)) for line in lines]
            connection.execute(insert(table), rows)
            count += len(rows)
    if count != about["rows"] or digest.hexdigest() != about["sha256"]:
        raise StoreRefused(f"{file}: {table.name}.jsonl is damaged; nothing was restored")


def _batches(member: IO[bytes]) -> Iterator[list[bytes]]:
    lines: list[bytes] = []
    for line in member:
        lines.append(line)
        if len(lines) == _ROWS:
            yield lines
            lines = []
    if lines:
        yield lines


def _unpacked(table: Table, values: dict[str, Any]) -> dict[str, Any]:
    return {column.name: _from_json(column, values[column.name]) for column in table.columns}


def _from_json(column: Any, value: Any) -> Any:
    if value is None:
        return None
    plain = _plain(column)
    if isinstance(plain, LargeBinary):
        raw = base64.b64decode(value)
        # What a type of ours reads of bytes, it writes as the same bytes.
        own = isinstance(column.type, TypeDecorator)
        return column.type.process_result_value(raw, None) if own else raw
    return datetime.fromisoformat(value) if isinstance(plain, DateTime) else value


def _set_counters(connection: Connection) -> None:
    """Let PostgreSQL count on from what was restored."""
    for table in TABLES:
        key = list(table.primary_key.columns)
        if len(key) != 1 or not key[0].autoincrement or key[0].foreign_keys:
            continue
        name = key[0].name
        connection.execute(
            text(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', '{name}'),"
                f" (SELECT COALESCE(MAX({name}), 0) + 1 FROM {table.name}), false)"
            )
        )
