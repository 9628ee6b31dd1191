"""The arrows of the design point down, read from the imports themselves."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "grader"

# From the top: a module may import from its own level or below, never from above.
LEVELS: list[set[str]] = [
    {
        "__main__",
        "authoring",
        "batch",
        "cli",
        "doctor",
        "notebook",
        "site",
        "terminal",
        "validation",
    },
    {"engine"},
    {"judge", "dry_run"},
    {"case_runs"},
    {"verdicts"},
    {"referees", "referee", "session"},
    {"outcome"},
    {"sandbox"},
]
SURFACE_FREE = {"grader"}  # `grader/__init__.py` names the doors, lazily


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _level(module: str) -> int:
    top = module.split(".")[1] if "." in module else module
    return next((n for n, names in enumerate(LEVELS) if top in names), len(LEVELS))


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    modules = {_module(p) for p in PACKAGE.rglob("*.py")}
    return {name for name in found if name in modules and name != "grader"}


MODULES = sorted(PACKAGE.rglob("*.py"), key=str)


@pytest.mark.parametrize("path", MODULES, ids=_module)
def test_imports_point_down(path: Path) -> None:
    """A leaf that knows the judge cannot be trusted to be pure, nor a judge that knows a screen."""
    module = _module(path)
    if module in SURFACE_FREE:
        return
    upward = {name for name in _imports(path) if _level(name) < _level(module)}
    assert not upward


@pytest.mark.parametrize("path", MODULES, ids=_module)
def test_nothing_outside_imports_what_shares_a_process_with_a_submission(path: Path) -> None:
    """What runs beside a submission must not be trusted by what judges it."""
    inside = "grader.sandbox.inside"
    if _module(path).startswith(inside):
        return
    assert not {name for name in _imports(path) if name.startswith(inside)}


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "sandbox" / "inside").glob("*.py")), ids=lambda path: path.stem
)
def test_what_shares_a_process_with_a_submission_cannot_compare(path: Path) -> None:
    """A worker that holds comparison, report or spec holds something to attack."""
    forbidden = {"compare", "judge", "report", "spec", "referees", "session", "outcome", "engine"}
    assert not {name for name in _imports(path) if name.split(".")[1] in forbidden}


@pytest.mark.parametrize("door", ["grader", "grader.cli", "grader.engine"])
def test_importing_the_host_side_loads_neither_torch_nor_numpy(door: str) -> None:
    """Only the zygote pays for them; a command line answers at once."""
    code = f"import sys, {door}; print([m for m in ('torch', 'numpy', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
