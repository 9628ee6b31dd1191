"""`make soak`: run the grader long and badly treated; exit 1 if it ever misjudges or grows.

    python -m soak [--faults N] [--growth N] [--load N] [--seed S]

Each number is how many submissions that part judges; 0 leaves the part out.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import Future
from pathlib import Path

from grader import Grader, Problem, Report, load_problem

SPEC = Path(__file__).parents[1] / "tests/corpus/seeds/balanced-accuracy-macro-recall.json"
RIGHT = """
def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr, tnr = tp / (tp + fn + eps), tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / 2
"""
# Source and the verdict it must get, whatever is done to the processes meanwhile.
MIX = (
    (RIGHT, "accepted"),
    ("import torch\n" + RIGHT.replace("/ 2", "/ torch.tensor(2.0).item()"), "accepted"),
    (RIGHT.replace("    return", "    import time; time.sleep(0.02)\n    return"), "accepted"),
    (RIGHT.replace("/ 2", "/ 3"), "wrong_answer"),
    (RIGHT.replace("tpr, tnr =", "tpr, tnr = 1 / 0,"), "runtime_error"),
    ("import os\n" + RIGHT, "forbidden"),
    ("def (", "invalid_submission"),
)
_GROWTH_ALLOWED = 1.05
_WARM_UP = 1000


def rss_kb(pid: int) -> int:
    """Resident kilobytes of a process."""
    for row in Path(f"/proc/{pid}/status").read_text("ascii", "replace").splitlines():
        if row.startswith("VmRSS:"):
            return int(row.split()[1])
    return 0


def zygote_of(grader: Grader) -> int:
    """The zygote's process."""
    zygote = grader._keeper._zygote
    if zygote is None or zygote._process is None:
        return 0
    return zygote._process.pid


