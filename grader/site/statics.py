"""The files a page loads: named by content, so that a browser may keep them for good."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

_OWN: Final = Path(__file__).parent / "static"
_ASSETS: Final = Path(__file__).parents[1] / "assets"  # shared with the reports and the preview

FILES: Final[Mapping[str, Path]] = {
    "tokens.css": _ASSETS / "tokens.css",
    "site.css": _OWN / "site.css",
    "app.js": _OWN / "app.js",
    "editor.js": _OWN / "editor.js",
    "icon.svg": _OWN / "icon.svg",
    "latinmodern-math.woff2": _ASSETS / "latinmodern-math.woff2",
}
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


@dataclass(frozen=True)
class Static:
    """One file as it is sent."""

    body: bytes
    media_type: str
    digest: str


@cache
def static_file(name: str) -> Static | None:
    """Return a file by name, None for a name there is not."""
    path = FILES.get(name)
    if path is None:
        return None
    body = path.read_bytes()
    return Static(body, _TYPES[path.suffix], hashlib.sha256(body).hexdigest()[:16])


def static_url(name: str) -> str:
    """Return the address of a file that exists; it changes when the file does."""
    found = static_file(name)
    if found is None:
        raise KeyError(name)
    return f"/static/{name}?v={found.digest}"
