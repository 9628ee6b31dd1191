"""Hosts as people have them, imitated: each judges in full isolation, or refuses and says why."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import ordinary_user
import pytest
from conftest import SEED_SLUG
from test_keeper import zygote_pid

from grader import Grader, Problem
from grader.specs.problem_schema import bundle_folder

ROOT = Path(__file__).parent.parent
RIGHT = bundle_folder("examples") / SEED_SLUG / "1_right.py"
GRADE = [sys.executable, "-m", "grader", "grade", SEED_SLUG, str(RIGHT), "--json"]

needs_root = pytest.mark.skipif(
    ordinary_user.why_not() is not None, reason=f"needs root: {ordinary_user.why_not()}"
)


def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


def in_mount_namespace(script: str) -> list[str]:
    """A command that changes mounts for itself alone, then grades."""
    return ["unshare", "--mount", "--propagation", "private", "sh", "-ec", f'{script}; exec "$@"',
            "sh", *GRADE]  # fmt: skip


HOSTS = {
    "no_new_privs already set": ["setpriv", "--no-new-privs", *GRADE],
    "64 open files": ["prlimit", "--nofile=64:64", *GRADE],
    "no environment": ["env", "-i", *GRADE],
    "inside a user namespace": ["unshare", "--user", "--map-root-user", *GRADE],
    "inside namespaces of its own": [
        *("unshare", "--user", "--map-root-user", "--net", "--ipc", "--uts"),
        *GRADE,
    ],
    "root without capabilities": [
        *("setpriv", "--bounding-set=-all", "--inh-caps=-all"),
        *GRADE,
    ],
}
MOUNTS = {
    "read-only root": "mount -o remount,bind,ro / /",
    "no /dev/shm": "mount -t tmpfs -o mode=000,size=4k none /dev/shm",
    "full /tmp": "mount -t tmpfs -o size=4k none /tmp; "
    "dd if=/dev/zero of=/tmp/full bs=4k count=1 2>/dev/null",
}


@pytest.mark.parametrize("host", HOSTS)
def test_a_plain_host_judges_in_full_isolation(host: str) -> None:
    """Nothing but the kernel's own means is needed."""
    command = HOSTS[host]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} not found (Debian: util-linux)")
    if (
        command[0] == "unshare"
        and run([*command[: command.index(sys.executable)], "true"]).returncode
    ):
        pytest.skip("no user namespaces here")
    done = run(command)
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"isolation": "full"' in done.stdout


@needs_root
@pytest.mark.parametrize("host", MOUNTS)
def test_nothing_is_written_anywhere(host: str) -> None:
    """So nothing has to be writable."""
    script = MOUNTS[host]
    if host == "full /tmp" and str(ROOT).startswith("/tmp"):
        pytest.skip("the checkout itself is in /tmp")
    done = run(in_mount_namespace(script))
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"isolation": "full"' in done.stdout


@needs_root
def test_without_proc_the_grader_refuses() -> None:
    """Memory is limited above a baseline that only /proc tells."""
    done = run(in_mount_namespace("mount -t tmpfs none /proc"))
    assert done.returncode == 3
    assert "/proc is not mounted" in done.stderr


def take_all_descriptors() -> Iterator[int]:
    """Open files until no more can be opened."""
    while True:
        try:
            yield os.open(os.devnull, os.O_RDONLY)
        except OSError:
            return


def test_out_of_descriptors_is_an_internal_error_and_passes(seed_problem: Problem) -> None:
    """Never a wrong verdict, and all is well again once there are some."""
    source = RIGHT.read_bytes()
    with Grader() as grader:
        assert grader.grade(seed_problem, source).verdict == "accepted"
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        open_now = max(int(entry.name) for entry in Path("/proc/self/fd").iterdir())
        resource.setrlimit(resource.RLIMIT_NOFILE, (open_now + 1, hard))
        held: list[int] = []
        reports = []
        try:
            for _ in range(4):  # past the spares; what a worker gives back is taken as well
                held += take_all_descriptors()
                reports.append(grader.grade(seed_problem, source))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            for fd in held:
                os.close(fd)
        for report in reports:
            assert report.verdict in ("accepted", "internal_error")
        assert "the grader is at fault" in reports[-1].message
        assert grader.grade(seed_problem, source).verdict == "accepted"


FORK_FAILS = """
import resource, sys, threading
from pathlib import Path
from grader import Grader, load_problem
problem = load_problem("balanced-accuracy-macro-recall")
with Grader() as g:
    assert g.grade(problem, problem.reference_code).verdict == "accepted"
    zygote = g._keeper._zygote._process.pid
    old = resource.prlimit(zygote, resource.RLIMIT_NPROC)
    resource.prlimit(zygote, resource.RLIMIT_NPROC, (0, old[1]))
    timer = threading.Timer(1.0, lambda: resource.prlimit(zygote, resource.RLIMIT_NPROC, old))
    timer.start()
    reports = [g.grade(problem, problem.reference_code) for _ in range(4)]
    print([str(r.verdict) for r in reports], [r.message for r in reports if r.message])
"""


