"""Pays for first calls once, in the zygote, so that no submission pays for them.

Each entry is slow or opens files the first time, and would fail or stall inside the jail.
Measured with torch 2.13 on two cores: `assert_close` 440 ms, the first optimizer 405 ms
(it imports `torch._dynamo`), LSTM 33 ms, the rest under 5 ms each.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import logging
import tempfile
import warnings
from collections.abc import Callable

import numpy as np
import torch

# Python 3.11 specialises a function's code after 8 runs, and again where that was wrong.
_REHEARSALS = 30
# So many blocks in a row from the top of the heap: there is no hole of this size left.
_ENOUGH_FRESH = 20
# Modules that submissions import and that are not loaded by torch itself.
_LATE_MODULES = (
    "collections", "copy", "dataclasses", "decimal", "difflib", "enum", "fractions", "functools",
    "heapq", "itertools", "json", "math", "operator", "queue", "random", "re", "statistics",
    "string", "textwrap", "time", "traceback", "typing", "unittest.mock", "uuid", "zlib",
    "concurrent.futures.thread", "numpy.testing", "numpy.polynomial", "torch.testing",
    "torch._dynamo", "torch.distributions", "torch.func", "torch.fx", "torch.nn.utils.rnn",
    "torch.optim.lr_scheduler", "torch.utils.checkpoint", "torch.utils.data", "encodings.idna",
    "encodings.latin_1", "encodings.ascii",
)  # fmt: skip


def warm_up() -> None:
    """Load and run once what submissions commonly use."""
    # Named without looking: torch asks for it while loading, and on a read-only host there is
    # none to be found. Nothing is ever written there.
    tempfile.tempdir = "/tmp"
    torch.set_num_threads(1)  # before any operation: no thread pool may exist at the fork
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in _LATE_MODULES:
            importlib.import_module(name)
        _run_torch()
        _run_numpy()
    # An import looks its folders up in a cache; filled now, it need not list them in the jail.
    importlib.util.find_spec("a_module_that_is_not_there")
    # Forks walk this set to renew each handler's lock; a child logs to nowhere.
    weakset = getattr(logging, "_at_fork_reinit_lock_weakset", None)
    if weakset is not None:
        weakset.clear()


def settle(rehearse: Callable[[], None]) -> None:
    """Make the memory that is about to be forked as quiet as it can be.

    A child pays about 4 us for each inherited page it writes to. So the interpreter has
    specialised the code that every child runs, what is allocated from now on lies together,
    and the collector never looks at what is here.

    Args:
        rehearse: runs once through what every child does.
    """
    for _ in range(_REHEARSALS):
        rehearse()
    gc.collect()
    _fill_holes()
    gc.freeze()


def _fill_holes() -> None:
    """Take the free blocks scattered over the heap, for good.

    Children then allocate from its top, page after page, not a block in each of hundreds of
    pages that would have to be copied. Takes some 5 MB.
    """
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes = [ctypes.c_size_t]
    top = libc.malloc(1 << 16)
    for size in (*range(4080, 1024, -64), *range(1024, 8, -16)):
        fresh = 0
        while fresh < _ENOUGH_FRESH:
            block = libc.malloc(size)
            if block is None:
                return
            fresh = fresh + 1 if block > top else 0


def _run_torch() -> None:
    x = torch.randn(4, 4, requires_grad=True)
    torch.testing.assert_close(x.detach(), x.detach().clone())
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
    optimizer = torch.optim.Adam(model.parameters())
    model(x).sum().backward()
    optimizer.step()
    torch.nn.LSTM(4, 4)(torch.randn(2, 1, 4))
    torch.nn.MultiheadAttention(4, 2)(x, x, x)
    torch.nn.functional.conv2d(torch.randn(1, 1, 5, 5), torch.randn(1, 1, 3, 3))
    heads = torch.randn(1, 2, 3, 4)
    torch.nn.functional.scaled_dot_product_attention(heads, heads, heads)
    torch.nn.functional.cross_entropy(torch.randn(2, 3), torch.tensor([0, 1]))
    torch.linalg.svd(torch.randn(3, 3))
    torch.fft.fft(torch.randn(4))
    torch.func.vmap(torch.func.grad(lambda y: (y * y).sum()))(torch.randn(2, 3))
    torch.einsum("ij,jk->ik", x, x)
    torch.eye(2).to_sparse()
    torch.eye(2).to_sparse_csr()
    torch.distributions.Normal(0.0, 1.0).rsample()
    torch.manual_seed(0)
    repr(x)


def _run_numpy() -> None:
    a = np.random.default_rng(0).normal(size=(4, 4))
    np.linalg.svd(a @ a.T)
    np.linalg.inv(a)
    np.fft.fft(a)
    np.einsum("ij,jk->ik", a, a)
    np.random.seed(0)
    np.ma.array(a, mask=a > 0).mean()
    repr(a)
