"""In which time zone a visitor lives: what their browser said, else the machine's own."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from starlette.requests import Request


def zone_of(request: Request) -> tzinfo:
    """Return a visitor's time zone."""
    return (
        named_zone(unquote(request.cookies.get("zone", "")))
        or datetime.now(UTC).astimezone().tzinfo
        or UTC
    )


def named_zone(name: str) -> tzinfo | None:
    """Return a zone by name, "Asia/Ho_Chi_Minh" say; None for a name there is not."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):  # a name may be a path, a folder, or empty
        return None


def read_local(text: str, zone: tzinfo) -> datetime | None:
    """Return the moment of a form's field in a zone, None for an empty one.

    Args:
        text: as `<input type="datetime-local">` sends it.

    Raises:
        ValueError: it is no time.
    """
    if not text.strip():
        return None
    moment = datetime.fromisoformat(text.strip())
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def local_text(moment: datetime | None, zone: tzinfo) -> str:
    """Return a moment as such a field shows it."""
    return "" if moment is None else f"{moment.astimezone(zone):%Y-%m-%dT%H:%M}"
