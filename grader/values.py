"""Plain values for what Python has no plain value for: a raised and a returned exception.

Code outside the wall never holds an exception object of a submission, only these.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ExceptionValue:
    """An exception as data.

    Attributes:
        type_names: class names along the method resolution order, most derived
            first, `object` left out: `("KeyError", "LookupError", "Exception",
            "BaseException")`.
        message: `str()` of the exception, bounded.
    """

    type_names: tuple[str, ...]
    message: str

    @property
    def type_name(self) -> str:
        """Name of the exception's own class."""
        return self.type_names[0] if self.type_names else "Exception"


@dataclass(frozen=True)
class Raised:
    """The outcome of a call that raised instead of returning; never equal to a returned value."""

    exception: ExceptionValue
