"""What `summarize_obj` said of a value, as text."""

from __future__ import annotations

import json
from typing import Any


def summary_parts(summary: Any) -> tuple[str, str]:
    """Return the preview of a value and what kind it is of; the texts are not made safe.

    Args:
        summary: of `CaseResult`; not None.

    Example:
        >>> summary_parts({"type": "tensor", "preview": "[1.]", "dtype": "float32", "shape": [1]})
        ('[1.]', 'tensor, float32, shape (1)')
    """
    if not isinstance(summary, dict):
        return json.dumps(summary, ensure_ascii=False), ""
    about = [str(summary[key]) for key in ("type", "dtype") if summary.get(key) is not None]
    shape = summary.get("shape")
    if isinstance(shape, list):
        about.append(f"shape ({', '.join(map(str, shape))})")
    elif isinstance(summary.get("length"), int):
        about.append(f"length {summary['length']}")
    return str(summary.get("preview", "")), ", ".join(about)


def summary_line(summary: Any) -> str:
    """Return preview and kind on one line, `[1.] (tensor, float32, shape (1))`."""
    preview, about = summary_parts(summary)
    return f"{preview} ({about})" if about else preview
