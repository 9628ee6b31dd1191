"""Strip any array or tensor to a grid."""

from __future__ import annotations

from typing import Any

import torch

from grader.comparison.array_grids import array_grid
from grader.comparison.grid import Grid
from grader.comparison.kinds import has_base
from grader.comparison.tensor_grids import tensor_grid


def grid_of(value: Any) -> Grid:
    """Return the grid of an array or tensor; never calls a method of a subclass."""
    return tensor_grid(value) if has_base(value, torch.Tensor) else array_grid(value)
