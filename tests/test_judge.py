"""What becomes of submissions, through the real wall."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grader import CaseResult, Grader, Problem, Report
from grader.specs.problem_schema import bundle_folder

MakeProblem = Callable[..., Problem]
RIGHT = """
def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    tpr, tnr = tp / (tp + fn + eps), tn / (tn + fp + eps)
    return tpr, tnr, (tpr + tnr) / 2
"""
DOUBLE = "def f(x):\n    return x * 2\n"
TWO_CASES = {"one": {"raw_inputs": {"x": "1.0"}}, "two": {"raw_inputs": {"x": "2.0"}}}


def verdicts(report: Report) -> list[str]:
    """The verdict of each case."""
    return [str(case.verdict) for case in report.cases]


@pytest.fixture(scope="module")
def double(make_problem: MakeProblem) -> Problem:
    """Twice x, at 1 and at 2; half a second, 200 MiB."""
    return make_problem(DOUBLE, TWO_CASES, time_limit=0.5, memory_limit_mb=200)


# --- both ways of stating cases ----------------------------------------------------------------


def test_right_solution_is_accepted_by_the_seeds_own_test_code(
    grader: Grader, seed_problem: Problem
) -> None:
    """The founder's spec works unmodified."""
    report = grader.grade(seed_problem, RIGHT)
    assert report.verdict == "accepted"
    assert (report.passed, report.total) == (4, 4)
    assert report.cases[3].case_name == "高召回低特异度"


def test_wrong_value_says_found_expected_where_and_difference(
    grader: Grader, seed_problem: Problem
) -> None:
    """The message is what a learner works from."""
    report = grader.grade(seed_problem, RIGHT.replace("tn + fp", "tn + fn"))
    assert report.verdict == "wrong_answer"
    first = next(case for case in report.cases if not case.passed)
    assert first.where == "output[1]"
    assert "was expected at output[1]" in first.message
    assert first.max_diff is not None


def test_list_for_tuple_is_a_wrong_answer_with_a_hint(
    grader: Grader, seed_problem: Problem
) -> None:
    """The kind comes before the values."""
    report = grader.grade(seed_problem, RIGHT.replace("return tpr", "return [tpr") + "    ]\n")
    assert report.verdict == "wrong_answer"
    assert report.cases[0].message.startswith("list")
    assert "tuple" in report.cases[0].message
    assert report.cases[0].hint is not None


def test_declared_cases_are_judged_without_test_code(grader: Grader, double: Problem) -> None:
    """New problems state their cases as data."""
    assert verdicts(grader.grade(double, DOUBLE)) == ["accepted", "accepted"]
    report = grader.grade(double, "def f(x):\n    return 2.0\n")
    assert verdicts(report) == ["accepted", "wrong_answer"]
    assert report.verdict == "wrong_answer"


def test_expected_error_wants_type_and_message(grader: Grader, make_problem: MakeProblem) -> None:
    """A subclass will do, another message will not."""
    reference = (
        "def f(x):\n    if x < 0:\n        raise ValueError('x is negative')\n    return x\n"
    )
    error = {"type": "ValueError", "message": "negative"}
    cases = {
        "good": {"raw_inputs": {"x": "1"}},
        "bad": {"raw_inputs": {"x": "-1"}, "expect_error": error},
    }
    problem = make_problem(reference, cases)
    assert grader.grade(problem, reference).verdict == "accepted"
    subclass = reference.replace("ValueError", "Mine").replace(
        "def f", "class Mine(ValueError):\n    pass\ndef f", 1
    )
    assert grader.grade(problem, subclass).verdict == "accepted"
    other = grader.grade(problem, reference.replace("is negative", "is odd"))
    assert verdicts(other) == ["accepted", "wrong_answer"]
    returned = grader.grade(problem, "def f(x):\n    return x\n")
    assert verdicts(returned) == ["accepted", "wrong_answer"]
    wrong_type = grader.grade(problem, reference.replace("ValueError", "KeyError"))
    assert "KeyError" in wrong_type.cases[1].message


def test_case_tolerance_overrides_the_problems(grader: Grader, make_problem: MakeProblem) -> None:
    """One loose case must not loosen the others."""
    cases = {
        "loose": {"raw_inputs": {"x": "1.0"}, "atol": 0.1},
        "tight": {"raw_inputs": {"x": "1.0"}},
    }
    report = grader.grade(make_problem(DOUBLE, cases), "def f(x):\n    return x * 2 + 0.05\n")
    assert verdicts(report) == ["accepted", "wrong_answer"]


