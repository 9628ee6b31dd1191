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
import zlib
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

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
from grader.site.store.migrate import is_current, newest_revision, upgrade
from grader.site.store.models import StoreRefused
from grader.site.store.tables import metadata, password_links, sessions

_FORMAT = 1
_ROWS = 200  # at a time, of some hundred KiB each
_MANIFEST = "manifest.json"
# What reading raises where bytes are not those that were written: a zip's own checks, its
# compression, a place before the file's beginning, what is taken for a method or a lock that zips
# may have, JSON, and what is missing in it.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError),
    *(ValueError, TypeError, KeyError),
)
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
        with os.fdopen(handle, "wb") as raw:
            with (
                zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive,
                engine.begin() as connection,
            ):
                manifest = _write(connection, archive)
                archive.writestr(_MANIFEST, json.dumps(manifest, indent=1))
            raw.flush()
            os.fsync(raw.fileno())  # the one it replaces may be the only other
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
        with archive.open(_member(table), "w", force_zip64=True) as member:
            for row in _rows(connection, table):
                line = json.dumps(_packed(table, row)).encode() + b"\n"
                member.write(line)
                digest.update(line)
                rows += 1
        tables[table.name] = {"rows": rows, "sha256": digest.hexdigest()}
    return {"format": _FORMAT, "revision": newest_revision(), "tables": tables}


def _member(table: Table) -> str:
    return f"{table.name}.jsonl"


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
        StoreRefused: the file is none, is damaged, or is of another version, all of which is
            seen before the database is touched; or the database holds something.
        OSError: the file cannot be read.
    """
    with file.open("rb") as raw:
        try:
            archive = zipfile.ZipFile(raw)
            rows = _checked(file, archive)
        except _DAMAGE as error:
            raise StoreRefused(
                f"{file} is no whole backup ({error}); nothing was restored"
            ) from error
        upgrade(url)
        try:
            _fill(url, archive)
        except IntegrityError as error:
            raise StoreRefused(f"{file}: {error.orig}; nothing was restored") from error
    return rows


def _checked(file: Path, archive: zipfile.ZipFile) -> dict[str, int]:
    """Return the rows by table that a backup has, once all of it is what its manifest says."""
    manifest = json.loads(archive.read(_MANIFEST))
    made_by = manifest["format"], manifest["revision"]
    if made_by != (_FORMAT, newest_revision()):
        raise StoreRefused(
            f"{file} was made by a version with format {made_by[0]} and revision {made_by[1]},"
            f" this one has {_FORMAT} and {newest_revision()}: restore it with that version, then"
            " run: grader site migrate"
        )
    found = {table.name: _measured(archive, table) for table in TABLES}
    if damaged := [name for name, about in found.items() if about != manifest["tables"][name]]:
        raise ValueError(f"damaged: {', '.join(damaged)}")
    return {name: about["rows"] for name, about in found.items()}


def _measured(archive: zipfile.ZipFile, table: Table) -> dict[str, Any]:
    """What the manifest says of a member, as it is found."""
    rows, digest = 0, hashlib.sha256()
    with archive.open(_member(table)) as member:
        for line in member:
            digest.update(line)
            rows += 1
    return {"rows": rows, "sha256": digest.hexdigest()}


def _fill(url: str, archive: zipfile.ZipFile) -> None:
    engine = open_engine(url)
    try:
        with engine.begin() as connection:
            _check_empty(connection)
            for table in TABLES:
                _read(connection, archive, table)
            if engine.dialect.name == "postgresql":
                _set_counters(connection)
    finally:
        engine.dispose()


def _check_empty(connection: Connection) -> None:
    for table in TABLES:
        if connection.scalar(select(func.count()).select_from(table)):
            raise StoreRefused(
                f"the database holds {table.name}s already; restore into an empty one"
            )


def _read(connection: Connection, archive: zipfile.ZipFile, table: Table) -> None:
    with archive.open(_member(table)) as member:
        while lines := list(islice(member, _ROWS)):
            rows = [_unpacked(table, json.loads(line)) for line in lines]
            connection.execute(insert(table), rows)


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
