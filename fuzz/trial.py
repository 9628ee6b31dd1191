"""One trial: hostile bytes, made from a seed and a number, given to the reader."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from random import Random

from fuzz.mutate import join, mutate_body, mutate_bytes, mutate_value, split
from fuzz.samples import all_values
from grader import wire
from grader.frames import FrameBuffer, FrameError, pack_prefix

# Of a hundred trials: frames, blind mutations of values, of buffers; the rest know the header.
_FRAMES, _BLIND, _BODIES = 15, 15, 20
MAX_TRIAL_BYTES = 1 << 18


def load_samples() -> list[bytes]:
    """Return the valid values as bytes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [wire.encode(value) for value in all_values()]


def make(samples: list[bytes], seed: int, number: int) -> tuple[str, bytes]:
    """Return the kind and the bytes of a trial; the same for the same seed and number."""
    random = Random(f"{seed}/{number}")
    data, other = random.choice(samples), random.choice(samples)
    share = random.randrange(100)
    if share < _FRAMES:
        head = json.loads(json.dumps({"outcome": "returned", "changed": ["a"], "case": number}))
        frame = pack_prefix(head, len(data)) + data
        return "frame", mutate_bytes(random, frame, frame)[:MAX_TRIAL_BYTES]
    if share < _FRAMES + _BLIND:
        return "value", mutate_bytes(random, data, other)[:MAX_TRIAL_BYTES]
    if share < _FRAMES + _BLIND + _BODIES:
        return "value", mutate_body(random, data)
    if random.random() < 0.3:  # two values in one list
        (first, sizes), (second, more) = split(data)[0], split(other)[0]
        body = split(data)[1] + split(other)[1]
        data = join([["list", [first, second]], sizes + more], body)
    return "value", mutate_value(random, data, other)[:MAX_TRIAL_BYTES]


def attempt(kind: str, data: bytes) -> str:
    """Read the bytes; return the outcome.

    Raises:
        Exception: the reader let something else through than its own refusal.
        AssertionError: what was read cannot be written again as the same bytes.
    """
    return _attempt_frame(data) if kind == "frame" else attempt_value(data)


def _attempt_frame(data: bytes) -> str:
    buffer = FrameBuffer()
    rest = data
    try:
        while rest:
            step, rest = rest[:700], rest[700:]
            if buffer.feed(step) is not None:
                return "frame"
    except FrameError:
        return "refused"
    return "unfinished"


def attempt_value(data: bytes) -> str:
    """Decode, encode again, decode that, and show."""
    try:
        value = wire.decode(data)
    except wire.WireError:
        return "refused"
    outcome = "value"
    try:
        again = wire.encode(value)
    except wire.CannotCross:
        outcome = "value that cannot cross again"
    else:
        assert wire.encode(wire.decode(again)) == again, "not canonical"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _show(repr, value)
    return outcome


def _show(show: Callable[[object], str], value: object) -> None:
    try:
        show(value)
    except Exception:
        # Libraries cannot show every value they can hold; that they live is what matters.
        return
