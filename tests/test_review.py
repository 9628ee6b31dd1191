"""Faults that a review by an adversary found, each as the one who met it would have seen it."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import SEED_SLUG, problem_from, seed_spec
from sound_problem import sound_spec

from grader import Grader, Problem
from grader.authoring.changes import changed_problems
from grader.authoring.folders import mirror_solutions, pack, unpack
from grader.batch.cache import may_be_kept
from grader.batch.entries import Layout, UnreadableInput, read_entries
from grader.batch.executor import LocalPool
from grader.batch.journal import Journal, OutputRefused
from grader.batch.problems import ProblemShelf
from grader.batch.records import read_records
from grader.batch.runner import BatchRun
from grader.checking.apis import ForbiddenApis
from grader.cli import main
from grader.errors import SpecError
from grader.limits import MAX_CAPTURED_CHARS
from grader.specs.problem_schema import bundle_folder
from grader.static_check import check_tree
from grader.submission_calls import as_exception
from grader.values import ExceptionValue

MakeProblem = Callable[..., Problem]
RIGHT = sorted((bundle_folder("examples") / SEED_SLUG).glob("*.py"))[0].read_text()
IDENTITY = "def f(x):\n    return x\n"
SUM = "def f(x):\n    return sum(x)\n"
# Calls a worker's own code by its name, as any submission may.
FORGED_CHANGE = (
    "import grader.sandbox.inside.calls as calls\n"
    "calls._Watched.changed = lambda self: ['\\u00b2', '9' * 199]\n"
)


# --- one submission ------------------------------------------------------------------------


def test_a_forged_name_of_an_argument_does_not_end_the_judge(
    grader: Grader, make_problem: MakeProblem
) -> None:
    """`"²".isdigit()` is true and `int("²")` raises: one submission stopped a whole batch."""
    problem = make_problem(SUM, {"one": {"raw_inputs": {"x": "[1.0, 2.0]"}}})
    report = grader.grade(problem, FORGED_CHANGE + SUM)
    assert report.verdict == "wrong_answer"
    assert "`²` was changed" in report.cases[0].message


def test_an_oserror_is_not_taken_for_the_type_error_that_was_asked_for(grader: Grader) -> None:
    """To make the twin of an OSError raised a TypeError inside the test code: accepted."""
    test_code = """
try:
    user_obj(1)
    passed = False
except TypeError:
    passed = True
except OSError:
    passed = False
cases_results.append({"case_name": "one", "passed": passed, "message": ""})
"""
    problem = coded("def f(x):\n    raise TypeError('no')\n", test_code)
    assert grader.grade(problem, "def f(x):\n    raise OSError('no')\n").verdict != "accepted"
    assert grader.grade(problem, "def f(x):\n    raise TypeError('no')\n").verdict == "accepted"


@pytest.mark.parametrize("name", ["OSError", "PermissionError", "MemoryError", "UnicodeError",
                                  "UnicodeDecodeError", "ExceptionGroup", "StopIteration",
                                  "BaseExceptionGroup", "KeyboardInterrupt"])  # fmt: skip
def test_an_exception_of_every_kind_has_a_twin(name: str) -> None:
    """Some are made in ways of their own."""
    error = as_exception(ExceptionValue((name, "Exception"), "a message"))
    assert (type(error).__name__, str(error)) == (name, "a message")


def coded(reference: str, test_code: str) -> Problem:
    """A problem of one case that its test code runs."""
    raw = seed_spec() | {"entry_point": "f", "reference_code": reference}
    raw |= {"starter_code": reference, "test_code": test_code, "time_limit": 5}
    raw["test_cases"] = [{"name": "one", "raw_inputs": {"x": "1"}}]
    return problem_from(raw)


def test_what_many_calls_of_one_case_print_is_bounded_together(grader: Grader) -> None:
    """Each call may print; a case of 5,000 calls brought 20 MB into the report and the host."""
    test_code = """
passed = sum(1 for _ in user_obj(1)) == 20
cases_results.append({"case_name": "one", "passed": passed, "message": ""})
"""
    problem = coded("def f(x):\n    return [0] * 20\n", test_code)
    source = "def f(x):\n    for n in range(20):\n        print('x' * 4000)\n        yield n\n"
    report = grader.grade(problem, source)
    assert report.verdict == "accepted"
    assert len(report.cases[0].stdout) == MAX_CAPTURED_CHARS


NEEDS_TWO = """
def f(x):
    if len(x) < 2:
        raise ValueError("two at least")
    return max(x) - min(x)
