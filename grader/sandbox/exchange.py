"""What an exchange with a child may take, what came of it, and the ways it can end early."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class Stopped(Exception):
    """The child did not answer properly and is dead or about to be."""


class LimitHit(Stopped):
    """It used more than it may; `kind` is "time", "wall", "memory" or "threads"."""

    def __init__(self, kind: str, used: Usage) -> None:
        super().__init__(kind)
        self.kind = kind
        self.used = used


class Died(Stopped):
    """It ended by itself: `exit` as in `os.waitstatus_to_exitcode`, None if it only hung up."""

    def __init__(self, exit_code: int | None, used: Usage) -> None:
        super().__init__(f"exit {exit_code}")
        self.exit = exit_code
        self.used = used


class Breach(Stopped):
    """It wrote what no program of ours writes."""

    def __init__(self, reason: str, used: Usage) -> None:
        super().__init__(reason)
        self.used = used


@dataclass(frozen=True)
class Usage:
    """What one exchange took: CPU and wall seconds, and the most MiB seen above the baseline."""

    cpu_s: float = 0.0
    wall_s: float = 0.0
    memory_mb: float = 0.0


@dataclass(frozen=True)
class Allowance:
    """What one exchange may take; None: not watched."""

    wall_s: float
    cpu_s: float | None = None
    memory_bytes: int | None = None


@dataclass(frozen=True)
class Answer:
    """A whole frame from a child, and what it took."""

    head: dict[str, Any]
    body: memoryview
    used: Usage
