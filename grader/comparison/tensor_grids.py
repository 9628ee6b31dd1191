"""Strip tensors of any class, dtype and layout to grids, or refuse those that cannot be read.

Reading a tensor whose storage was freed is a crash, and a tensor may answer by running Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import torch

from grader.comparison.grid import Array, Grid, Index

_LAYOUTS: Final = {
    torch.strided: "dense",
    torch.sparse_coo: "sparse COO",
    torch.sparse_csr: "sparse CSR",
    torch.sparse_csc: "sparse CSC",
    torch.sparse_bsr: "sparse BSR",
    torch.sparse_bsc: "sparse BSC",
}

_NUMPY_READS: Final = frozenset(
    {
        *(torch.bool, torch.uint8, torch.uint16, torch.uint32, torch.uint64),
        *(torch.int8, torch.int16, torch.int32, torch.int64),
        *(torch.float16, torch.float32, torch.float64, torch.complex64, torch.complex128),
    }
)
# Tensors that answer by running Python, or that live inside a torch.func transform.
_FOREIGN_KEYS: Final = tuple(
    getattr(torch._C.DispatchKey, name)
    for name in ("Python", "FuncTorchBatched", "FuncTorchGradWrapper", "Functionalize")
)


def tensor_grid(value: Any) -> Grid:
    keys = torch._C._dispatch_keys(value)
    if any(keys.has(key) for key in _FOREIGN_KEYS):
        return _without_values((), "unknown", "opaque", "a tensor subclass without plain values")
    with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
        plain = value if type(value) is torch.Tensor else _stripped(value)
        # Called on the class: an attribute of the instance may have taken the method's name.
        plain = torch.Tensor.detach(plain)
        dtype = str(plain.dtype).removeprefix("torch.")
        if plain.is_nested:
            return Grid((), dtype, "nested", _no_block, tensor=plain)
        shape = tuple(plain.shape)
        layout = _LAYOUTS.get(plain.layout, shown_layout(plain.layout))
        reason = _why_unreadable(plain)
        if reason:
            return _without_values(shape, dtype, layout, reason)
        if layout.startswith("sparse"):
            return Grid(shape, dtype, layout, _no_block, tensor=plain)
        return Grid(shape, dtype, layout, _tensor_reader(plain))


def shown_layout(layout: torch.layout) -> str:
    """Return the name of a layout without its module."""
    return str(layout).removeprefix("torch.").strip("_")


def _stripped(value: Any) -> torch.Tensor:
    return torch.Tensor.as_subclass(value, torch.Tensor)


def _without_values(shape: tuple[int, ...], dtype: str, layout: str, reason: str) -> Grid:
    return Grid(shape, dtype, layout, _no_block, unreadable=reason)


def _no_block(index: Index) -> Array:
    raise ValueError("no dense values")


def _why_unreadable(plain: torch.Tensor) -> str:
    """Return why there are no values, "" if there are; reading them all the same could crash."""
    if plain.device.type == "meta":
        return "a meta tensor, which has no values,"
    if plain.layout is not torch.strided or plain._is_zerotensor():
        return ""
    if math.prod(plain.shape) == 0:
        return ""
    return "" if storage_is_whole(plain) else "a tensor whose storage was freed"


def storage_is_whole(plain: torch.Tensor) -> bool:
    """Tell whether every element of a dense tensor lies inside its storage."""
    reach = sum((size - 1) * step for size, step in zip(plain.shape, plain.stride(), strict=True))
    needed = (plain.storage_offset() + reach + 1) * plain.element_size()
    try:
        storage = plain.untyped_storage()
        return storage.nbytes() >= needed and storage.data_ptr() != 0
    except RuntimeError:
        return False


def _tensor_reader(plain: torch.Tensor) -> Callable[[Index], Array]:
    if plain.layout is not torch.strided:
        # mkldnn is opaque and cannot be cut, but it holds as much memory itself.
        return lambda index: as_array(plain.to_dense())[index]
    if plain.dtype in _NUMPY_READS and plain.device.type == "cpu" and _is_plain_view(plain):
        array = plain.numpy()
        return lambda index: array[index]
    return lambda index: as_array(plain[index] if index else plain)


def _is_plain_view(plain: torch.Tensor) -> bool:
    return not (plain.is_conj() or plain.is_neg() or plain._is_zerotensor())


def as_array(block: torch.Tensor) -> Array:
    """Return a dense tensor as an array, in a wider dtype where NumPy lacks its own.

    Raises:
        RuntimeError: Torch cannot convert the dtype either (int4, bits8).
    """
    if block.is_quantized:
        block = block.dequantize()
    if block._is_zerotensor():
        block = block.clone()
    block = block.resolve_conj().resolve_neg()
    if block.dtype is torch.complex32:
        block = block.to(torch.complex64)
    elif block.dtype not in _NUMPY_READS:
        block = block.to(torch.float32)
    array: Array = block.cpu().numpy()
    return array


def nested_parts(grid: Grid) -> list[torch.Tensor]:
    """Return the tensors inside a nested tensor."""
    assert grid.tensor is not None
    return list(torch.Tensor.unbind(grid.tensor))