@needs_root
def test_fork_that_fails_for_a_while_is_waited_for(tmp_path: Path) -> None:
    """Root has no limit of processes, so an ordinary user tries it."""
    tmp_path.chmod(0o777)
    work = Path("/tmp") / f"grader-fork-{os.getpid()}"
    work.mkdir()
    os.chown(work, ordinary_user.UID, ordinary_user.UID)
    try:
        done = ordinary_user.run_as_user(["-c", FORK_FAILS], timeout_s=120, work=work)
    finally:
        shutil.rmtree(work)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("['accepted', 'accepted', 'accepted', 'accepted']"), done.stdout


MEMORY_SHORT = """
import resource
from pathlib import Path
from grader import Grader
from tests.conftest import problem_from, seed_spec

SOURCE = "import torch\\ndef f(n): return torch.ones(n << 20, dtype=torch.uint8)\\n"
raw = seed_spec()
raw.pop("test_code", None)
raw.pop("generated_cases", None)
raw |= {"entry_point": "f", "reference_code": SOURCE, "starter_code": SOURCE}
large, small = (
    problem_from(raw | {"test_cases": [{"name": "n", "raw_inputs": {"n": n}}]})
    for n in ("100", "1")
)

def limit(pid, megabytes):
    rows = Path(f"/proc/{pid or 'self'}/status").read_text().splitlines()
    size = next(int(row.split()[1]) for row in rows if row.startswith("VmSize"))
    hard = resource.prlimit(pid, resource.RLIMIT_AS)[1]
    resource.prlimit(pid, resource.RLIMIT_AS, ((size << 10) + (megabytes << 20), hard))
    return hard

with Grader() as g:
    tell = lambda problem: print(g.grade(problem, SOURCE).verdict, g.grade(problem, SOURCE).message)
    tell(large)
    for pid in (0, g._keeper._zygote._process.pid):
        hard = limit(pid, 20)
        tell(large)
        tell(small)
        resource.prlimit(pid, resource.RLIMIT_AS, (hard, hard))
        tell(large)
"""


def test_a_host_short_of_memory_never_misjudges_and_recovers() -> None:
    """First the grader's own process has no room for an answer, then the zygote has none."""
    done = run([sys.executable, "-c", MEMORY_SHORT], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    full, *verdicts = done.stdout.splitlines()
    assert full == "accepted "
    assert verdicts[0] == (
        "internal_error the grader is at fault, not the submission: the host is out of memory"
    )
    assert verdicts[1:] == ["accepted "] * 5


def test_a_stopped_host_thread_does_not_stop_the_others(seed_problem: Problem) -> None:
    """A callback that takes its time holds one worker, not the grader."""
    source = RIGHT.read_bytes()
    with Grader(workers=2) as grader:
        held = threading.Event()
        slow = grader.submit(seed_problem, source, on_case=lambda _: held.wait(5) and None)
        began = time.monotonic()
        assert grader.grade(seed_problem, source).verdict == "accepted"
        assert time.monotonic() - began < 5
        assert zygote_pid(grader) > 0
        held.set()
        assert slow.result(timeout=30).verdict == "accepted"


WHEEL = """
import sys
from grader import Grader, load_problem
from grader.specs.problem_schema import bundle_folder
problems = bundle_folder("problems")
assert str(problems).startswith({target!r}), problems
problem = load_problem({slug!r})
inside = [*problems.iterdir(), *bundle_folder("schemas").iterdir(), sys.modules["grader"].__file__]
with Grader() as g:
    for path in map(str, inside):
        source = "def balanced_accuracy_binary(*a):\\n    return open(%r).read()\\n" % path
        report = g.grade(problem, source, static_check=False)
        print(report.verdict, report.cases[0].message)
    print(g.grade(problem, problem.reference_code).verdict)
"""


@pytest.mark.slow
def test_an_installed_wheels_bundle_cannot_be_read_by_a_submission(tmp_path: Path) -> None:
    """It lies in site-packages, beside what a submission must be able to read."""
    target = tmp_path / "site-packages"
    built = run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
                 "--no-build-isolation", "--target", str(target), str(ROOT)])  # fmt: skip
    assert built.returncode == 0, built.stderr
    code = WHEEL.format(target=str(target), slug=SEED_SLUG)
    done = run([sys.executable, "-P", "-c", code], env={**os.environ, "PYTHONPATH": str(target)})
    assert done.returncode == 0, done.stderr
    *tried, last = done.stdout.splitlines()
    assert len(tried) >= 3
    for line in tried:
        assert line.startswith("security_violation the sandbox refused it: PermissionError")
    assert last == "accepted"


def test_no_clock_that_can_be_set_is_used() -> None:
    """A step of the wall clock changes no verdict and no time."""
    for path in sorted((ROOT / "grader").rglob("*.py")):
        assert not re.search(r"(?<!date)time\.time\(", path.read_text("utf-8")), path
