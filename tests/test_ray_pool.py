"""The cluster engine: the same reports as on one machine, whatever becomes of the nodes."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from conftest import seed_spec

from grader.batch.executor import Job, LocalPool
from grader.batch.ray_pool import RayPool
from grader.errors import InternalFault
from grader.spec import load_problem, to_canonical_json

ROOT = Path(__file__).parent.parent

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs ray: [cluster]"),
]

# Every verdict that a submission can bring about.
BODIES = {
    "runtime_error": "raise ValueError('no')",
    "time_limit_exceeded": "while True: pass",
    "memory_limit_exceeded": "return bytearray(8 << 30)",
    "output_limit_exceeded": "print('x' * (2 << 20))",
    "security_violation": "open('/etc/passwd')",
    "forbidden": "import sklearn.metrics",
    "wrong_answer": "return 1",
}


def job(slug: str, source: str) -> Job:
    """A job for a problem of the bundle."""
    problem = load_problem(slug)
    return Job(to_canonical_json(problem.raw), problem.digest, source.encode())


def quick(body: str, *, static_check: bool = True, time_limit_s: float = 0.5) -> Job:
    """A job for a problem with one case and little time, to return 2."""
    code = "def f(x):\n    return x + 1\n"
    raw = seed_spec()
    del raw["test_code"]
    raw |= {"entry_point": "f", "reference_code": code, "starter_code": code}
    raw["time_limit"] = time_limit_s
    raw["test_cases"] = [{"name": "one", "raw_inputs": {"x": "1"}}]
    raw["forbidden_modules"] = ["sklearn"]
    spec = to_canonical_json(raw)
    source = f"def f(x):\n    {body}\n".encode()
    return Job(spec, sha256(spec.encode()).hexdigest(), source, static_check)


def mixed_jobs(count: int) -> list[Job]:
    """One of each verdict, solutions of a few problems, small ones to make up the number."""
    jobs = [
        quick(body, static_check=verdict != "security_violation")
        for verdict, body in {**BODIES, "invalid_submission": "return ("}.items()
    ]
    for slug in ("accuracy-paradox", "auc-by-pairs", "auc-degenerate", "average-ranks"):
        folder = ROOT / "reference" / slug.replace("-", "_")
        jobs += [job(slug, path.read_text("utf-8")) for path in sorted(folder.glob("*/*.py"))]
    return jobs + [quick(f"return {n % 3}") for n in range(count - len(jobs))]


def without_times(report: dict[str, Any]) -> dict[str, Any]:
    """A report but for what differs from run to run."""
    rest = json.loads(json.dumps(report))
    del rest["usage"]
    for case in rest["cases"]:
        for name in ("time_ms", "cpu_ms", "memory_mb"):
            del case[name]
        if case["verdict"] in ("time_limit_exceeded", "memory_limit_exceeded"):
            del case["message"]
    return rest


@pytest.fixture(scope="module")
def pool() -> Iterator[RayPool]:
    """A Ray on this machine, with two workers."""
    with RayPool(workers=2) as made:
        yield made


def ray_processes() -> dict[int, bytes]:
    """Environment by process id of all that Ray started with our token, and of this process."""
    token = os.environ["RAY_AUTH_TOKEN"].encode()
    found = {os.getpid(): token}
    for folder in Path("/proc").iterdir():
        try:
            environment = (folder / "environ").read_bytes() if folder.name.isdigit() else b""
        except OSError:
            continue
        if token in environment:
            found[int(folder.name)] = environment
    return found


def zygotes() -> list[int]:
    """Processes that an actor of ours started with another environment."""
    ours = ray_processes()
    found = []
    for folder in Path("/proc").iterdir():
        try:
            stat = (folder / "stat").read_text() if folder.name.isdigit() else ""
            command = (folder / "cmdline").read_bytes() if stat else b""
        except OSError:
            continue
        if b"grader.sandbox.inside.zygote" in command:
            parent = int(stat.rpartition(")")[2].split()[1])
            if parent in ours and parent != os.getpid():
                found.append(int(folder.name))
    return found


def test_two_hundred_mixed_reports_equal_those_of_the_local_pool(pool: RayPool) -> None:
    """An engine must not change a verdict, nor a word of the report."""
    jobs = mixed_jobs(200)
    assert len(jobs) == 200
    far = [future.result(120) for future in [pool.submit(job) for job in jobs]]
    with LocalPool(2) as local:
        near = [future.result(120) for future in [local.submit(job) for job in jobs]]
        assert pool.versions == local.versions
    assert [without_times(report) for report in far] == [without_times(report) for report in near]
    counts = Counter(report["verdict"] for report in far)
    assert set(counts) == {*BODIES, "invalid_submission", "accepted"}


def test_a_slow_submission_does_not_hold_back_its_chunk(pool: RayPool) -> None:
    """Reports stream; they do not wait for the chunk's last."""
    jobs = [quick("while True: pass", time_limit_s=5), *[quick("return 1")] * 7]
    ended: list[str] = []
    futures = [pool.submit(each) for each in jobs]
    for future in futures:
        future.add_done_callback(lambda done: ended.append(done.result()["verdict"]))
    assert futures[0].result(60)["verdict"] == "time_limit_exceeded"
    assert ended[:7] == ["wrong_answer"] * 7


