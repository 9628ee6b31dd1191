"""The doctor tells the truth about this host, and about one that cannot isolate."""

from __future__ import annotations

import json
import subprocess
import sys

from test_keeper import WITHOUT_LANDLOCK

from grader.doctor import examine
from grader.doctor.acts import ACTS, attempt


def test_every_forbidden_act_is_denied_in_a_real_worker() -> None:
    """One line an act, and the level that follows."""
    found = examine()
    assert found.level == "full", found.advice
    assert len(found.acts) == len(ACTS) > 60
    assert not [act for act in found.acts if not act.denied]
    assert json.loads(json.dumps(found.to_dict()))["level"] == "full"


def test_an_act_outside_the_jail_is_not_called_denied() -> None:
    """A probe that always says denied proves nothing."""
    assert attempt("make a pipe").startswith("NOT DENIED")
    assert attempt("remove a file").startswith("NOT DENIED")
    assert attempt("read /proc/self/maps").startswith("NOT DENIED")


def test_without_landlock_the_doctor_says_what_is_missing_and_exits_three() -> None:
    """The same sentence that `grade` refuses with."""
    code = WITHOUT_LANDLOCK.replace("ERRNO", "38")
    done = subprocess.run(
        [sys.executable, "-c", code, "doctor"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "isolation level: none" in done.stdout
    assert "no isolation: Landlock is not available" in done.stdout
