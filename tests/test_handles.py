"""Objects of a class in test code: made, used and let go through the wall."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from conftest import problem_from, seed_spec

from grader import Grader, Problem, Report

REFERENCE = textwrap.dedent("""
    import torch

    class f:
        limit = 3

        def __init__(self, start=0):
            self.total = start
            self.seen = []

        def add(self, n):
            self.total += n
            self.seen.append(n)
            return self.total

        def merge(self, other):
            self.total += other.total
            return self

        def __call__(self, x):
            return x * self.total

        def __getitem__(self, place):
            return self.seen[place]

        def __setitem__(self, place, value):
            self.seen[place] = value

        def __len__(self):
            return len(self.seen)

        def __iter__(self):
            return iter(self.seen)

        def __enter__(self):
            self.total += 100
            return self

        def __exit__(self, *exc):
            self.total -= 100
""")
HEAD = """
def case(name, script):
    try:
        expected, actual = script(ref_obj), script(user_obj)
        passed, message, diff = compare_outputs(actual, expected, atol, rtol)
    except Exception as error:
        passed, message = False, f"{type(error).__name__}: {error}"
    cases_results.append({"case_name": name, "passed": passed, "message": message})
"""
SCRIPTS = {
    "construct and call a method": "lambda make: [make(2).add(3), make().add(1)]",
    "state stays with the object": "lambda make: (lambda c: (c.add(1), c.add(2), c.total))(make())",
    "attribute of the class": "lambda make: make().limit",
    "set an attribute": "lambda make: (lambda c: (setattr(c, 'total', 9), c.add(1)))(make())[1]",
    "call the object": "lambda make: make(3)(__import__('torch').ones(2))",
    "item": "lambda make: (lambda c: (c.add(4), c.add(5), c[1]))(make())",
    "set an item": "lambda make: (lambda c: (c.add(4), c.__setitem__(0, 7), c[0]))(make())",
    "length": "lambda make: (lambda c: (c.add(4), len(c)))(make())",
    "iteration": "lambda make: (lambda c: (c.add(4), c.add(5), list(c)))(make())[2]",
    "an object as an argument": "lambda make: make(1).merge(make(5)).total",
    "keyword": "lambda make: make(start=4).add(n=1)",
}
WITH = """
def inside(make):
    counter = make(1)
    with counter as entered:
        seen = entered.total
    return seen, counter.total
case("with", inside)
"""


@pytest.fixture(scope="module")
def counting() -> Problem:
    """Each script runs on the reference's object and on the submission's."""
    cases = "".join(f"case({name!r}, {script})\n" for name, script in SCRIPTS.items())
    return problem(HEAD + cases + WITH, [*SCRIPTS, "with"])


def problem(test_code: str, names: list[str], **fields: Any) -> Problem:
    """A problem whose test code uses objects of the class `f`."""
    raw = seed_spec() | {"entry_point": "f", "reference_code": REFERENCE}
    raw |= {"starter_code": REFERENCE, "test_code": test_code}
    raw["test_cases"] = [{"name": name, "raw_inputs": {}} for name in names]
    return problem_from(raw | fields)


def failing(report: Report) -> dict[str, str]:
    """Names and messages of the cases that did not pass."""
    return {case.case_name: case.message for case in report.cases if not case.passed}


def test_the_reference_is_accepted(grader: Grader, counting: Problem) -> None:
    """Construct, call, method, attribute, item, `with`, length and iteration go through."""
    assert grader.dry_run(counting) == []
    report = grader.grade(counting, REFERENCE)
    assert report.verdict == "accepted", failing(report)


@pytest.mark.parametrize(
    ("change", "case", "said"),
    [
        (("self.total = start", "self.total = 0"), "keyword", "1 where 5 was expected"),
        (("limit = 3", "limit = 4"), "attribute of the class", "4 where 3 was expected"),
        (("def add", "def plus"), "item", "AttributeError: 'f' object has no attribute 'add'"),
        (("total -= 100", "total -= 99"), "with", "2 where 1 was expected at output[1]"),
        (("return iter(self.seen)", "return iter([])"), "iteration", "length 0 where 2"),
        (("self.total += other.total", "pass"), "an object as an argument", "1 where 6"),
        (("return len(self.seen)", "return 'x'"), "length", "TypeError"),
    ],
)  # fmt: skip
def test_a_wrong_class_is_told_where_it_parts(
    change: tuple[str, str], case: str, said: str, grader: Grader, counting: Problem
) -> None:
    """As precisely as a wrong function."""
    report = grader.grade(counting, REFERENCE.replace(*change))
    assert said in failing(report)[case]


COUNTED = """
class f:
    alive = 0

    def __init__(self, start):
        f.alive += 1
        assert f.alive < 10, "objects are kept"
        self.total = start

    def __del__(self):
        f.alive -= 1

    def add(self, n):
        return self.total + n
