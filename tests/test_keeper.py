"""The keeper's promises: nothing is left behind, a dead zygote is replaced, no jail no grading."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from aftermath import session_pids

from grader import Grader, Problem

MakeProblem = Callable[..., Problem]
DOUBLE = "def f(x):\n    return x * 2\n"
SLOW = "import time\ndef f(x):\n    time.sleep(0.4)\n    return x * 2\n"
CASES = {"one": {"raw_inputs": {"x": "1.0"}}, "two": {"raw_inputs": {"x": "2.0"}}}


@pytest.fixture(scope="module")
def double(make_problem: MakeProblem) -> Problem:
    """Twice x."""
    return make_problem(DOUBLE, CASES)


def zygote_pid(grader: Grader) -> int:
    """The zygote's process."""
    zygote = grader._keeper._zygote
    assert zygote is not None
    assert zygote._process is not None
    return zygote._process.pid


def alive(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("ascii", "replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def wait_until(done: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether it came true in time."""
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
def test_zygote_lost_in_mid_run_is_replaced_and_the_submission_tried_once_more(
    number: signal.Signals, double: Problem
) -> None:
    """Our fault never counts against a learner."""
    with Grader() as grader:
        assert grader.grade(double, DOUBLE).verdict == "accepted"
        first = zygote_pid(grader)
        future = grader.submit(double, SLOW)
        time.sleep(0.2)
        os.kill(first, number)
        report = future.result(timeout=60)
        assert report.verdict == "accepted", report.message
        assert report.attempts == (2 if number == signal.SIGKILL else 1)
        for _ in range(3):  # the first may still find a spare of the lost zygote
            again = grader.grade(double, DOUBLE)
            assert again.verdict == "accepted", again.message
        assert wait_until(lambda: not alive(first))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
def test_worker_lost_in_mid_run_is_a_fault_of_ours(number: signal.Signals, double: Problem) -> None:
    """Nothing in the jail can send a signal to a process, so it was not the submission."""
    with Grader() as grader:
        assert grader.grade(double, DOUBLE).verdict == "accepted"
        before = session_pids(grader)
        future = grader.submit(double, SLOW)
        time.sleep(0.2)
        # The worker at work is the one that was a spare before.
        for pid in before - {zygote_pid(grader)}:
            if alive(pid):
                os.kill(pid, number)
        report = future.result(timeout=60)
        assert report.verdict == "accepted", report.message
        assert report.attempts == 2


def test_nothing_is_left_after_close(double: Problem) -> None:
    """No process, descriptor or thread."""
    threads = threading.active_count()
    descriptors = len(list(Path("/proc/self/fd").iterdir()))
    with Grader(workers=2) as grader:
        for _ in range(3):
            grader.grade(double, DOUBLE)
        # The zygote, a referee and two spares, the last of which may still be on its way.
        for _ in range(200):
            pids = session_pids(grader)
            if len(pids) >= 4:
                break
            time.sleep(0.05)
        assert len(pids) >= 4
    assert not [pid for pid in pids if alive(pid)]
    assert len(list(Path("/proc/self/fd").iterdir())) <= descriptors
    assert threading.active_count() <= threads


def test_an_exception_in_the_with_block_ends_everything_at_once(double: Problem) -> None:
    """Whoever leaves by an exception does not want to wait for a sleeper."""
    long = SLOW.replace("0.4", "30")
    with pytest.raises(RuntimeError), Grader() as grader:  # noqa: PT012
        future = grader.submit(double, long)
        time.sleep(0.3)
        pids = session_pids(grader)
        began = time.monotonic()
        raise RuntimeError
    assert time.monotonic() - began < 3
    assert not [pid for pid in pids if alive(pid)]
    assert future.result(timeout=1).verdict == "internal_error"


SCRIPT = """
import sys, time
from grader import Grader, load_problem
from pathlib import Path
with Grader() as g:
    print(g._keeper._zygote._process.pid, flush=True)
    g.grade(load_problem("balanced-accuracy-macro-recall"),
            "import time\\ntime.sleep(10)\\n")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_outlives_the_host_process(number: signal.Signals) -> None:
    """Ctrl-C, a supervisor's SIGTERM, and even SIGKILL end every child within a second."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    with process:
        assert process.stdout is not None
        zygote = int(process.stdout.readline())
        time.sleep(0.3)
        process.send_signal(number)
        assert wait_until(lambda: not alive(process.pid), 2.0)
        assert wait_until(lambda: not alive(zygote), 2.0)


# A filter that hides Landlock, as an older kernel or a container would.
WITHOUT_LANDLOCK = """
import ctypes, struct, sys, runpy, os
def ins(code, k, jt=0, jf=0): return struct.pack("HBBI", code, jt, jf, k)
code = b"".join([ins(0x20, 0)] + [ins(0x15, n, 0, 1) + ins(0x06, 0x50000 | ERRNO)
                                  for n in (444, 445, 446)] + [ins(0x06, 0x7FFF0000)])
class Prog(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
buffer = ctypes.create_string_buffer(code, len(code))
libc = ctypes.CDLL(None)
libc.prctl(38, 1, 0, 0, 0)
assert libc.syscall(317, 1, 0, ctypes.byref(Prog(len(code) // 8, ctypes.addressof(buffer)))) == 0
os.execv(sys.executable, [sys.executable, "-m", "grader", *sys.argv[1:]])
"""


@pytest.mark.parametrize(("errno_", "words"), [(38, "older than 5.13"), (1, "container")])
def test_without_landlock_the_grader_refuses_and_says_why(
    errno_: int, words: str, tmp_path: Path
) -> None:
    """Never fall back silently."""
    submission = tmp_path / "s.py"
    submission.write_text("def balanced_accuracy_binary(*a):\n    return 1\n")
    code = WITHOUT_LANDLOCK.replace("ERRNO", str(errno_))
    command = [
        sys.executable,
        "-c",
        code,
        "grade",
        "balanced-accuracy-macro-recall",
        str(submission),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "refusing to grade without isolation" in done.stderr
    assert words in done.stderr
    chosen = subprocess.run(
        [*command, "--isolation", "none"], capture_output=True, text=True, check=False
    )
    assert chosen.returncode == 1
    assert "NOT ISOLATED" in chosen.stdout
