"""One process behind the wall, seen from outside: ask it, watch it, kill it.

The child is believed in nothing. Its frames are bounded, its time is read from its CPU
clock, its memory from /proc, and whether it lives from its pidfd.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.errors import InternalFault
from grader.frames import FrameBuffer, FrameError, pack_prefix
from grader.sandbox.exchange import (
    Allowance,
    Answer,
    Breach,
    Died,
    LimitHit,
    Stopped,
    Usage,
)

# Between two looks at a busy child's clock and memory; the overshoot of a limit.
_TICK_MS = 10
# A child that has closed its channel is given this long to have ended by itself.
_FAREWELL_S = 1.0
# A fork takes milliseconds; after this much silence it is worth looking at the zygote.
_ASK_PARENT_S = 0.25
# Address space above the baseline and the memory limit: stacks and arenas of many threads.
# Pages that are only read cost no memory but page tables, a 512th of their addresses.
_SPARE_ADDRESSES = 32 << 30
# Threads at a time. Small ones pass the memory limit, and the host runs out of them.
MAX_THREADS = 1_000
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Child:
    """A forked child of the zygote.

    Args:
        channel: our end of its frame socket.
        lifeline: our end of the socket on which the zygote tells of its birth and death.
    """

    def __init__(self, channel: socket.socket, lifeline: socket.socket) -> None:
        self._channel = channel
        self.lifeline = lifeline
        self.pid = 0
        self._pidfd = -1
        self._statm = -1  # kept open: opening it costs more than reading
        self._rss_anon = 0
        self._vm_data = 0
        self._vm_size = 0
        self._peak = 0
        self._total_cpu_s = 0
        self._next_look = 0.0
        self._asked = (0.0, 0.0, Allowance(0.0))
        self._billed_s = 0.0
        self._frames = FrameBuffer()
        self.alive = True
        channel.setblocking(False)

    # --- birth ---------------------------------------------------------------------

    def await_ready(self, timeout_s: float, parent_is_healthy: Callable[[], bool]) -> None:
        """Wait until the child is jailed and waiting.

        Args:
            timeout_s: how long at most.
            parent_is_healthy: asked now and then while the zygote is silent.

        Raises:
            InternalFault: it did not come up.
        """
        if self.pid:
            return
        data, fds = self._birth(time.monotonic() + timeout_s, parent_is_healthy)
        if not data:
            raise InternalFault("the zygote ended before it could fork")
        born = json.loads(data)
        if "error" in born:
            raise InternalFault(born["error"])
        if not fds:
            raise InternalFault("no descriptor left for a child")
        self.pid, self._pidfd = born["pid"], fds[0]
        try:
            self._statm = os.open(f"/proc/{self.pid}/statm", os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise InternalFault(f"a child's memory cannot be watched: {error}") from None
        try:
            ready = self._read_answer(time.monotonic(), 0.0, Allowance(timeout_s)).head
        except Stopped as stop:
            raise InternalFault(f"a child did not come up: {stop}") from None
        if "failed" in ready:
            raise InternalFault(f"a child did not come up: {ready['failed']}")
        self._vm_data, self._rss_anon = ready["vm_data"], ready["rss_anon"]
        self._vm_size = ready["vm_size"]
        self._peak = 0

    def _birth(
        self, deadline: float, parent_is_healthy: Callable[[], bool]
    ) -> tuple[bytes, list[int]]:
        while True:
            try:
                self.lifeline.settimeout(_ASK_PARENT_S)
                data, fds, *_ = socket.recv_fds(self.lifeline, 4096, 1)
            except TimeoutError:
                if time.monotonic() > deadline or not parent_is_healthy():
                    raise InternalFault("the zygote does not answer") from None
            except OSError as error:
                raise InternalFault(f"the zygote does not answer: {error}") from None
            else:
                return data, fds

    def limit(self, memory_bytes: int, total_cpu_s: float) -> None:
        """Set the kernel's own limits, the second wall behind the keeper's watching."""
        data = self._vm_data + memory_bytes
        addresses = self._vm_size + memory_bytes + _SPARE_ADDRESSES
        cpu = self._total_cpu_s = int(total_cpu_s) + 1
        try:
            resource.prlimit(self.pid, resource.RLIMIT_DATA, (data, data))
            resource.prlimit(self.pid, resource.RLIMIT_AS, (addresses, addresses))
            resource.prlimit(self.pid, resource.RLIMIT_CPU, (cpu, cpu + 1))
        except OSError as error:
            raise InternalFault(f"limits of a worker could not be set: {error}") from None

    # --- talk ----------------------------------------------------------------------

    def exchange(self, head: dict[str, Any], body: bytes | memoryview, may: Allowance) -> Answer:
        """Send one frame and return the frame that answers it.

        Raises:
            LimitHit: it took more than it may.
            Died: it ended, or hung up.
            Breach: it wrote out of turn, or no frame.
            InternalFault: it was stopped or killed from elsewhere, or the zygote is gone.
        """
        self.ask(head, body, may)
        return self.answer()

    def ask(self, head: dict[str, Any], body: bytes | memoryview, may: Allowance) -> None:
        """Send one frame; `answer` must follow. Raises what `exchange` does."""
        # What threads do between two exchanges counts for the second of them.
        began, cpu_before = time.monotonic(), self._billed_s
        self._next_look = began + _TICK_MS / 1000
        self._asked = (began, cpu_before, may)
        self._refuse_unasked(Usage())
        self._send(head, body, began, cpu_before, may)

    def answer(self) -> Answer:
        """Return the frame that answers the last one sent. Raises what `exchange` does."""
        return self._read_answer(*self._asked)

    def _refuse_unasked(self, used: Usage) -> None:
        try:
            unasked = self._channel.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            unasked = b""
        if unasked:
            raise Breach("bytes that nobody asked for", used)
        raise self._died(Usage())

    def _send(
        self,
        head: dict[str, Any],
        body: bytes | memoryview,
        began: float,
        cpu_before: float,
        may: Allowance,
    ) -> None:
        prefix = pack_prefix(head, len(body))
        parts = [memoryview(prefix + body)] if len(body) < 65536 else [memoryview(prefix), body]
        for part in parts:
            rest = memoryview(part)
            while rest:
                try:
                    rest = rest[self._channel.send(rest) :]
                except BlockingIOError:
                    self._wait(select.POLLOUT, began, cpu_before, may)
                except OSError:
                    raise self._died(self._used(began, cpu_before)) from None
                if time.monotonic() >= self._next_look:
                    self._look(began, cpu_before, may)

    def _read_answer(self, began: float, cpu_before: float, may: Allowance) -> Answer:
        while True:
            try:
                data = self._channel.recv(self._frames.wanted)
            except BlockingIOError:
                self._wait(select.POLLIN, began, cpu_before, may)
                continue
            except OSError:
                data = b""
            if not data:
                raise self._died(self._used(began, cpu_before))
            # Bytes that drip in faster than the ticks must not keep the meters from being read.
            if time.monotonic() >= self._next_look:
                self._look(began, cpu_before, may)
            try:
                frame = self._frames.feed(data)
            except FrameError as error:
                raise Breach(str(error), self._used(began, cpu_before)) from None
            if frame is not None:
                used = self._used(began, cpu_before)
                self._billed_s = cpu_before + used.cpu_s
                if may.cpu_s is not None and used.cpu_s > may.cpu_s:
                    raise LimitHit("time", used)
                return Answer(frame[0], frame[1], used)

    def _wait(self, event: int, began: float, cpu_before: float, may: Allowance) -> None:
        """Wait for the channel, looking at clock and memory at every tick."""
        poll = select.poll()
        try:
            poll.register(self._channel, event)
        except ValueError:  # closed by another thread
            raise InternalFault("the grader was closed") from None
        while not poll.poll(_TICK_MS):
            self._look(began, cpu_before, may)

    def _look(self, began: float, cpu_before: float, may: Allowance) -> None:
        """Read all meters and stop the exchange where one is past its limit."""
        self._next_look = time.monotonic() + _TICK_MS / 1000
        used = self._used(began, cpu_before)
        if may.cpu_s is not None and used.cpu_s > may.cpu_s:
            raise LimitHit("time", used)
        if may.memory_bytes is not None and used.memory_mb * 2**20 > may.memory_bytes:
            raise LimitHit("memory", used)
        state, threads = self._state()
        # Nothing in the jail can stop a process: whoever did, it was not the submission.
        if state in "Tt":
            raise InternalFault("a process of the grader was stopped by someone else")
        if threads > MAX_THREADS:
            raise LimitHit("threads", used)
        if used.wall_s > may.wall_s:
            raise LimitHit("wall", used)

    # --- meters --------------------------------------------------------------------

    def _used(self, began: float, cpu_before: float) -> Usage:
        cpu_s = self._cpu_s() - cpu_before
        return Usage(max(cpu_s, 0.0), time.monotonic() - began, self._memory_mb())

    def _cpu_s(self) -> float:
        """CPU seconds of all threads so far; a dead child's last known value is its peak."""
        try:
            return time.clock_gettime((~self.pid << 3) | 2)
        except OSError:
            return 0.0

    def _memory_mb(self) -> float:
        """MiB of anonymous memory above the baseline, the most seen so far."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            pages = os.pread(self._statm, 256, 0).split()
            self._peak = max(self._peak, (int(pages[1]) - int(pages[2])) * _PAGE - self._rss_anon)
        return self._peak / 2**20

    def _state(self) -> tuple[str, int]:
        """The process's state letter and its number of threads."""
        try:
            stat = Path(f"/proc/{self.pid}/stat").read_text("ascii", "replace")
            fields = stat.rpartition(")")[2].split()  # from the third on, the state
            return fields[0], int(fields[17])
        except (OSError, IndexError):
            return "?", 0

    # --- death ---------------------------------------------------------------------

    def _died(self, used: Usage) -> Died:
        """Learn how the child ended; the zygote tells."""
        farewell = self._farewell(_FAREWELL_S)
        if farewell is None:
            self.kill()
            return Died(None, used)
        exit_code = farewell["exit"]
        if exit_code == -signal.SIGKILL:
            if 0 < self._total_cpu_s < farewell["cpu_s"]:
                return Died(-signal.SIGXCPU, used)  # it ignored the softer signal
            # Nobody in the jail can send it, and the keeper did not.
            raise InternalFault("a process of the grader was killed by someone else")
        return Died(exit_code, Usage(farewell["cpu_s"], used.wall_s, used.memory_mb))

    def _farewell(self, timeout_s: float) -> dict[str, Any] | None:
        try:  # another thread may have closed everything meanwhile
            self.lifeline.settimeout(timeout_s)
            data = self.lifeline.recv(4096)
        except TimeoutError:
            return None
        except OSError:
            data = b""
        if not data:
            raise InternalFault("the zygote was killed")
        self.alive = False
        farewell: dict[str, Any] = json.loads(data)
        return farewell

    @property
    def usable(self) -> bool:
        """Whether the child still waits in silence for a request."""
        try:
            self._refuse_unasked(Usage())
        except (Stopped, InternalFault):
            return False
        return True

    def kill(self) -> None:
        """Kill it, whatever it is doing; the zygote reaps it."""
        if self.alive and self._pidfd >= 0:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        self.alive = False
        self._channel.close()
        for fd in (self._pidfd, self._statm):
            if fd >= 0:
                os.close(fd)
        self._pidfd = self._statm = -1

    def wait_gone(self, deadline: float) -> None:
        """Wait until the zygote has reaped it, or the deadline on the monotonic clock."""
        with contextlib.suppress(OSError):  # the deadline, or closed by another thread
            while True:
                self.lifeline.settimeout(max(deadline - time.monotonic(), 0.001))
                if not self.lifeline.recv(4096):
                    break
        self.lifeline.close()
