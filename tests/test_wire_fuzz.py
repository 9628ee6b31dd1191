"""Hostile bytes by the thousand: the readers answer with a value or with their refusal."""

from __future__ import annotations

import os
import resource
import signal
from pathlib import Path

import pytest
import torch

from fuzz.__main__ import data_bytes, fuzz
from fuzz.bombs import BOMBS
from fuzz.trial import attempt
from grader import wire
from grader.limits import MAX_VALUE_NODES, MIB

CORPUS = sorted((Path(__file__).parent / "corpus" / "wire").glob("*.hex"))
# A bomb takes up to three seconds of an idle machine; this is for a busy one.
_BOMB_CPU_S = 20


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_what_was_found_once_stays_fixed(path: Path) -> None:
    """Each file broke a reader; the name gives kind, seed and number of the trial."""
    attempt(path.stem.split("-")[0], bytes.fromhex(path.read_text()))


@pytest.mark.slow
def test_twenty_thousand_mutations_break_nothing() -> None:
    """The short form of `make fuzz`, the same trials each time."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        outcomes, failures = fuzz(20_000, seed=7, processes=2)
    finally:
        torch.set_num_threads(threads)
    assert failures == 0
    assert sum(outcomes.values()) == 20_000
    # A fuzz whose every trial is refused at the door would test the door only.
    assert outcomes["value"] > 2_000


def _read_bounded(data: bytes) -> None:
    """Decode in this process under the limits that `wire.decode` declares, and end it."""
    status = 1
    try:
        bound = data_bytes() + 2 * len(data) + 512 * MAX_VALUE_NODES + 64 * MIB
        resource.setrlimit(resource.RLIMIT_DATA, (bound, bound))
        resource.setrlimit(resource.RLIMIT_CPU, (_BOMB_CPU_S, _BOMB_CPU_S))
        try:
            wire.decode(data)
        except wire.WireError:
            status = 0
        else:
            status = 0
    finally:
        os._exit(status)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_takes_no_more_than_is_declared(name: str) -> None:
    """Small bytes that unfold into much memory or time: read in bounds, or refused."""
    data = BOMBS[name]()
    pid = os.fork()
    if pid == 0:
        _read_bounded(data)
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code == 0, f"{signal.Signals(-code).name if code < 0 else code}"


def _misbehave(kind: str, data: bytes) -> str:
    """Stand in for a reader with four faults."""
    if data == b"crash":
        os.kill(os.getpid(), signal.SIGKILL)
    while data == b"hang":
        pass
    if data == b"memory":
        bytearray(256 * MIB)
    if data == b"raise":
        raise KeyError("left out")
    return "value"


@pytest.mark.slow
def test_each_way_to_fail_is_seen_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fuzz that finds nothing proves something only if it would have found it."""
    planted = {3: b"crash", 5: b"hang", 7: b"memory", 9: b"raise"}
    monkeypatch.setattr("fuzz.__main__.make", lambda _, __, n: ("value", planted.get(n, b"")))
    monkeypatch.setattr("fuzz.__main__.attempt", _misbehave)
    monkeypatch.setattr("fuzz.__main__.CORPUS", tmp_path)
    monkeypatch.setattr("fuzz.__main__.HANG_S", 0.5)
    _, failures = fuzz(20, seed=1, processes=1)
    assert failures == 4
    assert {path.name for path in tmp_path.iterdir()} == {f"value-1-{n}.hex" for n in planted}
    printed = capsys.readouterr().out
    assert all(word in printed for word in ("crash, exit -9", "hang of", "MemoryError", "KeyError"))
