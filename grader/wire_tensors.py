"""How Torch values cross: dense and sparse tensors on the CPU, sizes, dtypes, devices."""

from __future__ import annotations

import re
import warnings
from typing import Any

import torch

from grader.wire import (
    JSON_INT,
    READERS,
    WRITERS,
    CannotCross,
    Decoder,
    Encoder,
    Node,
    WireError,
    fields,
)
from grader.wire_arrays import memory_order, read_order, read_shape, read_sizes, room_of

_PLAIN_NAMES = (
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
    "float16", "bfloat16", "float32", "float64", "complex32", "complex64", "complex128",
    "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
)  # fmt: skip
# A build older than a dtype simply lacks it.
_DTYPES: dict[str, torch.dtype] = {
    name: getattr(torch, name) for name in _PLAIN_NAMES if hasattr(torch, name)
}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_COMPRESSED = {
    torch.sparse_csr: "csr", torch.sparse_csc: "csc", torch.sparse_bsr: "bsr",
    torch.sparse_bsc: "bsc",
}  # fmt: skip
_LAYOUTS = {name: layout for layout, name in _COMPRESSED.items()}
# Looked up in this table only: `getattr(torch, name)` would import a module of that name.
_ALL_DTYPES: dict[str, torch.dtype] = {
    name: value for name, value in vars(torch).items() if isinstance(value, torch.dtype)
}
# Torch keeps the number in eight bits: 999 would become -25.
_DEVICE = re.compile(r"[a-z]{1,20}(:(\d|[1-9]\d|1[01]\d|12[0-7]))?")
_MAX_NDIM = 64
# A tensor takes about a kilobyte beside its elements.
_TENSOR_PARTS = 4


