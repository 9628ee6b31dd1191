"""`make bench`: the warm product beside a fresh process, and what drives its cost."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from grader import Grader, Problem, Verdict, load_problem
from grader.spec import find_faults

SOURCE = """
import torch

def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    hits = torch.tensor([tp, tn], dtype=torch.float64)
    totals = torch.tensor([tp + fn, tn + fp], dtype=torch.float64)
    tpr, tnr = (hits / (totals + eps)).tolist()
    return tpr, tnr, (tpr + tnr) / 2
"""
# The usual way: a new interpreter that imports torch and runs submission and reference.
FRESH = """
import json, sys, time
import torch
spec = json.load(open(sys.argv[1]))
source = sys.stdin.read()
user, ref = {}, {}
exec(source, user); exec(spec["reference_code"], ref)
cases_results = []
def compare_outputs(act, exp, atol, rtol):
    return all(abs(a - e) <= atol + rtol * abs(e) for a, e in zip(act, exp)), "", 0.0
names = dict(user_obj=user[spec["entry_point"]], ref_obj=ref[spec["entry_point"]],
             cases_results=cases_results, compare_outputs=compare_outputs, summarize_obj=repr,
             time=time, atol=spec["atol"], rtol=spec["rtol"])
exec(spec["test_code"], names)
assert all(r["passed"] for r in cases_results)
"""
_BARS = {"ratio": 300.0, "throughput": 250.0, "spread": 3.0, "case_ms": 0.3}


def timed(act: Callable[[], object]) -> float:
    """Milliseconds that a call takes."""
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def percentile(values: list[float], share: float) -> float:
    """The value below which `share` of all lie."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def line(name: str, value: str, bar: str = "") -> None:
    """Print one row."""
    print(f"{name:<52} {value:>22}  {bar}".rstrip(), flush=True)


def verdict_on(met: bool, bar: str) -> str:
    """Say whether a bar is met."""
    return f"bar {bar}: {'met' if met else 'MISSED'}"


def fresh_process(spec_path: Path, runs: int = 7) -> float:
    """Median milliseconds of the usual way."""
    command = [sys.executable, "-c", FRESH, str(spec_path)]
    return statistics.median(
        timed(lambda: subprocess.run(command, input=SOURCE, text=True, check=True))
        for _ in range(runs)
    )


def accepted(grader: Grader, problem: Problem, source: str) -> None:
    """Judge and insist on the verdict."""
    report = grader.grade(problem, source)
    if report.verdict is not Verdict.ACCEPTED:
        raise SystemExit(f"bench: {report.verdict}: {report.message} {report.cases[:1]}")


def warm(grader: Grader, problem: Problem, runs: int, pause_s: float) -> list[float]:
    """Milliseconds from source in hand to report in hand, one submission at a time."""
    took = []
    for _ in range(runs):
        took.append(timed(lambda: accepted(grader, problem, SOURCE)))
        time.sleep(pause_s)
    return took


def throughput(grader: Grader, problem: Problem, seconds: float = 4.0) -> float:
    """Submissions a second with all workers busy."""
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        futures = [grader.submit(problem, SOURCE) for _ in range(50)]
        for future in futures:
            assert future.result().verdict is Verdict.ACCEPTED
        done += len(futures)
    return done / (time.perf_counter() - began)


def made_problem(base: Path, cases: int, reference: str, expression: str) -> Problem:
    """A declarative problem of `cases` equal cases."""
    raw = json.loads(base.read_text("utf-8"))
    del raw["test_code"]
    raw |= {"entry_point": "f", "reference_code": reference, "starter_code": reference}
    raw["test_cases"] = [
        {"name": f"case {n}", "raw_inputs": {"x": expression}} for n in range(cases)
    ]
    problem, findings = find_faults("bench.json", json.dumps(raw))
    if problem is None:
        raise SystemExit("\n".join(map(str, findings)))
    return problem


def median_of(grader: Grader, problem: Problem, source: str, runs: int) -> float:
    """Median milliseconds for one problem, referee warm."""
    accepted(grader, problem, source)
    took = []
    for _ in range(runs):
        took.append(timed(lambda: accepted(grader, problem, source)))
        time.sleep(0.02)
    return statistics.median(took)


def private_mb(grader: Grader) -> float:
    """MiB that a waiting worker holds for itself, not shared with the zygote."""
    child = grader._court.spares.take()
    try:
        text = Path(f"/proc/{child.pid}/smaps_rollup").read_text()
        rows = [row for row in text.splitlines() if row.startswith("Private_")]
        return sum(int(row.split()[1]) for row in rows) / 1024
    finally:
        grader._court.spares.release(child)


def main() -> None:
    """Measure and print."""
    base = Path(__file__).parents[1] / "tests/corpus/seeds/balanced-accuracy-macro-recall.json"
    problem = load_problem(base)
    cores = os.cpu_count() or 1
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f}; medians unless said otherwise\n")
    fresh = fresh_process(base)
    line("fresh process: import torch, 4 cases, in-process", f"{fresh:.0f} ms")
    with Grader(workers=cores) as grader:
        warm(grader, problem, 20, 0.0)
        spaced = warm(grader, problem, 200, 0.01)
        close = warm(grader, problem, 200, 0.0)
        for name, took in (("submissions 10 ms apart", spaced), ("back to back", close)):
            p50, p95 = statistics.median(took), percentile(took, 0.95)
            line(f"warm verdict, 4 cases, {name}: p50 / p95", f"{p50:.2f} / {p95:.2f} ms")
            line("    fresh process / warm verdict", f"{fresh / p50:.0f} times",
                 verdict_on(fresh / p50 >= _BARS["ratio"], "300 times"))  # fmt: skip
            line("    p95 / p50", f"{p95 / p50:.2f}",
                 verdict_on(p95 / p50 < _BARS["spread"], "under 3"))  # fmt: skip
        rate = throughput(grader, problem)
        line(f"throughput, {cores} workers", f"{rate:.0f} a second",
             verdict_on(rate >= _BARS["throughput"], "250 a second"))  # fmt: skip
        by_cases(grader, base)
        by_size(grader, base)
        line("private memory of a waiting worker", f"{private_mb(grader):.1f} MiB")
    command = [str(Path(sys.executable).parent / "grader"), "--help"]
    took_ms = statistics.median(
        timed(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))
        for _ in range(15)
    )
    line("grader --help", f"{took_ms:.0f} ms", verdict_on(took_ms < 100, "under 100 ms"))


def by_cases(grader: Grader, base: Path) -> None:
    """Cost by number of tiny cases."""
    source = "def f(x):\n    return x + 1.0\n"
    medians = {}
    for cases in (1, 10, 100):
        medians[cases] = median_of(grader, made_problem(base, cases, source, "1.0"), source, 40)
        line(f"{cases} tiny cases", f"{medians[cases]:.2f} ms")
    each = (medians[100] - medians[1]) / 99
    line("    each further tiny case", f"{each:.3f} ms",
         verdict_on(each <= _BARS["case_ms"], "0.3 ms"))  # fmt: skip


def by_size(grader: Grader, base: Path) -> None:
    """Cost by size of one result."""
    source = "import torch\ndef f(x):\n    return torch.ones(x, dtype=torch.uint8)\n"
    for name, size, runs in (("1 KB", 1 << 10, 40), ("1 MB", 1 << 20, 20), ("64 MB", 64 << 20, 5)):
        problem = made_problem(base, 1, source, str(size))
        line(f"one case returning {name}", f"{median_of(grader, problem, source, runs):.2f} ms")


if __name__ == "__main__":
    main()