def test_setup_code_serves_raw_inputs(grader: Grader, make_problem: MakeProblem) -> None:
    """Inputs may be made by helpers, which no submission sees."""
    setup = "def ramp(n):\n    return torch.arange(n, dtype=torch.float32)\n"
    cases = {"ramp": {"raw_inputs": {"x": "ramp(4).reshape(2, 2).T"}}}
    problem = make_problem(DOUBLE, cases, setup_code=setup)
    assert grader.grade(problem, DOUBLE).verdict == "accepted"
    report = grader.grade(problem, "def f(x):\n    return ramp(4)\n")
    assert report.verdict == "runtime_error"


def test_hidden_case_shows_name_and_verdict_and_the_first_failing_one_all(
    grader: Grader, make_problem: MakeProblem
) -> None:
    """Enough to learn from, too little to copy."""
    cases = {
        name: {"raw_inputs": {"x": x}, "hidden": True}
        for name, x in {"a": "1.0", "b": "2.0", "c": "3.0"}.items()
    }
    report = grader.grade(make_problem(DOUBLE, cases), "def f(x):\n    return 2.0\n")
    assert verdicts(report) == ["accepted", "wrong_answer", "wrong_answer"]
    passed, first_failed, later = report.cases
    assert passed.input is passed.expected_summary is None
    assert first_failed.input == {"x": "2.0"}
    assert first_failed.expected_summary is not None
    assert later.input is later.expected_summary is later.user_output_summary is None
    assert later.message == ""


# --- entry points ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    return x * 2\n",
        "f = lambda x: x * 2\n",
        "import functools, operator\nf = functools.partial(operator.mul, 2)\n"
        "f = (lambda g: lambda x: g(x))(f)\n",
        "class Twice:\n    def __call__(self, x):\n        return x * 2\nf = Twice()\n",
        "import torch\nclass Twice(torch.nn.Module):\n    def forward(self, x):\n"
        "        return x * 2\nf = Twice()\n",
        "async def g(x):\n    return x\ndef f(x):\n    try:\n        g(x).send(None)\n"
        "    except StopIteration as stop:\n        return stop.value * 2\n",
    ],
    ids=["function", "lambda", "partial", "callable instance", "module instance", "coroutine user"],
)
def test_entry_point_may_be_any_callable(source: str, grader: Grader, double: Problem) -> None:
    """The field's habits are many."""
    report = grader.grade(double, source)
    assert report.verdict == "accepted", report


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "empty"),
        ("   \n\n", "empty"),
        ("def g(x):\n    return x\n", "does not define `f`; it defines g"),
        ("f = 3\n", "`f` must be something to call, it is an int"),
        ("def f(x:\n", "line 1"),
        ("def f(x):\nreturn x\n", "line 2"),
        ("x = 'a\0b'\n", "NUL"),
        ("# " + "x" * 300_000, "262144"),
        ("f = " + "(" * 5_000 + ")" * 5_000, ""),
        ("f = " + "-" * 100_000 + "1", ""),
        ("f = lambda x: " + "x" + "+x" * 60_000, ""),
    ],
    ids=["empty", "blank", "other name", "no callable", "syntax", "indent", "nul", "too large",
         "deep brackets", "deep minus", "long sum"],
)  # fmt: skip
def test_what_cannot_be_a_submission_is_invalid(
    source: str, message: str, grader: Grader, double: Problem
) -> None:
    """The parser runs in the worker: what kills it is the submission's affair."""
    report = grader.grade(double, source)
    assert report.verdict == "invalid_submission", report
    assert message in report.message
    assert report.attempts == 1
    assert verdicts(report) == ["skipped", "skipped"]


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + DOUBLE.encode(),
        DOUBLE.replace("\n", "\r\n").encode(),
        DOUBLE.replace("    ", "\t").encode(),
        "# -*- coding: utf-8 -*-\n# Bình phương 平方\n".encode() + DOUBLE.encode(),
    ],
    ids=["byte order mark", "CRLF", "tabs", "cookie"],
)
def test_source_may_come_from_any_editor(data: bytes, grader: Grader, double: Problem) -> None:
    """Lay-out is not what is judged."""
    assert grader.grade(double, data).verdict == "accepted"