"""
BY_SIZE = """
def generate(rng, index, size=None):
    return {"x": rng.normal(size=size or 9).tolist()}
"""
NO_SMALL_ONES = """
def generate(rng, index, size=None):
    return {"x": rng.choice(size - 2 if size else 9, size=2, replace=False).tolist()}
"""


@pytest.mark.parametrize("generate", [BY_SIZE, NO_SMALL_ONES], ids=["reference", "generator"])
def test_a_problem_that_has_no_small_case_still_judges(
    grader: Grader, make_problem: MakeProblem, generate: str
) -> None:
    """A wrong answer became an internal error where size 1 is too small for the author's code."""
    drawn = {"code": generate, "count": 2, "seed": 1}
    cases = {"one": {"raw_inputs": {"x": "[1.0, 3.0]"}}}
    problem = make_problem(NEEDS_TWO, cases, generated_cases=drawn)
    report = grader.grade(problem, "def f(x):\n    return 2.0\n")
    assert report.verdict == "wrong_answer"
    first = report.cases[1]
    assert first.generated is not None
    assert (first.generated["size"] or 0) > 1


def test_a_drawn_input_without_an_expression_is_named_and_not_our_fault(
    grader: Grader, make_problem: MakeProblem
) -> None:
    """`np.longdouble(3).item()` is a longdouble again: the referee went round until it fell."""
    code = "def generate(rng, index):\n    return {'x': np.longdouble(3)}\n"
    problem = make_problem(
        "def f(x):\n    return 1\n",
        {"one": {"raw_inputs": {"x": "2"}}},
        generated_cases={"code": code, "count": 1, "seed": 1},
    )
    report = grader.grade(problem, "def f(x):\n    return 1 if x == 2 else 7\n")
    assert report.verdict == "wrong_answer"
    assert "not shown" in (report.cases[1].input or {})["x"]


def test_no_alias_takes_a_time_that_grows_with_the_parts(
    grader: Grader, make_problem: MakeProblem
) -> None:
    """Each array of the result was held against each of the input, on the learner's clock."""
    copies = "def f(x):\n    return [v.copy() for v in x]\n"
    cases = {"one": {"raw_inputs": {"x": "[np.ones(3) for _ in range(6000)]"}}}
    problem = make_problem(copies, cases, checks={"no_alias": True}, time_limit=2)
    assert grader.grade(problem, copies).verdict == "accepted"
    shared = "def f(x):\n    return [v.copy() for v in x[1:]] + [x[0][:1]]\n"
    report = grader.grade(make_problem(copies, cases, checks={"no_alias": True}), shared)
    assert report.verdict == "wrong_answer"


# --- bans ----------------------------------------------------------------------------------

OWN_NAMES = {
    "class attribute": "class A:\n    softmax = staticmethod(lambda v: v)\nA.softmax(1)",
    "field": "class A:\n    softmax: object = None\ndef g(a: A): return a.softmax(1)",
    "keyword": "from types import SimpleNamespace as N\nn = N(softmax=abs)\nn.softmax(1)",
}


@pytest.mark.parametrize("source", OWN_NAMES.values(), ids=OWN_NAMES)
def test_a_member_that_the_submission_itself_names_is_its_own(source: str) -> None:
    """A class may hold a function of any name, however the class came by it."""
    assert check_tree(ast.parse(source), [], [], source, ["torch.softmax"]) == []
    assert ForbiddenApis(["torch.softmax"]).ban_of("torch.Tensor.softmax")


def test_numpy_works_on_with_one_of_its_ufuncs_banned(
    grader: Grader, make_problem: MakeProblem
) -> None:
    """NumPy calls `add.reduce` itself; what stood in for `add` had no such method."""
    problem = make_problem(
        IDENTITY, {"one": {"raw_inputs": {"x": "2.0"}}}, forbidden_apis=["numpy.add"]
    )
    honest = (
        "import numpy as np\n\n\ndef f(x):\n"
        "    return x * float(np.linalg.norm(np.array([[1.0, 0.0]]), axis=1)[0])\n"
    )
    assert grader.grade(problem, honest).verdict == "accepted"
    hidden = "import numpy as np\n\n\ndef f(x):\n    return getattr(np, 'dda'[::-1]).reduce([x])\n"
    assert grader.grade(problem, hidden).verdict == "forbidden"


