"""How many nodes a batch needs, and for how long: plain arithmetic on measured numbers.

A plan is as good as its milliseconds a submission, and those are the submissions' own. Measure
yours: judge a few hundred with `grader batch`; cores * seconds * 1000 / submissions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from grader.batch.ray_pool import WORKERS_PER_ACTOR

# Every second solution of the bundle, right and wrong, 135 of 17 problems: CPU time of all
# processes, referee and fork included. One tiny case takes 8 to 14 ms (`make bench`: throughput).
CPU_MS_PER_SUBMISSION = 80.0
# Ray's engine beside the local pool on the same cores, at least.
ENGINE_SHARE = 0.85
# What one driver can hand out and take in: 0.6 ms of its time a report.
DRIVER_PER_SECOND = 1_500.0
# MiB of a node's memory (PSS): Ray itself; the process that holds a grader; its zygote with
# torch loaded; a waiting worker; a warm referee, of which a grader keeps 32 at most.
RAY_MB = 435
ACTOR_MB = 100
ZYGOTE_MB = 350
WORKER_MB = 5
REFEREE_MB = 15
REFEREES = 32
# The most that a problem of the bundle allows a submission, MiB above the baseline.
MEMORY_LIMIT_MB = 512
# One line of the output, four cases.
RECORD_BYTES = 4_000

_HOUR_S = 3600.0


@dataclass(frozen=True)
class Plan:
    """What a batch takes.

    Attributes:
        per_second: submissions a second on all nodes.
        hours: from the first submission to the last report.
        core_hours: what is paid for.
        nodes_for_an_hour: how many would be done within one; None where one driver is too few.
        quiet_mb: memory of a node that judges small submissions.
        worst_mb: with every worker at the memory limit.
        output_bytes: of the records, not compressed.
    """

    submissions: int
    cores_per_node: int
    nodes: int
    cpu_ms_per_submission: float
    per_second_per_core: float
    per_second: float
    hours: float
    core_hours: float
    nodes_for_an_hour: int | None
    quiet_mb: int
    worst_mb: int
    output_bytes: int


def plan(
    submissions: int,
    cores_per_node: int,
    nodes: int = 1,
    cpu_ms_per_submission: float = CPU_MS_PER_SUBMISSION,
) -> Plan:
    """Return what a batch takes on `nodes` equal nodes, one worker a core.

    Raises:
        ValueError: a number is not above zero.

    Example:
        >>> round(plan(1_000_000, 16, nodes=4).hours, 2)
        0.41
    """
    for name, value in (
        ("submissions", submissions),
        ("cores per node", cores_per_node),
        ("nodes", nodes),
        ("CPU milliseconds per submission", cpu_ms_per_submission),
    ):
        if not (value > 0 and math.isfinite(value)):
            raise ValueError(f"{name}: above zero expected, got {value}")
    per_core = 1000 / cpu_ms_per_submission * ENGINE_SHARE
    per_second = min(per_core * cores_per_node * nodes, DRIVER_PER_SECOND)
    seconds = submissions / per_second
    quiet_mb = _quiet_mb(cores_per_node)
    return Plan(
        submissions=submissions,
        cores_per_node=cores_per_node,
        nodes=nodes,
        cpu_ms_per_submission=cpu_ms_per_submission,
        per_second_per_core=per_core,
        per_second=per_second,
        hours=seconds / _HOUR_S,
        core_hours=seconds * cores_per_node * nodes / _HOUR_S,
        nodes_for_an_hour=_nodes_for_an_hour(submissions, per_core * cores_per_node),
        quiet_mb=quiet_mb,
        worst_mb=quiet_mb + cores_per_node * MEMORY_LIMIT_MB,
        output_bytes=submissions * RECORD_BYTES,
    )


def plan_table(made: Plan) -> str:
    """Return the plan as lines of name and value."""
    rows = [
        ("submissions", f"{made.submissions:,}"),
        ("cores", f"{made.nodes} x {made.cores_per_node}"),
        ("CPU time a submission", f"{made.cpu_ms_per_submission:g} ms"),
        ("a core judges", f"{made.per_second_per_core:,.1f} a second"),
        ("all judge", f"{made.per_second:,.0f} a second"),
        ("time", _duration(made.hours)),
        ("core-hours", f"{made.core_hours:,.2f}"),
        ("nodes to be done within an hour", _count(made.nodes_for_an_hour)),
        ("memory a node, small submissions", f"{made.quiet_mb / 1024:,.1f} GiB"),
        (f"    every one at {MEMORY_LIMIT_MB} MiB", f"{made.worst_mb / 1024:,.1f} GiB"),
        ("records written", f"{made.output_bytes / 1e9:,.2f} GB"),
    ]
    return "\n".join(f"{name:<34} {value:>16}" for name, value in rows)


def print_plan(made: Plan) -> None:
    """Print the table, and what it rests on."""
    print(plan_table(made))
    if made.cpu_ms_per_submission == CPU_MS_PER_SUBMISSION:
        print(
            f"\n{CPU_MS_PER_SUBMISSION:g} ms is what the bundle's own solutions take. Measure yours"
            " with a few hundred:\n"
            "cores * seconds * 1000 / submissions, given as --cpu-ms-per-submission."
        )


def _nodes_for_an_hour(submissions: int, node_per_second: float) -> int | None:
    if submissions > DRIVER_PER_SECOND * _HOUR_S:
        return None
    return math.ceil(submissions / (node_per_second * _HOUR_S))


def _quiet_mb(cores: int) -> int:
    graders = math.ceil(cores / WORKERS_PER_ACTOR)
    each = ACTOR_MB + ZYGOTE_MB + WORKER_MB + REFEREES * REFEREE_MB
    return RAY_MB + graders * each + cores * WORKER_MB


def _count(nodes: int | None) -> str:
    return "several runs" if nodes is None else f"{nodes:,}"


def _duration(hours: float) -> str:
    """A length of time in the unit that people would use."""
    if hours < 1 / 60:
        return f"{hours * _HOUR_S:.0f} s"
    if hours < 1:
        return f"{hours * 60:.1f} min"
    return f"{hours:,.1f} h"