"""


def test_objects_are_let_go_with_their_last_handle(grader: Grader) -> None:
    """A loop over a thousand objects holds one at a time."""
    names = ["many"]
    code = HEAD + "case('many', lambda make: [make(n).add(1) for n in range(300)][-1])\n"
    report = grader.grade(problem(code, names), COUNTED)
    assert report.verdict == "accepted", failing(report)


LOOP = "lambda make: (lambda c: (c.add(1), c.add(2)))(make())"


def test_a_limit_in_a_method_costs_that_case_alone(grader: Grader) -> None:
    """The reference stands in for the rest of the case, and the judge has the last word."""
    names = ["before", "loops", "after"]
    code = HEAD + "".join(f"case({name!r}, {LOOP})\n" for name in names)
    source = REFERENCE.replace(
        "        self.total += n",
        "        while n == 2 and f.limit == 5: pass\n        self.total += n",
    ).replace("self.total = start", "self.total = start; f.limit += 1")
    looping = problem(code, names, time_limit=0.3)
    report = grader.grade(looping, source)
    assert [str(case.verdict) for case in report.cases] == [
        "accepted",
        "time_limit_exceeded",
        "accepted",
    ]


def test_an_object_of_an_earlier_case_goes_with_its_process(grader: Grader) -> None:
    """Nobody wins with the reference's stand-in."""
    code = HEAD + (
        "ref, user = ref_obj(1), user_obj(1)\n"
        "case('dies', lambda make: (ref if make is ref_obj else user).add(7))\n"
        "case('uses the lost one', lambda make: (ref if make is ref_obj else user).total)\n"
        "case('makes another', lambda make: make(2).add(1))\n"
    )
    names = ["dies", "uses the lost one", "makes another"]
    source = REFERENCE.replace(
        "self.total += n", "self.total += n if n != 7 else __import__('os')._exit(0)"
    )
    report = grader.grade(problem(code, names), source, static_check=False)
    assert [str(case.verdict) for case in report.cases] == [
        "runtime_error",
        "runtime_error",
        "accepted",
    ]
    assert "went with its process" in report.cases[1].message


@pytest.mark.parametrize(
    "source",
    [
        "class f:\n    def __getattr__(self, name): return self\n"
        "    def __call__(self, *a): return self\n",
        "class f:\n    def __getattribute__(self, name): raise BaseException('x')\n",
        "class f:\n    def __init__(self, *a): pass\n    def __len__(self): return 10**30\n"
        "    def add(self, n): return iter(int, 1)\n    total = property(lambda s: s.nothing)\n",
    ],
)
def test_hostile_objects_end_with_a_verdict(source: str, grader: Grader, counting: Problem) -> None:
    """Whatever an object does, it does on its own side."""
    report = grader.grade(counting, source)
    assert report.verdict in ("wrong_answer", "runtime_error", "time_limit_exceeded")


def test_what_is_no_plain_value_is_named(grader: Grader, number: Problem) -> None:
    """A generator where a number was expected is told as such."""
    report = grader.grade(number, "def f(*a):\n    yield 1\n")
    assert "where int was expected" in report.cases[0].message


@pytest.fixture
def number() -> Problem:
    """A function problem in the seed's form."""
    code = HEAD + "case('number', lambda make: make(1))\n"
    return problem(code, ["number"], reference_code="def f(x=1):\n    return x\n")


CALLS = """
for number in range(3):
    results = []
    for call in range(4):
        try:
            results.append(user_obj(number))
        except Exception as error:
            results.append(error)
    cases_results.append({"case_name": f"case {number}", "passed": results == [number] * 4})
"""


def test_many_late_calls_of_one_case_count_as_one(grader: Grader) -> None:
    """Later cases are still begun."""
    asked = problem(CALLS, [f"case {n}" for n in range(3)], time_limit=0.1,
                    reference_code="def f(x=1):\n    return x\n")  # fmt: skip
    source = "def f(x=1):\n    while x == 0: pass\n    return x\n"
    verdicts = [str(case.verdict) for case in grader.grade(asked, source).cases]
    assert verdicts == ["time_limit_exceeded", "accepted", "accepted"]


BARE = """
cases_results.append({"case_name": "all", "passed": all(map(lambda n: user_obj(n) == n, range(4)))})
cases_results.append({"case_name": "list", "passed": list(user_obj(3, True)) == [0, 1, 2]})
"""
COUNTER = "def f(x=1, up=False):\n    return iter(range(x)) if up else x\n"


def test_what_test_code_does_not_catch_is_the_submissions(grader: Grader) -> None:
    """And its StopIteration ends no loop of the author's as if all were well."""
    asked = problem(BARE, ["all", "list"], reference_code=COUNTER)
    assert grader.dry_run(asked) == []
    assert grader.grade(asked, COUNTER).verdict == "accepted"
    for raised in ("StopIteration", "ValueError('x')"):
        source = COUNTER.replace("    return", f"    if x == 2: raise {raised}\n    return")
        report = grader.grade(asked, source)
        assert [str(case.verdict) for case in report.cases] == ["runtime_error", "skipped"]
        assert raised.partition("(")[0] in report.cases[0].message


def test_a_length_that_python_asks_by_itself_is_no_accident(grader: Grader) -> None:
    """`list()` of an iterator asks for one first."""
    asked = problem(BARE, ["all", "list"], reference_code=COUNTER)
    report = grader.grade(asked, COUNTER.replace("range(x)", "range(x + 1)"))
    assert [str(case.verdict) for case in report.cases] == ["accepted", "wrong_answer"]