def _hush_torch() -> None:
    """Have Torch say now, and nobody hear, what it says once a process: that CSR is new."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        zero, one = torch.tensor([0, 0]), torch.tensor([0])
        torch.sparse_compressed_tensor(
            zero, one[:0], one[:0], (1, 1), layout=torch.sparse_csr, check_invariants=True
        )


_hush_torch()


def _write_tensor(encoder: Encoder, value: torch.Tensor, depth: int) -> Node:
    with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
        plain = value
        if type(value) is not torch.Tensor:
            plain = torch.Tensor.as_subclass(value, torch.Tensor)
        _refuse_valueless(plain)
        try:
            if plain.layout is torch.strided:
                return _write_dense(encoder, plain)
            return _write_sparse(encoder, plain, depth)
        except (RuntimeError, NotImplementedError) as error:
            raise CannotCross(f"a tensor that cannot be read: {str(error)[:200]}") from None


def _refuse_valueless(tensor: torch.Tensor) -> None:
    reason = (
        "a meta tensor cannot be returned: it has no values" if tensor.is_meta
        else f"a tensor on {tensor.device} cannot be returned, call .cpu()"
        if tensor.device.type != "cpu"
        else "a quantized tensor cannot be returned, call .dequantize()" if tensor.is_quantized
        else "a nested tensor cannot be returned, call .to_padded_tensor()" if tensor.is_nested
        else f"a tensor of dtype {tensor.dtype} cannot be returned" if tensor.dtype not in _NAMES
        else f"a tensor of over {_MAX_NDIM} dimensions cannot be returned"
        if tensor.ndim > _MAX_NDIM
        else None
    )  # fmt: skip
    if reason is not None:
        raise CannotCross(reason)


def _write_dense(encoder: Encoder, tensor: torch.Tensor) -> Node:
    shape, itemsize = list(tensor.shape), tensor.element_size()
    encoder.spend(_TENSOR_PARTS)
    encoder.reserve(room_of(shape) * itemsize)
    _refuse_freed(tensor)
    # Lazy conjugate and negative views are resolved: the bytes are then the values.
    resolved = tensor.detach().resolve_conj().resolve_neg()
    order = memory_order(shape, resolved.stride())
    # One element, or none, is contiguous with any stride, but cannot be viewed as bytes then.
    flat = resolved.permute(order).contiguous().as_strided((resolved.numel(),), (1,))
    raw = flat.view(torch.uint8)
    if flat.dtype is torch.bool:
        raw = (raw != 0).view(torch.uint8)  # any other byte would count as true, here and there
    encoder.add_buffer(raw.numpy().data if flat.numel() else memoryview(b""))
    grad = encoder.with_grad and bool(tensor.requires_grad)
    return ["tensor", _NAMES[tensor.dtype], shape, order, grad]


def _refuse_freed(tensor: torch.Tensor) -> None:
    """A storage shrunk after the fact would be read beyond its end."""
    if tensor.numel() == 0:
        return
    last = sum((n - 1) * step for n, step in zip(tensor.shape, tensor.stride(), strict=True))
    needed = (tensor.storage_offset() + last + 1) * tensor.element_size()
    if tensor.untyped_storage().nbytes() < needed:
        raise CannotCross("a tensor whose storage was freed cannot be returned")


def _read_dense(decoder: Decoder, node: list[Any], depth: int) -> torch.Tensor:
    name, shape, order, grad = fields(node, str, list, list, bool)
    dtype = _DTYPES.get(name)
    if dtype is None:
        raise WireError("a dtype that may not cross")
    decoder.spend(_TENSOR_PARTS)
    data = decoder.take_buffer()
    sizes = read_shape(shape, dtype.itemsize, len(data))
    inverse = read_order(order, len(sizes))
    stored = [sizes[axis] for axis in order]
    if data:
        flat = torch.frombuffer(bytearray(data), dtype=dtype)
        if dtype is torch.bool and int(flat.view(torch.uint8).max()) > 1:
            raise WireError("a bool that is neither true nor false")
        tensor = flat.reshape(stored).permute(inverse)
    else:
        tensor = torch.empty(stored, dtype=dtype, device="cpu").permute(inverse)
    return tensor.requires_grad_(True) if grad else tensor


def _write_sparse(encoder: Encoder, tensor: torch.Tensor, depth: int) -> Node:
    coalesced = False
    if tensor.layout is torch.sparse_coo:
        parts = [tensor._indices(), tensor._values()]
        name, coalesced = "coo", tensor.is_coalesced()
    elif tensor.layout in _COMPRESSED:
        rows = tensor.layout in (torch.sparse_csr, torch.sparse_bsr)
        parts = [
            tensor.crow_indices() if rows else tensor.ccol_indices(),
            tensor.col_indices() if rows else tensor.row_indices(),
            tensor.values(),
        ]
        name = _COMPRESSED[tensor.layout]
    else:
        raise CannotCross(f"a tensor of layout {tensor.layout} cannot be returned")
    encoder.spend(_TENSOR_PARTS)
    grad = encoder.with_grad and bool(tensor.requires_grad)
    nodes = [encoder.encode(part.detach(), depth + 1) for part in parts]
    return ["sparse", name, coalesced, list(tensor.shape), nodes, grad]


def _read_sparse(decoder: Decoder, node: list[Any], depth: int) -> torch.Tensor:
    name, coalesced, shape, nodes, grad = fields(node, str, bool, list, list, bool)
    sizes = read_sizes(shape)
    if room_of(sizes) >= 1 << 62:
        raise WireError("a shape out of bounds")
    decoder.spend(_TENSOR_PARTS)
    parts = [decoder.decode(part, depth + 1) for part in nodes]
    if not all(type(part) is torch.Tensor and part.layout is torch.strided for part in parts):
        raise WireError("a sparse tensor of no tensors")
    if not all(part.dtype in (torch.int32, torch.int64) for part in parts[:-1]):
        raise WireError("indices that are no ints")
    parts = [part.detach() for part in parts]
    if name == "coo" and len(parts) == 2:
        tensor = torch.sparse_coo_tensor(
            parts[0], parts[1], sizes, check_invariants=True, is_coalesced=coalesced
        )
    elif name in _LAYOUTS and len(parts) == 3:
        # Torch divides by the sides of a block.
        if name in ("bsr", "bsc") and 0 in parts[2].shape[parts[0].ndim :][:2]:
            raise WireError("blocks of no size")
        tensor = torch.sparse_compressed_tensor(
            parts[0], parts[1], parts[2], sizes, layout=_LAYOUTS[name], check_invariants=True
        )
    else:
        raise WireError("a sparse layout that is unknown")
    return tensor.requires_grad_(True) if grad else tensor


def _write_size(encoder: Encoder, value: torch.Size, depth: int) -> Node:
    sizes = [int(n) for n in tuple.__iter__(value)]
    encoder.spend(len(sizes))
    return ["torch.size", sizes]


def _read_size(decoder: Decoder, node: list[Any], depth: int) -> torch.Size:
    (sizes,) = fields(node, list)
    decoder.spend(len(sizes))
    if not all(type(n) is int and -JSON_INT <= n < JSON_INT for n in sizes):
        raise WireError("a size of no ints")
    return torch.Size(sizes)


def _write_dtype(encoder: Encoder, value: torch.dtype, depth: int) -> Node:
    return ["torch.dtype", str(value).removeprefix("torch.")]


def _read_dtype(decoder: Decoder, node: list[Any], depth: int) -> torch.dtype:
    (name,) = fields(node, str)
    dtype = _ALL_DTYPES.get(name)
    if dtype is None:
        raise WireError("a dtype that is none")
    return dtype


def _write_device(encoder: Encoder, value: torch.device, depth: int) -> Node:
    return ["torch.device", str(value)]


def _read_device(decoder: Decoder, node: list[Any], depth: int) -> torch.device:
    (name,) = fields(node, str)
    if not _DEVICE.fullmatch(name):
        raise WireError("a device that is none")
    return torch.device(name)


WRITERS.update(
    {
        torch.Tensor: _write_tensor,
        torch.Size: _write_size,
        torch.dtype: _write_dtype,
        torch.device: _write_device,
    }
)
READERS.update(
    {
        "tensor": _read_dense,
        "sparse": _read_sparse,
        "torch.size": _read_size,
        "torch.dtype": _read_dtype,
        "torch.device": _read_device,
    }
)
