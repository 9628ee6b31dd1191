"""The jail needs no root: an ordinary user without capabilities has the same one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import ordinary_user
import pytest

ROOT = Path(__file__).parent.parent
reason = ordinary_user.why_not()
pytestmark = pytest.mark.skipif(reason is not None, reason=f"ordinary user: {reason}")


@pytest.fixture
def work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of the user's own, in a place that a user may enter."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="grader-user-") as name:
        os.chmod(name, 0o755)  # noqa: PTH101 - beside the next line
        os.chown(name, ordinary_user.UID, ordinary_user.UID)
        yield Path(name)


def test_ordinary_user_has_no_capability_and_judges_in_full_isolation(work: Path) -> None:
    """Else the next test would prove nothing."""
    code = (
        "import os\nfrom pathlib import Path\nfrom grader import Grader, load_problem\n"
        "print(os.getuid(), [x for x in Path('/proc/self/status').read_text().splitlines()"
        " if x.startswith('CapEff')])\n"
        "with Grader() as g:\n"
        "    p = load_problem('balanced-accuracy-macro-recall')\n"
        "    r = g.grade(p, p.reference_code)\n"
        "    print(r.verdict, r.isolation)\n"
    )
    done = ordinary_user.run_as_user(["-c", code], timeout_s=120, work=work)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first == f"{ordinary_user.UID} ['CapEff:\\t0000000000000000']"
    assert second == "accepted full"


@pytest.mark.slow
def test_all_attacks_fail_and_all_honest_submissions_pass_for_an_ordinary_user(
    work: Path,
) -> None:
    """The same file as for root, static check on and off."""
    arguments = ["-m", "pytest", str(ROOT / "tests" / "test_attacks.py"), "-p", "no:cacheprovider"]
    arguments += [
        f"--rootdir={ROOT}",
        "-n",
        "2",
        "--tb=line",
        "-c",
        str(ROOT / "pyproject.toml"),
    ]
    done = ordinary_user.run_as_user(arguments, timeout_s=1500, work=work)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
