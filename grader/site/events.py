"""Tells those who watch a submission what happens to it, as it happens."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CaseJudged:
    """A case of a submission is judged.

    Attributes:
        case: as `CaseResult.to_dict` gives it, veiled if hidden.
    """

    case: dict[str, Any]


@dataclass(frozen=True)
class Finished:
    """A submission has its report, and the store holds it."""


@dataclass(frozen=True)
class Dropped:
    """An attempt came to nothing: the submission was taken from it, and is judged once more."""


Event = CaseJudged | Finished
_GATHER_S = 0.01


class _Watcher:
    """Somebody who watches a submission."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Event] = asyncio.Queue()
        self.over = asyncio.Event()

    def tell(self, event: Event) -> None:
        self.queue.put_nowait(event)
        if isinstance(event, Finished):
            self.over.set()

    async def pause(self, seconds: float) -> None:
        """Wait, but not beyond the end."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.over.wait(), seconds)


class Hub:
    """Events by submission. `publish` may be called from any thread.

    Those who come late are told first what they missed, as long as the submission is under way.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told: deque[tuple[str, Event | Dropped]] = deque()
        self._is_due = False  # the loop will look at what was told without being woken
        self._past: dict[str, list[Event]] = {}
        self._watchers: dict[str, set[_Watcher]] = defaultdict(set)

    def attach(self) -> None:
        """Use the running loop for all that watch."""
        self._loop = asyncio.get_running_loop()

    def publish(self, submission: str, event: Event | Dropped) -> None:
        """Tell of an event; the end of a submission at once, its cases within `_GATHER_S`.

        To wake the loop for every case would cost the judge, who shares the interpreter with it,
        more than the telling.
        """
        self._told.append((submission, event))
        if self._loop is None or (self._is_due and isinstance(event, CaseJudged)):
            return
        with suppress(RuntimeError):  # the loop is closed: nobody watches any more
            self._loop.call_soon_threadsafe(self._spread)

    def _spread(self) -> None:
        self._is_due = False
        if not self._told:
            return
        assert self._loop is not None
        self._is_due = True  # before the looking: what is told from here on is seen the next time
        self._loop.call_later(_GATHER_S, self._spread)
        while self._told:
            self._hand_out(*self._told.popleft())

    def _hand_out(self, submission: str, event: Event | Dropped) -> None:
        if isinstance(event, CaseJudged):
            self._past.setdefault(submission, []).append(event)
        else:
            self._past.pop(submission, None)
        if isinstance(event, Dropped):
            return
        for watcher in self._watchers.get(submission, ()):
            watcher.tell(event)

    async def watch(self, submission: str, pace_s: float = 0.0) -> AsyncGenerator[Event | None]:
        """Yield events until the submission is finished; None now and then while nothing happens.

        The first is None. From then on nothing is missed, but what finished before is not told:
        look at the store then.

        Args:
            pace_s: pause after each event. When the submission is finished during one, the cases
                that wait are left out: who then looks at the whole result need not be told them,
                and the judge has the processor for itself meanwhile.
        """
        watcher = _Watcher()
        self._watchers[submission].add(watcher)
        try:
            yield None
            for event in list(self._past.get(submission, ())):
                yield event
            while True:
                try:
                    event = await asyncio.wait_for(watcher.queue.get(), timeout=10)
                except TimeoutError:
                    yield None
                    continue
                if pace_s and watcher.over.is_set():
                    event = Finished()
                yield event
                if isinstance(event, Finished):
                    return
                if pace_s and watcher.queue.empty():
                    await watcher.pause(pace_s)
        finally:
            self._watchers[submission].discard(watcher)
            if not self._watchers[submission]:
                del self._watchers[submission]
