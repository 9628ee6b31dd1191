"""What one submission may use, and how large anything that crosses the wall may be."""

from __future__ import annotations

from dataclasses import asdict, dataclass

MIB = 1 << 20

# A value that crosses the wall. A 100 MB tensor is the largest answer a problem of the
# catalogue asks for; twice that leaves room without letting one reply fill the machine.
MAX_VALUE_BYTES = 256 * MIB
# Nodes of a value after unfolding shared references; at most 512 bytes each once decoded.
MAX_VALUE_NODES = 1_000_000
# Far deeper than any honest result, far below Python's recursion limit of 1,000.
MAX_VALUE_DEPTH = 64
# The JSON part of a value; one million short numbers fit.
MAX_VALUE_HEADER_BYTES = 32 * MIB
# The head of a frame: texts of a bounded size, never values.
MAX_HEAD_BYTES = 1 * MIB
MAX_SOURCE_BYTES = 256 * 1024
# Captured text a case, per stream, that reaches the report.
MAX_CAPTURED_CHARS = 4_096
# Printed bytes a case before the case is stopped.
MAX_PRINTED_BYTES = 1 * MIB
MAX_MESSAGE_CHARS = 2_000
# Cases that may run into the time limit. The verdict stands after the first; each further one
# would be waited for in full, by the learner and by those behind.
MAX_TIMED_OUT = 3
# An argument of a drawn case, as Python, in the report; `grader case` prints all of it.
MAX_SHOWN_INPUT_CHARS = 2_000


@dataclass(frozen=True)
class Limits:
    """Limits of one submission.

    Attributes:
        time_limit_s: CPU seconds of the submission's process in one case, all threads
            counted; the module level counts as a case of its own.
        wall_limit_s: seconds on the clock in one case, for those who sleep.
        memory_limit_mb: MiB above the warm baseline, touched or not.
        output_limit_bytes: printed bytes in one case.
        total_wall_s: seconds on the clock for the whole submission, and two more for
            each CPU second it used; a case not begun by then fails.
    """

    time_limit_s: float
    wall_limit_s: float
    memory_limit_mb: int
    output_limit_bytes: int
    total_wall_s: float

    @staticmethod
    def of(time_limit_s: float, memory_limit_mb: int, cases: int) -> Limits:
        """Derive all limits from the two a spec states and its number of cases."""
        wall_limit_s = 3 * time_limit_s + 2
        return Limits(
            time_limit_s=time_limit_s,
            wall_limit_s=wall_limit_s,
            memory_limit_mb=memory_limit_mb,
            output_limit_bytes=MAX_PRINTED_BYTES,
            # Two sleepers are waited for in full; an honest slow solution has its time.
            total_wall_s=2 * wall_limit_s + time_limit_s * cases,
        )

    def to_dict(self) -> dict[str, float]:
        """Return the limits as the report shows them."""
        return asdict(self)
