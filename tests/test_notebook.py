"""A cell of a notebook, judged through the same wall."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from grader import notebook
from grader.notebook import NothingToJudge, check, source_from_cells


@pytest.fixture(scope="module", autouse=True)
def ended() -> Iterator[None]:
    """The notebook's grader lasts as long as the notebook."""
    yield
    notebook.close()


RIGHT = """
import numpy as np
from grader.notebook import check
%matplotlib inline
def average_ranks(x):
    "Ranks."
    return [float(sum(v < w for v in x) + (sum(v == w for v in x) + 1) / 2) for w in x]

check("average-ranks")
"""


def test_the_last_cell_that_defines_the_entry_point_is_taken() -> None:
    """With the imports of the cells before, and without what is the notebook's."""
    cells = [
        "",
        "import math\nfrom grader.notebook import check\nprint('x')",
        "def average_ranks(x): return 1",
        "!pip list\nimport torch as t",
        RIGHT,
        "check('average-ranks')",
        "this is no Python",
    ]
    source = source_from_cells(cells, "average_ranks")
    assert source.startswith(
        "import math\nimport torch as t\nimport numpy as np\n\ndef average_ranks(x):"
    )
    assert "check" not in source
    assert "print" not in source


@pytest.mark.parametrize("cells", [[], ["x = 1"], ["def other(): pass"], ["def average_ranks(:"]])
def test_without_the_entry_point_there_is_nothing_to_judge(cells: list[str]) -> None:
    """Said by name."""
    with pytest.raises(NothingToJudge, match="no cell defines `average_ranks`"):
        source_from_cells(cells, "average_ranks")


def test_a_cell_is_judged_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """As text and as a table; a mismatch with both values."""
    cells: list[str] = [RIGHT]
    shell: Any = SimpleNamespace(get_ipython=lambda: SimpleNamespace(user_ns={"In": cells}))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    assert check("average-ranks").report.verdict == "accepted"
    cells.append(RIGHT.replace("+ 1) / 2", "+ 1)"))
    shown = check("average-ranks")
    text, page = repr(shown), shown._repr_html_()
    assert "wrong_answer" in text.splitlines()[0]
    for word in ("input: x=", "expected: ", "returned: ", "message: "):
        assert word in text
    assert page.startswith("<p><b>average-ranks: wrong_answer")


def test_what_is_shown_is_inert() -> None:
    """A submission prints what it likes."""
    source = "def average_ranks(x):\n    print('<script>alert(1)</script>')\n    return '<b>'\n"
    page = check("average-ranks", source)._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_outside_a_notebook_a_source_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says how."""
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    with pytest.raises(NothingToJudge, match="give the source"):
        check("average-ranks")