def test_source_of_another_encoding_is_invalid(grader: Grader, double: Problem) -> None:
    """Guessing an encoding would judge another program than the one sent."""
    report = grader.grade(double, "# caf\xe9\n".encode("latin-1") + DOUBLE.encode())
    assert report.verdict == "invalid_submission"
    assert "UTF-8" in report.message
    assert grader.grade(double, "x = '\ud800'\n" + DOUBLE).verdict == "invalid_submission"


def test_wrong_signature_is_a_runtime_error_that_names_it(grader: Grader, double: Problem) -> None:
    """Python's own sentence says it best."""
    report = grader.grade(double, "def f():\n    return 2.0\n")
    assert report.verdict == "runtime_error"
    assert "TypeError" in report.cases[0].message


# --- limits ------------------------------------------------------------------------------------


def at_one(body: str) -> str:
    """A right solution that does something first when x is 1."""
    return f"import time\ndef f(x):\n    if x == 1.0:\n        {body}\n    return x * 2\n"


@pytest.mark.parametrize(
    ("body", "verdict", "message"),
    [
        ("while True: pass", "time_limit_exceeded", "s of CPU time used, 0.5 s allowed"),
        ("time.sleep(60)", "time_limit_exceeded", "no answer after 3.5 s"),
        ("b = bytearray(400 << 20)", "memory_limit_exceeded", "out of memory"),
        ("print('x' * (2 << 20))", "output_limit_exceeded", "1 MiB was printed"),
        ("return bytes(100 << 20) * 3", "memory_limit_exceeded", "out of memory"),
        ("import ctypes; ctypes.string_at(0)", "runtime_error", "SIGSEGV"),
        ("import posix; posix._exit(0)", "runtime_error", "ended without an answer"),
        ("raise SystemExit(0)", "runtime_error", "SystemExit: 0 (line 4 in f)"),
    ],
    ids=["cpu", "sleep", "memory", "output", "result", "crash", "exit", "sys.exit"],
)
def test_a_case_that_ends_its_worker_does_not_end_the_others(
    body: str, verdict: str, message: str, grader: Grader, double: Problem
) -> None:
    """A limit costs one worker; the next case gets a fresh one."""
    report = grader.grade(double, at_one(body), static_check=False)
    assert verdicts(report) == [verdict, "accepted"]
    assert report.verdict == verdict
    assert message in report.cases[0].message


def test_limits_hold_in_test_code_too_and_its_except_never_sees_them(
    grader: Grader, make_problem: MakeProblem
) -> None:
    """An author's `except Exception: passed = True` must not turn a limit into a pass."""
    code = (
        "for name, x in [('one', 1.0), ('two', 2.0)]:\n"
        "    try:\n        passed = compare_outputs(user_obj(x), ref_obj(x), atol, rtol)[0]\n"
        "    except Exception:\n        passed = True\n"
        "    cases_results.append({'case_name': name, 'passed': passed})\n"
    )
    problem = make_problem(DOUBLE, TWO_CASES, test_code=code, time_limit=0.5)
    assert verdicts(grader.grade(problem, DOUBLE)) == ["accepted", "accepted"]
    report = grader.grade(problem, at_one("while True: pass"))
    assert verdicts(report) == ["time_limit_exceeded", "accepted"]
    assert report.cases[0].user_output_summary is None
    assert report.verdict == "time_limit_exceeded"


def test_test_code_that_runs_too_few_cases_accepts_nobody(
    grader: Grader, make_problem: MakeProblem
) -> None:
    """An author's slip must not turn cases that were never run into a pass."""
    code = "cases_results.append({'case_name': 'one', 'passed': user_obj(1.0) == 2.0})\n"
    report = grader.grade(make_problem(DOUBLE, TWO_CASES, test_code=code), DOUBLE)
    assert report.verdict == "internal_error"
    assert "does not run the declared case 'two'" in report.message