# --- batches -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pool() -> Iterator[LocalPool]:
    """One submission at a time."""
    with LocalPool(1) as made:
        yield made


def run_batch(pool: LocalPool, source: Path, out: Path) -> dict[str, str]:
    """Judge a batch; verdicts by position and id."""
    with Journal(out, {"input": str(source)}) as journal:
        BatchRun(pool, journal, ProblemShelf().find).run(read_entries(str(source), Layout()))
    return {f"{record.position} {record.id}": record.verdict for record in read_records(out)}


def lines(path: Path, *raws: dict[str, Any]) -> Path:
    """JSON Lines of submissions to the seed problem."""
    path.write_text("".join(json.dumps({"slug": SEED_SLUG} | raw) + "\n" for raw in raws))
    return path


def test_an_id_on_a_malformed_line_is_still_free(pool: LocalPool, tmp_path: Path) -> None:
    """Whether the sound line was a double depended on what had been written by then."""
    bad, good = {"id": "x", "source": 3}, {"id": "x", "source": RIGHT}
    alone = run_batch(pool, lines(tmp_path / "a.jsonl", bad, good), tmp_path / "a.out")
    slow = {"id": "slow", "source": RIGHT + "\nfor _ in range(2_000_000):\n    pass\n"}
    after = run_batch(pool, lines(tmp_path / "b.jsonl", slow, bad, good), tmp_path / "b.out")
    assert alone == {"0 x": "malformed", "1 x": "accepted"}
    assert after == {"0 slow": "accepted", "1 x": "malformed", "2 x": "accepted"}


def test_an_input_that_grew_in_front_is_told_and_not_mixed_up(
    pool: LocalPool, tmp_path: Path
) -> None:
    """One more file shifts all positions: it was left out, and the last stood there twice."""
    folder = tmp_path / "in"
    for who in ("bob", "carl"):
        (folder / who).mkdir(parents=True)
        (folder / who / f"{SEED_SLUG}.py").write_text(RIGHT)
    first = run_batch(pool, folder, tmp_path / "out")
    (folder / "adam").mkdir()
    (folder / "adam" / f"{SEED_SLUG}.py").write_text(RIGHT)
    with pytest.raises(OutputRefused, match=r"'adam/.* was not at position 0 before"):
        run_batch(pool, folder, tmp_path / "out")
    assert len(first) == 2 == len(list(read_records(tmp_path / "out")))


def test_an_input_that_grew_at_its_end_goes_on(pool: LocalPool, tmp_path: Path) -> None:
    """Doubles and lines that are none stay what they were."""
    raws = [{"id": 1, "source": RIGHT}, {"id": 1, "source": RIGHT}, {"id": 2, "source": 3}]
    source = lines(tmp_path / "a.jsonl", *raws)
    before = run_batch(pool, source, tmp_path / "out")
    lines(source, *raws, {"id": 2, "source": RIGHT})
    assert run_batch(pool, source, tmp_path / "out") == before | {"3 2": "accepted"}


def test_what_ran_without_the_jail_is_not_kept_for_runs_with_it() -> None:
    """The key says nothing of isolation, and an unjailed submission may write what it likes."""
    report = {"verdict": "accepted", "cases": [], "isolation": "full"}
    assert may_be_kept(report)
    assert not may_be_kept(report | {"isolation": "none"})


def archive(path: Path, mode: Any) -> bytes:
    """A tar file of forty submissions; its bytes."""
    with tarfile.open(path, mode) as made:
        for number in range(40):
            data = os.urandom(700)
            info = tarfile.TarInfo(f"u{number:02}/{SEED_SLUG}.py")
            info.size = len(data)
            made.addfile(info, io.BytesIO(data))
    return path.read_bytes()


def test_a_damaged_header_is_not_the_end_of_a_tar_file(tmp_path: Path) -> None:
    """`tarfile` takes it for the end: half the submissions were missing, and nobody said so."""
    data = bytearray(archive(tmp_path / "a.tar", "w"))
    data[data.index(b"u20/") + 148] ^= 1
    (tmp_path / "a.tar").write_bytes(data)
    with pytest.raises(UnreadableInput, match="damaged at byte"):
        list(read_entries(str(tmp_path / "a.tar"), Layout()))


