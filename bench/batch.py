"""`python -m bench.batch`: what a batch costs beside the grader itself, and beside the usual way.

python -m bench.batch [--submissions N] [--lines N] [--ray]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.__main__ import fresh_process, line, verdict_on
from grader import Grader, grade_many, load_problem
from grader.batch.cache import ReportCache
from grader.batch.entries import Layout, read_entries
from grader.batch.executor import Executor, LocalPool
from grader.batch.journal import Journal
from grader.batch.problems import ProblemShelf
from grader.batch.runner import BatchRun
from grader.spec import list_problems

ROOT = Path(__file__).parents[1]
SHELF = ProblemShelf()
SEED = ROOT / "tests/corpus/seeds/balanced-accuracy-macro-recall.json"


def mixed(count: int, distinct: bool = True) -> Iterator[dict[str, str]]:
    """Submissions to all problems, right ones and wrong ones, none that runs into a limit."""
    found = []
    for path in list_problems():
        beside = ROOT / "reference" / path.stem.replace("-", "_")
        for file in sorted(beside.glob("*/*.py")):
            text = file.read_text("utf-8")
            if "limit_exceeded" not in text:
                found.append((path.stem, text))
    for number in range(count):
        slug, text = found[number % len(found)]
        mark = f"# {number}\n" if distinct else ""
        yield {"id": str(number), "slug": slug, "source": text + mark}


def write_lines(path: Path, count: int, distinct: bool = True) -> Path:
    """Write a batch's input."""
    with path.open("w", encoding="utf-8") as file:
        for row in mixed(count, distinct):
            file.write(json.dumps(row) + "\n")
    return path


def run_batch(
    executor: Executor, source: Path, out: Path, cache: ReportCache | None = None
) -> float:
    """Submissions a second of a whole run."""
    began, count = time.perf_counter(), 0

    def counted(_: object) -> None:
        nonlocal count
        count += 1

    with Journal(out, {"bench": str(out)}) as journal:
        run = BatchRun(executor, journal, SHELF.find, cache=cache, on_record=counted)
        run.run(read_entries(str(source), Layout()))
    return count / (time.perf_counter() - began)


def grader_alone(cores: int, count: int) -> float:
    """Submissions a second of `grade_many`: no files, no journal."""
    problems = {path.stem: load_problem(path.stem) for path in list_problems()}
    jobs = [(problems[row["slug"]], row["source"]) for row in mixed(count)]
    with Grader(cores) as grader:
        list(grade_many(jobs[:200], grader=grader, workers=cores))
        began = time.perf_counter()
        done = sum(1 for _ in grade_many(jobs, grader=grader, workers=cores))
        return done / (time.perf_counter() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench.batch", description=__doc__)
    parser.add_argument("--submissions", type=int, default=2000, metavar="N")
    parser.add_argument("--lines", type=int, default=100_000, metavar="N")
    parser.add_argument("--ray", action="store_true", help="Ray's local engine as well.")
    chosen = parser.parse_args()
    cores = os.cpu_count() or 1
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f}\n")
    usual = 1000 * cores / fresh_process(SEED, 5)
    line("a fresh process a submission", f"{usual:.1f} a second")
    alone = grader_alone(cores, chosen.submissions)
    line(f"Grader, {chosen.submissions} mixed submissions", f"{alone:.0f} a second")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = write_lines(folder / "in.jsonl", chosen.submissions)
        cache = ReportCache(folder / "cache")
        with LocalPool(cores) as pool:
            run_batch(pool, write_lines(folder / "warm.jsonl", 200), folder / "warm")
            rate = run_batch(pool, source, folder / "first", cache)
            line("batch of the same", f"{rate:.0f} a second",
                 verdict_on(rate >= 0.8 * alone, f"80 % of {alone:.0f}"))  # fmt: skip
            again = run_batch(pool, source, folder / "second", cache)
            line("the same again, from the cache", f"{again:.0f} a second",
                 verdict_on(again > 5000, "5,000 a second"))  # fmt: skip
            memory(pool, folder, chosen.lines)
        if chosen.ray:
            ray_rate(source, folder, cores, rate)


def memory(pool: LocalPool, folder: Path, lines: int) -> None:
    """Growth of this process between 1,000 and many lines."""
    for count in (1000, lines):
        rate = run_batch(pool, write_lines(folder / f"{count}", count, False), folder / f"{count}o")
        peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        line(f"{count} lines, few of them distinct", f"{rate:.0f} a second, {peak_mb:.0f} MiB")


def ray_rate(source: Path, folder: Path, cores: int, local: float) -> None:
    """Ray's engine on the same cores."""
    from grader.batch.ray_pool import RayPool

    with RayPool(None, workers=cores) as pool:
        run_batch(pool, folder / "warm.jsonl", folder / "ray-warm")
        rate = run_batch(pool, source, folder / "ray")
    line("Ray's local engine", f"{rate:.0f} a second",
         verdict_on(rate >= 0.85 * local, f"85 % of {local:.0f}"))  # fmt: skip


if __name__ == "__main__":
    main()
    sys.exit(0)
