"""Writes plain values as Python expressions, so that a case can be pasted and run again."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch


class NoExpression(ValueError):
    """A value has no expression, or one that is too long."""


def to_python(value: Any, max_chars: int | None = None) -> str:
    """Return an expression over torch, np and math whose value is `value`.

    Args:
        value: built-in, NumPy and Torch values, nested.
        max_chars: longest expression wanted; None for any length.

    Raises:
        NoExpression: a value of another kind, or a longer one.

    Example:
        >>> to_python({"x": torch.tensor([1.0, float("nan")]), "k": 2})
        "{'x': torch.tensor([1.0, math.nan]), 'k': 2}"
    """
    text = _Writer(max_chars).write(value)
    if max_chars is not None and len(text) > max_chars:
        raise NoExpression(f"over {max_chars} characters")
    return text


class _Writer:
    def __init__(self, max_chars: int | None) -> None:
        self._left = max_chars

    def write(self, value: Any) -> str:
        match value:
            case bool() | None | int() | str() | bytes() | range():
                text = repr(value)
            case float():
                text = _float(value)
            case complex():
                text = f"complex({_float(value.real)}, {_float(value.imag)})"
            case list():
                text = f"[{self._items(value)}]"
            case tuple():
                text = f"({self._items(value)}{',' if len(value) == 1 else ''})"
            case dict():
                pairs = (f"{self.write(key)}: {self.write(item)}" for key, item in value.items())
                text = "{" + ", ".join(pairs) + "}"
            case set() | frozenset():
                items = "{" + self._items(sorted(value, key=repr)) + "}" if value else ""
                text = items if items and type(value) is set else f"{type(value).__name__}({items})"
            case torch.Tensor():
                text = self._tensor(value)
            case np.ndarray():
                text = self._array(value)
            case np.generic():
                item = value.item()
                if isinstance(item, np.generic):  # `longdouble`, which Python has no number for
                    raise NoExpression(f"a {value.dtype}")
                text = f"np.{value.dtype.name}({self.write(item)})"
            case torch.dtype():
                text = str(value)
            case np.dtype():
                text = f"np.dtype({value.str!r})"
            case _:
                raise NoExpression(f"a {type(value).__name__}")
        return text

    def _items(self, values: Any) -> str:
        parts = []
        for value in values:
            part = self.write(value)
            if self._left is not None:
                self._left -= len(part) + 2
                if self._left < 0:
                    raise NoExpression("too long")
            parts.append(part)
        return ", ".join(parts)

    def _array(self, value: np.ndarray[Any, Any]) -> str:
        if value.dtype.kind not in "biufc":
            raise NoExpression(f"an array of {value.dtype}")
        plain = value.dtype in (np.float64, np.int64, np.bool_) and value.size
        dtype = "" if plain else f", dtype=np.{'bool_' if value.dtype == bool else value.dtype}"
        # Axes from the longest stride to the shortest: laid out like this, then turned.
        axes = sorted(range(value.ndim), key=lambda axis: -abs(value.strides[axis]))
        if axes == list(range(value.ndim)) or value.size == 0:
            reshaped = f".reshape({value.shape})" if value.size == 0 and value.ndim > 1 else ""
            return f"np.array({self.write(value.tolist())}{dtype}){reshaped}"
        back = tuple(axes.index(axis) for axis in range(value.ndim))
        turned = self.write(value.transpose(axes).tolist())
        return f"np.array({turned}{dtype}).transpose({back})"

    def _tensor(self, value: torch.Tensor) -> str:
        if value.layout is not torch.strided or value.is_quantized:
            raise NoExpression(f"a tensor of layout {value.layout}")
        plain = value.dtype in (torch.float32, torch.int64, torch.bool) and value.numel()
        more = "" if plain else f", dtype={value.dtype}"
        more += ", requires_grad=True" if value.requires_grad else ""
        detached = value.detach()
        strides = value.stride()
        axes = sorted(range(value.ndim), key=lambda axis: -strides[axis])
        if axes == list(range(value.ndim)) or value.numel() == 0:
            empty = value.numel() == 0 and value.ndim > 1
            if empty:
                return f"torch.empty({tuple(value.shape)}{more or f', dtype={value.dtype}'})"
            return f"torch.tensor({self.write(detached.tolist())}{more})"
        back = tuple(axes.index(axis) for axis in range(value.ndim))
        turned = self.write(detached.permute(axes).tolist())
        return f"torch.tensor({turned}{more}).permute({back})"


def _float(value: float) -> str:
    if value != value:
        return "math.nan"
    if value in (float("inf"), float("-inf")):
        return "math.inf" if value > 0 else "-math.inf"
    return repr(value)