def test_cases_are_told_as_they_are_judged(pool: RayPool) -> None:
    """One by one and once each, before the report."""
    told: list[dict[str, Any]] = []
    future = pool.submit(quick("return 1"), told.append)
    report = future.result(60)
    assert [case["case_id"] for case in told] == [case["case_id"] for case in report["cases"]]
    assert {case["verdict"] for case in told} == {"wrong_answer"}


def test_a_faulty_spec_fails_its_own_job_only(pool: RayPool) -> None:
    """The node says what is wrong with it, and goes on."""
    bad = pool.submit(Job("{}", "0" * 64, b""))
    good = pool.submit(quick("return 1"))
    with pytest.raises(ValueError, match='required field "atol" is missing'):
        bad.result(60)
    assert good.result(60)["verdict"] == "wrong_answer"


def test_a_submission_sees_neither_token_nor_other_processes(pool: RayPool) -> None:
    """With the token it could run code on every node."""
    bodies = [
        "import os; raise ValueError(str(dict(os.environ)))",
        "raise ValueError(open('/proc/self/environ').read())",
        "import os; raise ValueError(open(f'/proc/{os.getppid()}/environ').read())",
        "import socket; socket.socket()",
        "import os; raise ValueError(str(os.listdir('/tmp')))",
    ]
    reports = [pool.submit(quick(body, static_check=False)).result(60) for body in bodies]
    verdicts = [report["verdict"] for report in reports]
    assert verdicts == ["runtime_error", *["security_violation"] * 4]
    assert "LANG" in reports[0]["cases"][0]["message"]
    for report in reports:
        assert os.environ["RAY_AUTH_TOKEN"] not in json.dumps(report)
        assert "RAY_" not in json.dumps(report)


def test_a_zygotes_environment_does_not_hold_the_token(pool: RayPool) -> None:
    """So it is not the jail alone that keeps it from a submission."""
    pool.submit(quick("return 1")).result(60)
    found = zygotes()
    assert found
    for pid in found:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        assert b"PYTHONMALLOC" in environment
        assert b"RAY_" not in environment
        assert os.environ["RAY_AUTH_TOKEN"].encode() not in environment


def listening(pid: int, table: dict[str, str]) -> list[str]:
    """Local addresses, in the kernel's hexadecimal, on which a process listens."""
    found = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            name = str(link.readlink())
        except OSError:
            continue
        if name.startswith("socket:[") and name[8:-1] in table:
            found.append(table[name[8:-1]])
    return found


def test_a_local_ray_listens_on_the_loopback_address_only(pool: RayPool) -> None:
    """Nobody asked for a service on the network."""
    rows = [
        row.split()
        for name in ("tcp", "tcp6")
        for row in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
    ]
    table = {row[9]: row[1].split(":")[0] for row in rows if row[3] == "0A"}
    heard = {address for pid in ray_processes() for address in listening(pid, table)}
    loopback = {
        "0100007F",
        "0000000000000000FFFF00000100007F",  # ::ffff:127.0.0.1
        "00000000000000000000000001000000",  # ::1
    }
    assert heard
    assert heard <= loopback


def test_an_actor_killed_in_mid_run_costs_no_report(pool: RayPool) -> None:
    """Its jobs are judged again; each future is answered once."""
    expected = ["accepted", "wrong_answer"] * 60
    futures = [pool.submit(quick(f"return {n % 2 + 1}")) for n in range(1, 121)]
    futures[10].result(60)
    (seat,) = pool._seats.values()
    seat.end()
    assert [future.result(60)["verdict"] for future in futures] == expected
    assert pool.slots == 2
    assert pool.refused == {}


def run_script(script: str, timeout_s: float) -> list[str]:
    """Run a script in a process of its own: Ray is one a process."""
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + script],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=timeout_s,
        env={
            **{name: os.environ[name] for name in os.environ if not name.startswith("RAY_")},
            "PYTHONPATH": str(ROOT / "tests"),
        },
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


PRELUDE = """
import os, time
from collections import Counter
from grader.batch.ray_pool import RayPool
from grader.errors import InternalFault
from test_ray_pool import quick

right, wrong = quick("return 2"), quick("return 1")
"""

