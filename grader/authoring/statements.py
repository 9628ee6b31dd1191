"""What a problem's texts promise: examples, formulas, and the same in every language."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.authoring.findings import Check, Inspection
from grader.authoring.markdown import BadFormula, render
from grader.referees import Referee
from grader.spec import Problem

_BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
# The seed's own way: assignments, then a comment and the result as a literal.
_RESULT = re.compile(r"^# *(?:输出|Output|Kết quả|Đầu ra)[^\n]*\n(?P<value>.+)", re.M | re.S)


@dataclass(frozen=True)
class Example:
    """A statement at the prompt and what it is said to print."""

    source: str
    printed: str


def examples_of(text: str) -> list[Example]:
    """Return the examples of a Markdown text that stand as in a session at the prompt.

    Raises:
        ValueError: a prompt is not written as one; the message names the line of its block.
    """
    parser = doctest.DocTestParser()
    return [
        Example(found.source.strip(), _told(found))
        for block in _BLOCK.findall(text)
        if ">>>" in block
        for found in parser.get_examples(block)
    ]


def _told(found: doctest.Example) -> str:
    """What is said to be printed; of a traceback, its last line."""
    return (found.exc_msg or found.want).strip()


def look_at_texts(problem: Problem, referee: Referee, inspection: Inspection) -> None:
    """Check every text of a problem."""
    _run_examples(problem, referee, inspection)
    for where, text in _texts(problem):
        if "TODO" in text:
            inspection.warn(Check.FORM, where, "there is still a TODO in it")
        try:
            render(text)
        except BadFormula as error:
            inspection.error(Check.MATH, where, str(error))
    for language, texts in problem.translations.items():
        for lack in _lacks(problem, texts):
            inspection.error(Check.TRANSLATION, f"translations.{language}", lack)


def _run_examples(problem: Problem, referee: Referee, inspection: Inspection) -> None:
    where = "description_md"
    try:
        examples = examples_of(problem.description_md)
    except ValueError as error:
        inspection.error(Check.EXAMPLES, where, _unread(error))
        return
    seeds = list(_seed_examples(problem))
    if not examples and not seeds:
        inspection.warn(
            Check.EXAMPLES, where, "no example in the form `>>> f(...)` that could be checked"
        )
    for example, printed in zip(
        examples, referee.run_examples([example.source for example in examples]), strict=True
    ):
        if printed.strip() != example.printed:
            inspection.error(
                Check.EXAMPLES,
                where,
                f"`{example.source}` prints {printed.strip()}, not {example.printed}",
            )
    for call, value in seeds:
        check = f"compare_outputs({call}, {value}, {problem.atol!r}, {problem.rtol!r})[:2]"
        (printed,) = referee.run_examples([check])
        if not printed.startswith("(True"):
            inspection.error(Check.EXAMPLES, where, f"{call} is not {value}: {printed.strip()}")


def _seed_examples(problem: Problem) -> Iterator[tuple[str, str]]:
    """Yield call and result of examples written as assignments and a result."""
    for block in _BLOCK.findall(problem.description_md):
        result = _RESULT.search(block)
        if result is None or ">>>" in block:
            continue
        try:
            given = ast.parse(block[: result.start()]).body
            ast.literal_eval(result["value"].strip())
        except (SyntaxError, ValueError):
            continue
        arguments = [
            f"{target.id}={ast.unparse(value)}"
            for statement in given
            if isinstance(statement, ast.Assign)
            for target, value in ((statement.targets[0], statement.value),)
            if isinstance(target, ast.Name)
        ]
        yield f"{problem.entry_point}({', '.join(arguments)})", result["value"].strip()


def _texts(problem: Problem) -> Iterator[tuple[str, str]]:
    yield "description_md", problem.description_md
    yield "editorial_md", problem.editorial_md
    for place, hint in enumerate(problem.hints):
        yield f"hints[{place}]", hint
    for language, texts in problem.translations.items():
        for name, text in texts.items():
            for place, part in enumerate(text if isinstance(text, list) else [text]):
                index = f"[{place}]" if isinstance(text, list) else ""
                yield f"translations.{language}.{name}{index}", part


def _lacks(problem: Problem, texts: dict[str, object]) -> Iterator[str]:
    """Yield what a translation lacks of the main texts."""
    wanted = {
        "title": problem.title,
        "description_md": problem.description_md,
        "hints": problem.hints,
        "editorial_md": problem.editorial_md,
    }
    for name, main in wanted.items():
        if main and not texts.get(name):
            yield f"{name} is missing"
    hints = texts.get("hints")
    if isinstance(hints, list) and hints and len(hints) != len(problem.hints):
        yield f"{len(hints)} hints, the main text has {len(problem.hints)}"
    statement = texts.get("description_md")
    try:
        same = not isinstance(statement, str) or examples_of(statement) == examples_of(
            problem.description_md
        )
    except ValueError as error:
        yield _unread(error)
        return
    if not same:
        yield "its examples are not those of the main text"


def _unread(error: ValueError) -> str:
    """Why examples cannot be read, in words of a statement, not of a docstring."""
    return "an example cannot be read: " + str(error).replace(" of the docstring for <string>", "")