def test_after_three_cases_over_the_time_limit_no_further_one_is_begun(
    grader: Grader, make_problem: MakeProblem
) -> None:
    """The verdict stands; twenty times the limit would be waited for in vain."""
    cases = {f"case {n}": {"raw_inputs": {"x": str(n)}} for n in range(8)}
    problem = make_problem(DOUBLE, cases, time_limit=0.1)
    report = grader.grade(problem, "def f(x):\n    while x % 2 == 0: pass\n    return 2 * x\n")
    kinds = [str(case.verdict) for case in report.cases]
    late = "time_limit_exceeded"
    assert kinds == [late, "accepted", late, "accepted", late, late, "skipped", "skipped"]
    assert report.cases[5].message == "not begun: 3 cases before it ran into the time limit"


def test_a_fault_nobody_thought_of_ends_one_submission_only(
    grader: Grader, double: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is ours, and told with its place."""

    def broken(*_: object) -> None:
        raise KeyError("a bug of ours")

    with monkeypatch.context() as patched:
        patched.setattr("grader.case_runs.case_result", broken)
        report = grader.grade(double, DOUBLE)
    assert report.verdict == "internal_error"
    assert "unexpected KeyError at" in report.message
    assert "broken" in report.message
    assert grader.grade(double, DOUBLE).verdict == "accepted"


def test_cases_beyond_the_total_budget_are_skipped(
    grader: Grader, make_problem: MakeProblem
) -> None:
    """A sleeper in every case cannot hold a worker for ever."""
    cases = {str(n): {"raw_inputs": {"x": "1.0"}} for n in range(12)}
    problem = make_problem(DOUBLE, cases, time_limit=0.1)
    report = grader.grade(problem, "import time\ndef f(x):\n    time.sleep(60)\n")
    assert verdicts(report)[:2] == ["time_limit_exceeded"] * 2
    assert verdicts(report)[-1] == "skipped"
    assert report.total == 12


def test_module_level_has_limits_of_its_own(grader: Grader, double: Problem) -> None:
    """Loading counts as a case; what it raises is the submission's."""
    assert grader.grade(double, "while True: pass\n").verdict == "time_limit_exceeded"
    report = grader.grade(double, "x = 1\ny = 1 / 0\n")
    assert report.verdict == "runtime_error"
    assert report.message == "ZeroDivisionError: division by zero (line 2)"


# --- what crosses --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ("(y for y in [x])", "a generator cannot be returned"),
        ("[x, [lambda: 0]]", "a function cannot be returned"),
        ("f", "a function cannot be returned"),
        ("(lambda a: a.append(a) or a)([])", "a list that contains itself cannot be returned"),
        ("torch.empty(2, device='meta')", "a meta tensor cannot be returned"),
    ],
)
def test_what_cannot_cross_is_named(
    result: str, message: str, grader: Grader, double: Problem
) -> None:
    """A sentence beats a pickling error."""
    report = grader.grade(double, f"import torch\ndef f(x):\n    return {result}\n")
    assert report.verdict == "wrong_answer"
    assert message in report.cases[0].message


def test_a_large_tensor_crosses(grader: Grader, make_problem: MakeProblem) -> None:
    """64 MB there and back."""
    reference = "import torch\ndef f(x):\n    return x + 1\n"
    cases = {"big": {"raw_inputs": {"x": "torch.zeros(16 << 20)"}}}
    problem = make_problem(reference, cases)
    assert grader.grade(problem, reference).verdict == "accepted"
    report = grader.grade(problem, "def f(x):\n    y = x + 1\n    y[12345] = 0\n    return y\n")
    assert report.verdict == "wrong_answer"
    assert "(12345,)" in report.cases[0].message


def test_changed_input_is_named(grader: Grader, make_problem: MakeProblem) -> None:
    """In-place work on an argument is a bug that a right value would hide."""
    cases = {"list": {"raw_inputs": {"x": "[3, 1, 2]", "y": "torch.ones(2)"}}}
    problem = make_problem("def f(x, y):\n    return sorted(x)\n", cases)
    report = grader.grade(problem, "def f(x, y):\n    x.sort()\n    return x\n")
    assert report.verdict == "wrong_answer"
    assert "the input `x` was changed" in report.cases[0].message or (
        "the input argument 1 was changed" in report.cases[0].message
    )
    loose = make_problem("def f(x, y):\n    return sorted(x)\n", cases,
                         checks={"inputs_unchanged": False})  # fmt: skip
    assert grader.grade(loose, "def f(x, y):\n    x.sort()\n    return x\n").verdict == "accepted"
    grad = (
        "def f(x, y):\n    y.requires_grad_()\n    (y * y).sum().backward()\n    return sorted(x)\n"
    )
    assert grader.grade(problem, grad).verdict == "accepted"