TWO_NODES = """
os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "t" * 64}
import shutil, tempfile
from ray.cluster_utils import Cluster

folder = tempfile.mkdtemp(prefix="gray-")  # sockets in it: their paths must be short
head = {"num_cpus": 0, "include_dashboard": False, "temp_dir": folder}
cluster = Cluster(initialize_head=True, head_node_args=head)
try:
    first = cluster.add_node(num_cpus=1)
    with RayPool(address=cluster.address) as pool:
        print(pool.slots, pool.refused)
        cluster.add_node(num_cpus=1)
        deadline = time.monotonic() + 60
        while pool.slots < 2 and time.monotonic() < deadline:
            pool.submit(right).result(60)
        print(pool.slots)
        futures = [pool.submit((right, wrong)[n % 2]) for n in range(300)]
        answers = Counter()
        for n, future in enumerate(futures):
            future.add_done_callback(lambda _, n=n: answers.update([n]))
        futures[40].result(60)
        seats = sorted(pool._seats.values(), key=lambda seat: seat.delivered)
        cluster.remove_node(first, allow_graceful=False)
        verdicts = [future.result(60)["verdict"] for future in futures]
        print(verdicts == ["accepted", "wrong_answer"] * 150, set(answers.values()), len(answers))
        print(all(seat.delivered for seat in seats), pool.slots)
        waiting = [pool.submit(right) for _ in range(200)]
    states = {"cancelled" if f.cancelled() else f.result()["verdict"] for f in waiting}
    print(all(f.done() for f in waiting), "cancelled" in states)
finally:
    cluster.shutdown()
    shutil.rmtree(folder, ignore_errors=True)
"""


def test_a_node_that_joins_is_used_and_one_killed_in_mid_run_costs_no_report() -> None:
    """Machines come and go; a report is neither lost nor given twice. Close cancels the rest."""
    assert run_script(TWO_NODES, timeout_s=120) == [
        "1 {}",
        "2",
        "True {1} 300",
        "True 1",
        "True True",
    ]


# Not jailed, it kills the actor: the parent of its zygote.
POISON = '''
poison = quick("""import os, signal
    stat = open(f"/proc/{os.getppid()}/stat").read()
    os.kill(int(stat.rpartition(")")[2].split()[1]), signal.SIGKILL)""", static_check=False)
with RayPool(workers=2, isolation="none") as pool:
    futures = [pool.submit((right, poison)[n == 7]) for n in range(40)]
    print(Counter(f.result(90)["verdict"] for n, f in enumerate(futures) if n != 7))
    try:
        futures[7].result(90)
    except InternalFault as fault:
        print(str(fault)[:35])
'''


def test_a_submission_that_brings_graders_down_is_given_up_and_no_other() -> None:
    """Its neighbours were lost with it, twice at the most."""
    assert run_script(POISON, timeout_s=120) == [
        "Counter({'accepted': 39})",
        "3 graders were lost with it: ActorD",
    ]


@pytest.mark.parametrize(
    ("address", "kind", "message"),
    [
        ("127.0.0.1:1", InternalFault, "no cluster at 127.0.0.1:1: .*refused"),
        ("ray://127.0.0.1:10001", ValueError, "not supported"),
        ("here:there", ValueError, "host:port or auto expected"),
    ],
)
def test_an_address_without_a_cluster_is_told_at_once(
    address: str, kind: type[Exception], message: str
) -> None:
    """Ray itself tries for two minutes."""
    with pytest.raises(kind, match=message):
        RayPool(address=address)


@pytest.mark.parametrize("door", ["grader.batch", "grader.batch.ray_pool", "grader.batch.plan"])
def test_importing_the_engine_loads_neither_ray_nor_torch(door: str) -> None:
    """One who judges on one machine has no Ray, and pays for none."""
    code = f"import sys, {door}; print([m for m in ('ray', 'torch', 'numpy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


LEFT = """
import subprocess, sys
def offspring(pid):
    rows = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True).stdout
    parents = {int(a): int(b) for a, b in map(str.split, rows.splitlines())}
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}

with RayPool(workers=1) as pool:
    print(pool.submit(right).result()["verdict"])
    begun = offspring(os.getpid())
    folder = pool._cluster._folder
deadline = time.monotonic() + 10
while left := [p for p in begun if os.path.exists(f"/proc/{p}")]:
    if time.monotonic() > deadline:
        break
    time.sleep(0.1)
print(len(begun) > 5, left, os.path.exists(folder), "torch" in sys.modules)
"""


def test_close_leaves_no_process_and_no_folder_and_the_driver_never_loads_torch() -> None:
    """A batch that ends is gone."""
    assert run_script(LEFT, timeout_s=120) == ["accepted", "True [] False False"]
