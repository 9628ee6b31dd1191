"""Limits are exact: nine tenths are allowed, eleven tenths are not, however they are used."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader import Grader, Problem
from grader.limits import Limits

MakeProblem = Callable[..., Problem]
MEMORY_MB = 256
TIME_S = 1.0

# Each takes `share` of the limit; 1 MiB is 2**20 bytes.
MEMORY = {
    "Python list": "x = [None] * int(mb * 131072)",
    "many small objects": "x = [float(i) for i in range(int(mb * 2**20 / 40.2))]",
    "bytearray": "x = bytearray(int(mb * 2**20))",
    "NumPy, touched": "x = np.ones(int(mb * 131072))",
    "NumPy, zeros never touched": "x = np.zeros(int(mb * 131072))",
    "Torch, touched": "x = torch.ones(int(mb * 262144))",
    "Torch, never touched": "x = torch.empty(int(mb * 262144))",
    "in a thread": "run_and_raise(lambda: hold.append(bytearray(int(mb * 2**20))))",
    "private mapping": "x = mmap.mmap(-1, int(mb * 2**20), flags=mmap.MAP_PRIVATE)",
}
TIME = {
    "Python": "while time.process_time() < end: pass",
    "NumPy": "a = np.ones(1000)\n    while time.process_time() < end: a = a * 1.0",
    "Torch": "a = torch.ones(1000)\n    while time.process_time() < end: a = a * 1.0",
    "two threads": "t = threading.Thread(target=burn, args=(end,)); t.start(); burn(end); t.join()",
}
HEAD = (
    "import mmap, threading, time\nimport numpy as np\nimport torch\nhold = []\n"
    "def burn(end):\n    while time.process_time() < end: pass\n"
    "def run_and_raise(act):\n    from concurrent.futures import ThreadPoolExecutor\n"
    "    with ThreadPoolExecutor(1) as pool:\n        pool.submit(act).result()\n"
)


@pytest.fixture(scope="module")
def problem(make_problem: MakeProblem) -> Problem:
    """One case that wants 1 back."""
    cases = {"one": {"raw_inputs": {"x": "1"}}}
    fields = {"time_limit": TIME_S, "memory_limit_mb": MEMORY_MB, "forbidden_modules": []}
    return make_problem("def f(x):\n    return 1\n", cases, **fields)


@pytest.mark.parametrize(("share", "verdict"), [(0.9, "accepted"), (1.1, "memory_limit_exceeded")])
@pytest.mark.parametrize("way", MEMORY)
def test_memory_is_counted_above_the_warm_baseline(
    way: str, share: float, verdict: str, grader: Grader, problem: Problem
) -> None:
    """Reserved counts as used: untouched zeros too."""
    source = f"{HEAD}def f(x):\n    mb = {share * MEMORY_MB}\n    {MEMORY[way]}\n    return 1\n"
    report = grader.grade(problem, source)
    assert report.verdict == verdict, report.cases


@pytest.mark.parametrize(("share", "verdict"), [(0.9, "accepted"), (1.1, "time_limit_exceeded")])
@pytest.mark.parametrize("way", TIME)
def test_time_is_cpu_time_of_all_threads(
    way: str, share: float, verdict: str, grader: Grader, problem: Problem
) -> None:
    """A busy machine shortens nobody's limit; two threads use it twice as fast."""
    body = f"    end = time.process_time() + {share * TIME_S}\n    {TIME[way]}\n    return 1\n"
    report = grader.grade(problem, f"{HEAD}def f(x):\n{body}")
    assert report.verdict == verdict, report.cases


def test_memory_held_over_several_cases_adds_up(grader: Grader, make_problem: MakeProblem) -> None:
    """A leak is caught when it passes the limit, and the next case begins anew."""
    cases = {str(n): {"raw_inputs": {"x": "1"}} for n in range(4)}
    leaking = make_problem("def f(x):\n    return 1\n", cases, memory_limit_mb=MEMORY_MB)
    source = "kept = []\ndef f(x):\n    kept.append(bytearray(100 << 20))\n    return 1\n"
    report = grader.grade(leaking, source)
    assert [case.passed for case in report.cases] == [True, True, False, False]
    assert report.verdict == "memory_limit_exceeded"


def test_memory_in_the_report_is_what_was_used(grader: Grader, problem: Problem) -> None:
    """Within a tenth, for memory that was touched."""
    source = f"{HEAD}def f(x):\n    hold.append(bytearray(b'x') * (100 << 20))\n    return 1\n"
    report = grader.grade(problem, source)
    assert 90 < report.cases[0].memory_mb < 115


def test_wall_limit_follows_from_the_time_limit() -> None:
    """Three times it and two seconds, for sleepers."""
    limits = Limits.of(5.0, 512, 4)
    assert limits.wall_limit_s == 17.0
    assert limits.total_wall_s == 54.0