@pytest.mark.parametrize("kind", ["xz", "bz2"])
def test_damaged_compression_is_told_with_the_name_of_the_file(tmp_path: Path, kind: str) -> None:
    """It ended in a traceback, or in a message about the output."""
    path = tmp_path / f"a.tar.{kind}"
    data = bytearray(archive(path, f"w:{kind}"))
    half = len(data) // 2
    data[half : half + 64] = bytes(byte ^ 0x55 for byte in data[half : half + 64])
    path.write_bytes(data)
    with pytest.raises(UnreadableInput, match=r"a\.tar\."):
        list(read_entries(str(path), Layout()))


def test_a_folder_may_be_deeper_than_pythons_stack(tmp_path: Path) -> None:
    """One unpacked archive with a thousand folders in each other ended the whole run."""
    (tmp_path / "in" / "bob").mkdir(parents=True)
    (tmp_path / "in" / "bob" / f"{SEED_SLUG}.py").write_text(RIGHT)
    here = os.open(tmp_path / "in", os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("a", dir_fd=here)
        deeper = os.open("a", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    found = list(read_entries(str(tmp_path / "in"), Layout()))
    subprocess.run(["rm", "-r", str(tmp_path / "in" / "a")], check=True)  # as deep for pytest
    assert [entry.who for entry in found] == ["bob"]


def test_an_output_that_is_no_file_is_refused(tmp_path: Path) -> None:
    """`--out /dev/full` was read for earlier records, without end and without bound."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OutputRefused, match="no regular file"):
        Journal(tmp_path / "pipe", {})
    assert not (tmp_path / "pipe.run").exists()


@pytest.mark.parametrize("more", [["--fresh"], ["--csv", "{out}"]], ids=["input", "report"])
def test_no_file_is_written_over_another(tmp_path: Path, more: list[str]) -> None:
    """`--fresh --out INPUT` deleted the submissions; `--csv OUT` the records."""
    source = lines(tmp_path / "a.jsonl", {"id": 1, "source": RIGHT})
    before = source.read_bytes()
    out = source if more == ["--fresh"] else tmp_path / "out.jsonl"
    words = ["batch", str(source), "--out", str(out), *(w.format(out=out) for w in more)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "named twice" in done.output
    assert source.read_bytes() == before


# --- authors -------------------------------------------------------------------------------


def test_packing_a_folder_without_solutions_removes_none(tmp_path: Path) -> None:
    """Unpacked from a copy elsewhere it has empty folders; packing emptied those of the bundle."""
    unpack(sound_spec(), tmp_path / "work", None)
    kept = tmp_path / "reference" / "mean_square" / "wrong" / "a.py"
    kept.parent.mkdir(parents=True)
    kept.write_text("1\n")
    mirror_solutions(tmp_path / "work", kept.parent.parent, "x = 1\n")
    assert kept.read_text() == "1\n"


@pytest.mark.parametrize("outline", ['{"translations": []}', '{"generated_cases": 3}',
                                     '{"translations": {"vi": 3}}'])  # fmt: skip
def test_an_outline_of_the_wrong_shape_is_a_finding(tmp_path: Path, outline: str) -> None:
    """It was a traceback."""
    unpack(sound_spec(), tmp_path / "work", None)
    (tmp_path / "work" / "problem.json").write_text(outline)
    with pytest.raises(SpecError):
        pack(tmp_path / "work")


def test_a_byte_order_mark_before_an_outline_is_no_fault(tmp_path: Path) -> None:
    """Some editors write one; every field was said to be missing."""
    unpack(sound_spec(), tmp_path / "work", None)
    text = pack(tmp_path / "work").text
    outline = tmp_path / "work" / "problem.json"
    outline.write_bytes(b"\xef\xbb\xbf" + outline.read_bytes())
    assert pack(tmp_path / "work").text == text


def test_a_file_name_that_is_no_utf8_does_not_stop_changed_since(tmp_path: Path) -> None:
    """Git names files in bytes."""
    (tmp_path / "problems").mkdir()
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.py")).touch()
    (tmp_path / "problems" / "a.json").write_text("{}")
    assert [file.name for file in changed_problems("HEAD", tmp_path / "problems")] == ["a.json"]
