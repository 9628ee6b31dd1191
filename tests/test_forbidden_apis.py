"""A banned library function is found however it is reached; the same words used honestly pass."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from grader import Grader, Problem
from grader.checking.apis import ForbiddenApis
from grader.static_check import check_tree

MakeProblem = Callable[..., Problem]

BANS = ["torch.softmax", "torch.nn.functional.layer_norm", "torch.fft.*", "torch.einsum",
        "numpy.trapezoid"]  # fmt: skip

# What a reader of the source can tell.
SEEN = {
    "function": "import torch\ntorch.softmax(x, -1)",
    "alias": "import torch as t\nt.softmax(x, -1)",
    "functional": "import torch.nn.functional as F\nF.softmax(x, -1)",
    "from import": "from torch.nn.functional import softmax\nsoftmax(x, -1)",
    "renamed": "from torch import softmax as s\ns(x, -1)",
    "special": "import torch\ntorch.special.softmax(x, -1)",
    "method": "def f(x):\n    return x.softmax(-1)",
    "module": "from torch import nn\nnn.Softmax(-1)(x)",
    "operator": "import torch\ntorch.ops.aten._softmax(x, -1, False)",
    "getattr": "import torch\ngetattr(torch, 'soft' + 'max')(x, -1)",
    "unbound method": "import torch\ntorch.Tensor.softmax(x, -1)",
    "assigned": "import torch\ng = torch.softmax\ng(x, -1)",
    "module of a function": "from torch import nn\nnn.LayerNorm(3)(x)",
    "star": "import torch\ntorch.fft.rfft(x)",
    "star by alias": "from torch import fft\nfft.ifft(x)",
    "numpy": "import numpy as np\nnp.trapezoid(y)",
}
# What only the run shows.
FOLDER = Path(__file__).parent / "corpus" / "apis"
HIDDEN = {path.stem: path.read_text() for path in sorted(FOLDER.glob("hidden/*.py"))}
HONEST = {path.stem: path.read_text() for path in sorted(FOLDER.glob("honest/*.py"))}


@pytest.mark.parametrize("source", SEEN.values(), ids=SEEN)
def test_a_banned_function_is_seen_in_the_source(source: str) -> None:
    """Early, with its line, before anything runs."""
    found = check_tree(ast.parse(source), [], [], source, BANS)
    assert {v.rule for v in found} == {"forbidden-api"}
    assert "may not be used in this problem" in found[0].message or "covered by" in found[0].message


@pytest.mark.parametrize("source", HONEST.values(), ids=HONEST)
def test_honest_words_are_not_seen(source: str) -> None:
    """A name is no crime."""
    assert check_tree(ast.parse(source), [], [], source, BANS) == []


@pytest.fixture(scope="module")
def softmax(make_problem: MakeProblem) -> Problem:
    """Softmax, by hand."""
    return make_problem(
        "import torch\ndef f(x):\n    e = torch.exp(x)\n    return e / e.sum(-1, keepdim=True)\n",
        {"a": {"raw_inputs": {"x": "torch.tensor([[1.0, 2.0, 3.0], [0.0, 0.5, 1.0]])"}}},
        forbidden_apis=BANS,
    )


@pytest.mark.parametrize("source", HIDDEN.values(), ids=HIDDEN)
def test_a_disguised_use_is_stopped_in_the_run(
    source: str, grader: Grader, softmax: Problem
) -> None:
    """Whatever route called it."""
    report = grader.grade(softmax, source)
    assert report.verdict == "forbidden", report.cases
    assert report.violations == ()
    said = report.message or report.cases[0].message
    assert "covered by the ban on" in said or "may not be used" in said


def test_the_line_of_a_call_is_told(grader: Grader, softmax: Problem) -> None:
    """The learner finds it."""
    message = grader.grade(softmax, HIDDEN["attention"]).cases[0].message
    assert message.startswith(
        "`torch.ops.aten._safe_softmax` is covered by the ban on `torch.softmax`"
    )
    assert message.endswith("(line 4)")


@pytest.mark.parametrize("source", HONEST.values(), ids=HONEST)
def test_honest_code_passes(source: str, grader: Grader, softmax: Problem) -> None:
    """The guard is not felt."""
    report = grader.grade(softmax, source)
    assert report.verdict == "accepted", (report.message, report.violations, report.cases[0])


@pytest.mark.parametrize(
    ("ban", "name", "covered"),
    [
        ("torch.softmax", "torch.nn.Softmax", True),
        ("torch.softmax", "torch.Tensor.softmax_", True),
        ("torch.softmax", "torch.log_softmax", False),
        ("torch.softmax", "torch.nn.Softmax2d", False),
        ("torch.softmax", "scipy.special.softmax", False),
        ("torch.nn.LayerNorm", "torch.ops.aten.native_layer_norm", True),
        ("torch.matmul", "torch.Tensor.__matmul__", True),
        ("torch.cdist", "torch.ops.aten._cdist_forward", True),
        ("torch.fft.*", "torch.fft", True),
        ("torch.fft.*", "torch.fft.fft2", True),
        ("torch.fft.*", "torch.fftw", False),
        ("numpy.linalg.norm", "numpy.linalg.norm", True),
        ("numpy.linalg.norm", "torch.norm", False),
    ],
)
def test_what_a_ban_covers(ban: str, name: str, covered: bool) -> None:
    """An operation, in all its spellings, of one library."""
    assert (ForbiddenApis([ban]).ban_of(name) == ban) is covered