def children_of(pid: int) -> list[int]:
    """The processes that a process has forked and not reaped."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


class Saboteur(threading.Thread):
    """Kills or stops a random process of the grader at random moments.

    After each act it waits until what was in flight has its report: a submission that is hit
    twice may rightly end as an internal error, and that is not what is tested here.
    """

    def __init__(self, grader: Grader, pending: list[Future[Report]], rng: random.Random) -> None:
        super().__init__(daemon=True)
        self._grader = grader
        self._pending = pending
        self._rng = rng
        self.over = threading.Event()
        self.acts: Counter[str] = Counter()

    def run(self) -> None:
        while not self.over.wait(self._rng.uniform(0.005, 0.08)):
            zygote = zygote_of(self._grader)
            children = children_of(zygote)
            at_zygote = self._rng.random() < 0.04
            victim = zygote if at_zygote or not children else self._rng.choice(children)
            number = self._rng.choice([signal.SIGKILL, signal.SIGSTOP])
            flying = [future for future in self._pending if not future.done()][:4]
            try:
                os.kill(victim, number)
            except OSError:
                continue
            self.acts[f"{'zygote' if at_zygote else 'child'} {number.name}"] += 1
            for future in flying:
                future.exception(timeout=120)


def faults(problem: Problem, count: int, rng: random.Random) -> list[str]:
    """Judge `count` submissions on two workers while a saboteur is at work."""
    before = left_over()
    complaints = []
    attempts: Counter[int] = Counter()
    with Grader(workers=2) as grader:
        chosen = [rng.choice(MIX) for _ in range(count)]
        pending: list[Future[Report]] = []
        saboteur = Saboteur(grader, pending, rng)
        saboteur.start()
        for source, _ in chosen:
            pending.append(grader.submit(problem, source))
        for number, ((_, verdict), future) in enumerate(zip(chosen, pending, strict=True)):
            report = future.result(timeout=300)
            attempts[report.attempts] += 1
            if report.verdict != verdict:
                complaints.append(
                    f"submission {number}: {report.verdict} where {verdict} is right"
                    f" ({report.message or report.cases[:1]})"
                )
        saboteur.over.set()
        saboteur.join()
    print(f"faults: {count} judged, acts {dict(saboteur.acts)}, attempts {dict(attempts)}")
    return complaints + [f"left behind: {what}" for what in left_over() - before]


def left_over() -> set[str]:
    """Descriptors, threads, children and shared memory of this process, as words."""
    found = {f"thread {thread.name}" for thread in threading.enumerate()}
    found |= {f"child {pid}" for pid in children_of(os.getpid())}
    found.add(f"{len(list(Path('/proc/self/fd').iterdir()))} descriptors")
    found |= {f"/dev/shm/{path.name}" for path in Path("/dev/shm").iterdir()}
    return found


def growth(problem: Problem, count: int) -> list[str]:
    """Judge `count` submissions in one grader and watch memory, descriptors and threads."""
    with Grader(workers=2) as grader:
        sizes: dict[str, list[int]] = {"keeper": [], "zygote": [], "referee": []}
        counts: list[tuple[int, int]] = []
        done = 0
        while done < count:
            batch = [grader.submit(problem, MIX[n % len(MIX)][0]) for n in range(250)]
            for future in batch:
                future.result(timeout=300)
            done += len(batch)
            if done < min(_WARM_UP, count // 2):
                continue
            sizes["keeper"].append(rss_kb(os.getpid()))
            sizes["zygote"].append(rss_kb(zygote_of(grader)))
            referee = next(iter(grader._court.referees._idle.values()))[0]
            sizes["referee"].append(rss_kb(referee._child.pid))
            counts.append((len(list(Path("/proc/self/fd").iterdir())), threading.active_count()))
    complaints = []
    for name, seen in sizes.items():
        ratio = seen[-1] / seen[0]
        print(f"growth: {name} {seen[0]} KB -> {seen[-1]} KB ({(ratio - 1) * 100:+.1f} %)")
        if ratio > _GROWTH_ALLOWED:
            complaints.append(f"{name} grew by {(ratio - 1) * 100:.1f} % in {count} submissions")
    descriptors, threads = ([pair[i] for pair in counts] for i in (0, 1))
    print(f"growth: descriptors {min(descriptors)}-{max(descriptors)}, threads {set(threads)}")
    # Killed workers are let go when the next one is ordered, so a few may still be held.
    if descriptors[-1] > descriptors[0] + 16 or len(set(threads)) > 1:
        complaints.append(f"descriptors {descriptors}, threads {threads}")
    return complaints


def load(problem: Problem, count: int) -> list[str]:
    """Judge honest submissions while four processes keep all cores busy."""
    loop = [sys.executable, "-c", "while True: sum(range(100_000))"]
    busy = [subprocess.Popen(loop) for _ in range(4)]
    try:
        with Grader(workers=2) as grader:
            began = time.monotonic()
            futures = [grader.submit(problem, RIGHT) for _ in range(count)]
            verdicts = Counter(str(future.result(timeout=600).verdict) for future in futures)
        print(
            f"load: {dict(verdicts)} in {time.monotonic() - began:.1f} s beside four busy processes"
        )
    finally:
        for process in busy:
            process.kill()
            process.wait()
    return [] if verdicts == {"accepted": count} else [f"verdicts under load: {dict(verdicts)}"]


def main() -> None:
    """Run the parts asked for."""
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    for name, number in (("faults", 2000), ("growth", 20_000), ("load", 500)):
        parser.add_argument(f"--{name}", type=int, default=number, metavar="N")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}")
    problem = load_problem(SPEC)
    complaints = []
    if chosen.faults:
        complaints += faults(problem, chosen.faults, random.Random(chosen.seed))
    if chosen.growth:
        complaints += growth(problem, chosen.growth)
    if chosen.load:
        complaints += load(problem, chosen.load)
    for complaint in complaints:
        print(f"COMPLAINT: {complaint}")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