def test_random_state_is_equal_on_both_sides(grader: Grader, make_problem: MakeProblem) -> None:
    """A reference that draws can only be met by the same draw."""
    reference = (
        "import random\nimport numpy as np\nimport torch\n"
        "def f(x):\n    return [random.random(), np.random.rand(), torch.rand(2)]\n"
    )
    problem = make_problem(reference, TWO_CASES)
    assert grader.grade(problem, reference).verdict == "accepted"


# --- output ------------------------------------------------------------------------------------


def test_printed_text_is_captured_bounded_and_inert(grader: Grader, double: Problem) -> None:
    """It helps to debug, and never becomes part of a verdict."""
    source = (
        "import sys\ndef f(x):\n    print('case', x, '\\x1b[2J\\u202e\\0')\n"
        "    print('y' * 10_000, file=sys.stderr)\n    return x * 2\n"
    )
    report = grader.grade(double, source, static_check=False)
    assert report.verdict == "accepted"
    assert report.cases[1].stdout == "case 2.0 \\x1b[2J\\u202e\\x00\n"
    assert len(report.cases[1].stderr) <= 4096
    assert report.cases[1].stderr.startswith("yyyy")


# --- faults ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("def f(x):\n    return 1 / (x - 1.0)\n", "the reference raises ZeroDivisionError"),
        ("def f(x):\n    while True: pass\n", "took over"),
        ("def f(x):\n    return iter([x])\n", "a list_iterator cannot be returned"),
        ("import no_such_module\ndef f(x):\n    return x\n", "reference_code raises"),
    ],
    ids=["raises", "hangs", "cannot cross", "import"],
)
def test_a_faulty_reference_is_never_the_learners_fault(
    reference: str, message: str, grader: Grader, make_problem: MakeProblem
) -> None:
    """Three kinds of error, never mixed."""
    problem = make_problem(reference, TWO_CASES, time_limit=0.5)
    report = grader.grade(problem, DOUBLE)
    assert report.verdict == "internal_error"
    assert "the problem is at fault, not the submission" in report.message
    assert message in report.message


def test_cases_arrive_as_they_are_judged(grader: Grader, double: Problem) -> None:
    """A page can show the first case before the last is run."""
    arrived: list[CaseResult] = []
    report = grader.submit(double, DOUBLE, on_case=arrived.append).result(timeout=60)
    assert [case.case_name for case in arrived] == ["one", "two"]
    assert report.passed == 2


def test_reports_are_equal_but_for_times(grader: Grader, seed_problem: Problem) -> None:
    """A verdict that cannot be repeated cannot be appealed."""

    def timeless(report: Report) -> dict[str, Any]:
        whole = report.to_dict()
        del whole["usage"]
        for case in whole["cases"]:
            case["time_ms"] = case["cpu_ms"] = case["memory_mb"] = None
        return whole

    wrong = RIGHT.replace("tn + fp", "tn + fn")
    first, second = (timeless(grader.grade(seed_problem, wrong)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("source", [RIGHT, "import os\n", "def (", "", RIGHT.replace("/ 2", "/ 3")])
def test_every_report_fits_its_schema(source: str, grader: Grader, seed_problem: Problem) -> None:
    """Other tools read it."""
    schema = json.loads((bundle_folder("schemas") / "report.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    report = grader.grade(seed_problem, source).to_dict()
    assert not list(Draft202012Validator(schema).iter_errors(report))


def test_calls_from_several_threads_do_not_mix(seed_problem: Problem) -> None:
    """Each gets its own report."""
    wrong = RIGHT.replace("/ 2", "/ 3")
    results: dict[int, list[str]] = {n: [] for n in range(6)}
    with Grader(workers=2) as several:

        def work(n: int) -> None:
            for _ in range(5):
                source = RIGHT if n % 2 else wrong
                results[n].append(str(several.grade(seed_problem, source).verdict))

        threads = [threading.Thread(target=work, args=(n,)) for n in results]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for n, said in results.items():
        assert said == ["accepted" if n % 2 else "wrong_answer"] * 5
