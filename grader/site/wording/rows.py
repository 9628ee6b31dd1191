"""How words are written down: a key, then English, Chinese, Vietnamese."""

from __future__ import annotations

Rows = dict[str, tuple[str, str, str]]
