"""Give hostile bytes to the decoder and the framing: `python -m fuzz --frames N --seed S`.

Trials run in forked processes under a bound on time and memory. The number of the trial
at work stands in shared memory, so that a crash or a hang is known by its number, saved
under `tests/corpus/wire/` and passed over.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import resource
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from fuzz.trial import attempt, load_samples, make
from grader.limits import MIB

CORPUS = Path(__file__).parent.parent / "tests" / "corpus" / "wire"
HANG_S = 5.0
# A fresh process every so many trials, so that growth over many does not count as one's.
_TRIALS_PER_PROCESS = 4_000
# Above the baseline, with what `wire.decode` declares were all bytes of a trial parts.
_SLACK = 64 * MIB


@dataclass
class _Worker:
    """A forked process and the trials it still has to do."""

    todo: range
    at: mmap.mmap = field(default_factory=lambda: mmap.mmap(-1, 8))
    pid: int = 0
    reader: int = -1
    seen: int = -1
    seen_at: float = 0.0

    @property
    def number(self) -> int:
        return int.from_bytes(self.at[:8], "little")


def data_bytes() -> int:
    """Memory that RLIMIT_DATA counts, of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) << 10
    raise RuntimeError("no VmData in /proc/self/status")


def _run(worker: _Worker, samples: list[bytes], seed: int, writer: int) -> None:
    """Do the trials of a worker; report through the pipe as JSON lines."""
    warnings.simplefilter("error")
    baseline, hard = data_bytes(), resource.getrlimit(resource.RLIMIT_DATA)[1]
    outcomes: Counter[str] = Counter()
    for number in worker.todo:
        worker.at[:8] = number.to_bytes(8, "little")
        kind, data = make(samples, seed, number)
        limit = baseline + _SLACK + (2 + 512) * len(data)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
        try:
            outcomes[attempt(kind, data)] += 1
        except BaseException:
            fault = {"number": number, "fault": traceback.format_exc()[-3000:]}
            os.write(writer, json.dumps(fault).encode() + b"\n")
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
    os.write(writer, json.dumps({"outcomes": outcomes}).encode() + b"\n")


def _start(worker: _Worker, samples: list[bytes], seed: int) -> None:
    worker.reader, writer = os.pipe()
    worker.seen, worker.seen_at = -1, time.monotonic()
    worker.at[:8] = worker.todo.start.to_bytes(8, "little")
    worker.pid = os.fork()
    if worker.pid == 0:
        status = 1
        try:
            _run(worker, samples, seed, writer)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    os.set_blocking(worker.reader, True)


def _watch(worker: _Worker) -> str | None:
    """Return None while it runs, "" at its end, else how it failed."""
    pid, status = os.waitpid(worker.pid, os.WNOHANG)
    if pid:
        code = os.waitstatus_to_exitcode(status)
        return "" if code == 0 else f"crash, exit {code}"
    now, number = time.monotonic(), worker.number
    if number != worker.seen:
        worker.seen, worker.seen_at = number, now
    elif now - worker.seen_at > HANG_S:
        os.kill(worker.pid, signal.SIGKILL)
        os.waitpid(worker.pid, 0)
        return f"hang of over {HANG_S} s"
    return None


def _reports(worker: _Worker) -> list[dict[str, Any]]:
    with os.fdopen(worker.reader, "rb") as pipe:
        return [json.loads(line) for line in pipe.read().splitlines()]


def _save(samples: list[bytes], seed: int, number: int, fault: str) -> None:
    kind, data = make(samples, seed, number)
    path = CORPUS / f"{kind}-{seed}-{number}.hex"
    path.write_text(data.hex() + "\n")
    print(f"\ntrial {number} of seed {seed} ({kind}), saved as {path}\n{fault}")
    print(data[:2000].hex(), flush=True)


def fuzz(frames: int, seed: int, processes: int) -> tuple[Counter[str], int]:
    """Run the trials; return outcomes by kind and the number of failures."""
    samples = load_samples()
    step = _TRIALS_PER_PROCESS
    waiting = [range(at, min(at + step, frames)) for at in reversed(range(0, frames, step))]
    running: list[_Worker] = []
    outcomes: Counter[str] = Counter()
    failures = 0
    while waiting or running:
        while waiting and len(running) < processes:
            worker = _Worker(waiting.pop())
            _start(worker, samples, seed)
            running.append(worker)
        time.sleep(0.01)
        for worker in [*running]:
            end = _watch(worker)
            if end is None:
                continue
            running.remove(worker)
            number = worker.number
            faults = [(r["number"], r["fault"]) for r in _reported(worker, outcomes)]
            if end:
                faults.append((number, end))
                if number + 1 < worker.todo.stop:
                    waiting.append(range(number + 1, worker.todo.stop))
            for where, fault in faults:
                failures += 1
                _save(samples, seed, where, fault)
    return outcomes, failures


def _reported(worker: _Worker, outcomes: Counter[str]) -> list[dict[str, Any]]:
    """Add the outcomes a worker reported; return its faults."""
    faults = []
    for report in _reports(worker):
        if "outcomes" in report:
            outcomes.update(report["outcomes"])
        else:
            faults.append(report)
    return faults


def main() -> int:
    """Run from the command line; the exit code is 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--frames", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--trial", type=int, help="replay one trial in this process")
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.trial is not None:
        kind, data = make(load_samples(), options.seed, options.trial)
        print(kind, data)
        print(attempt(kind, data))
        return 0
    began = time.monotonic()
    outcomes, failures = fuzz(options.frames, options.seed, options.processes)
    took_s = time.monotonic() - began
    print(f"{options.frames:,} trials in {took_s:.0f} s, seed {options.seed}: {failures} failures")
    for outcome, count in outcomes.most_common():
        print(f"  {count:>9,}  {outcome}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
