"""Planning is arithmetic; here it is done by hand."""

from __future__ import annotations

import pytest

from grader.batch.plan import plan, plan_table, print_plan


def test_a_million_submissions_by_hand() -> None:
    """80 ms at 85 %: 10.625 a second a core, 680 on 64 cores, 1,471 seconds."""
    made = plan(1_000_000, cores_per_node=16, nodes=4)
    assert made.per_second_per_core == pytest.approx(10.625)
    assert made.per_second == pytest.approx(680)
    assert made.hours == pytest.approx(0.40850, rel=1e-4)
    assert made.core_hours == pytest.approx(26.144, rel=1e-4)
    assert made.nodes_for_an_hour == 2
    assert made.output_bytes == 4_000_000_000


def test_one_driver_bounds_what_nodes_can_do() -> None:
    """A hundred nodes of 64 cores would judge 68,000 a second, and nobody would take it in."""
    made = plan(6_000_000, cores_per_node=64, nodes=100)
    assert made.per_second == 1_500
    assert made.hours == pytest.approx(1.1111, rel=1e-4)
    assert made.nodes_for_an_hour is None
    assert "several runs" in plan_table(made)


def test_slow_submissions_need_more_nodes() -> None:
    """850 ms each is one a second a core: 8 cores do 28,800 an hour."""
    made = plan(100_000, cores_per_node=8, nodes=2, cpu_ms_per_submission=850.0)
    assert made.per_second == pytest.approx(16.0)
    assert made.hours == pytest.approx(1.7361, rel=1e-4)
    assert made.nodes_for_an_hour == 4


@pytest.mark.parametrize(
    ("cores", "quiet_mb", "worst_mb"),
    [
        # One grader: 435 + (100 + 350 + 5 + 32 * 15) + 2 * 5, and 2 * 512 more.
        (2, 1_380, 2_404),
        # Five workers need a second grader.
        (4, 1_390, 3_438),
        (5, 2_330, 4_890),
    ],
)
def test_memory_grows_by_grader_and_by_worker(cores: int, quiet_mb: int, worst_mb: int) -> None:
    """A node that is short of memory is a node lost."""
    made = plan(1, cores_per_node=cores)
    assert (made.quiet_mb, made.worst_mb) == (quiet_mb, worst_mb)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"submissions": 0}, "submissions: above zero expected, got 0"),
        ({"cores_per_node": -1}, "cores per node: above zero expected, got -1"),
        ({"nodes": 0}, "nodes: above zero expected, got 0"),
        ({"cpu_ms_per_submission": 0.0}, "CPU milliseconds per submission: above zero"),
        ({"cpu_ms_per_submission": float("nan")}, "CPU milliseconds per submission: above zero"),
    ],
)
def test_a_number_that_is_not_above_zero_is_refused(
    arguments: dict[str, float], message: str
) -> None:
    """Rather than a division by zero, or a plan of minus three hours."""
    with pytest.raises(ValueError, match=message):
        plan(**{"submissions": 10, "cores_per_node": 2, **arguments})  # type: ignore[arg-type]


def test_the_table_has_its_units() -> None:
    """Somebody orders machines by it."""
    lines = plan_table(plan(1_000_000, cores_per_node=16, nodes=4)).splitlines()
    shown = {line[:34].strip(): line[34:].strip() for line in lines}
    assert shown == {
        "submissions": "1,000,000",
        "cores": "4 x 16",
        "CPU time a submission": "80 ms",
        "a core judges": "10.6 a second",
        "all judge": "680 a second",
        "time": "24.5 min",
        "core-hours": "26.14",
        "nodes to be done within an hour": "2",
        "memory a node, small submissions": "4.2 GiB",
        "every one at 512 MiB": "12.2 GiB",
        "records written": "4.00 GB",
    }


@pytest.mark.parametrize(
    ("submissions", "shown"), [(1_000, "47 s"), (50_000, "39.2 min"), (1_000_000, "13.1 h")]
)
def test_time_is_in_a_unit_people_use(submissions: int, shown: str) -> None:
    """Nobody plans in hundredths of an hour."""
    assert f"{shown}\n" in plan_table(plan(submissions, cores_per_node=2))


def test_a_default_tells_how_to_measure_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    """The plan rests on one number that is the submissions' own."""
    print_plan(plan(10, cores_per_node=1))
    assert "--cpu-ms-per-submission" in capsys.readouterr().out
    print_plan(plan(10, cores_per_node=1, cpu_ms_per_submission=20.0))
    assert "--cpu-ms-per-submission" not in capsys.readouterr().out
