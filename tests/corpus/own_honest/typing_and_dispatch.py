"""honest: typing_and_dispatch
kind: honest
expect: accepted
Uses protocols, generics, enums, slots and single dispatch.
"""

import enum
import functools
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar, runtime_checkable

T = TypeVar("T")


@runtime_checkable
class HasRate(Protocol):
    def rate(self) -> float: ...


@dataclass(slots=True)
class Pair(Generic[T]):
    hit: T
    missed: T
    eps: float = field(default=1e-12, kw_only=True)

    def rate(self) -> float:
        return self.hit / (self.hit + self.missed + self.eps)


class Side(enum.Enum):
    POSITIVE = enum.auto()
    NEGATIVE = enum.auto()


@functools.singledispatch
def rate_of(value):
    raise TypeError


@rate_of.register
def _(value: Pair):
    assert isinstance(value, HasRate)
    return value.rate()


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    sides = {Side.POSITIVE: Pair(tp, fn, eps=eps), Side.NEGATIVE: Pair[int](tn, fp, eps=eps)}
    tpr, tnr = (rate_of(sides[side]) for side in Side)
    return tpr, tnr, (tpr + tnr) / 2
