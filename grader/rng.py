"""Random state, equal on both sides of the wall, for the code that has none of its own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

_numpy: Any = np.random  # NumPy's type hints leave out the two functions on bit generators
_OTHER_BITS = np.random.MT19937(0)


def seed_everything(seed: int) -> None:
    """Seed Python, NumPy and Torch.

    Args:
        seed: 0 to 2**32 - 1, NumPy's range.
    """
    random.seed(seed)
    np.random.seed(seed)
    # `torch.manual_seed` also asks every accelerator, 0.3 ms; there is none in the jail.
    torch.default_generator.manual_seed(seed)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Run a block under a seed and leave the state as it was."""
    python, numpy = random.getstate(), _numpy.get_bit_generator()
    torch_state = torch.default_generator.get_state()
    # Exchanging NumPy's generator takes 1 us, saving and restoring its state 70.
    _numpy.set_bit_generator(_OTHER_BITS)
    seed_everything(seed)
    try:
        yield
    finally:
        random.setstate(python)
        _numpy.set_bit_generator(numpy)
        torch.default_generator.set_state(torch_state)
