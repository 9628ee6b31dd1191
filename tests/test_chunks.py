"""Jobs in chunks, without a cluster: what is taken, what a lost node costs whom."""

from __future__ import annotations

import threading

import pytest

from grader.batch.chunks import MAX_LOSSES, ChunkQueue, Place, Ticket
from grader.batch.executor import Job


def filled(count: int, size: int = 1) -> tuple[ChunkQueue, list[Ticket]]:
    """A queue with jobs of some bytes each."""
    queue = ChunkQueue()
    tickets = [Ticket(n, Job("{}", "d", b"#" * size)) for n in range(count)]
    for ticket in tickets:
        queue.put(ticket)
    return queue, tickets


def test_a_chunk_is_no_larger_than_the_place_takes() -> None:
    """What is under way on a node is bounded."""
    queue, tickets = filled(10)
    assert queue.take(Place(most=4)) == tickets[:4]


def test_a_short_queue_is_divided_by_share() -> None:
    """The first of two nodes must not take all there is while the other has nothing."""
    queue, tickets = filled(10)
    assert queue.take(Place(most=100, share=0.5)) == tickets[:5]


def test_a_chunk_of_large_sources_is_short() -> None:
    """A chunk has to fit into the smallest object store."""
    queue, tickets = filled(40, size=256 << 10)
    assert queue.take(Place(most=100)) == tickets[:16]


def test_what_was_lost_goes_out_by_itself_then_alone() -> None:
    """So the one who is lost a third time is to blame, and its neighbours are not."""
    queue, tickets = filled(3)
    place, other = Place(most=3), Place(most=3)
    chunk = queue.take(place)
    assert queue.finish(place, chunk, chunk) == []
    single = queue.take(other)
    assert single == tickets[:1]
    assert queue.finish(other, single, single) == []
    alone = queue.take(other)
    assert alone == tickets[:1]
    assert other.alone is tickets[0]
    assert queue.take(place) == tickets[1:2]  # elsewhere work goes on
    assert queue.finish(other, alone, alone) == tickets[:1]
    assert tickets[0].losses == MAX_LOSSES == 3
    assert other.alone is None


def test_a_suspect_waits_until_nothing_else_runs_at_its_place() -> None:
    """Otherwise it takes a neighbour with it."""
    queue, tickets = filled(2)
    place = Place(most=1)
    first = queue.take(place)
    tickets[1].losses = 1
    second = queue.take(place)
    assert queue.finish(place, second, second) == []  # lost twice now; the first still runs
    taken: list[list[Ticket]] = []
    lane = threading.Thread(target=lambda: taken.append(queue.take(place)))
    lane.start()
    lane.join(0.05)
    assert taken == []
    queue.finish(place, first, [])
    lane.join(5)
    assert taken == [[tickets[1]]]


@pytest.mark.parametrize("how", ["close", "end"])
def test_those_who_wait_are_told_of_the_end(how: str) -> None:
    """A lane that waits forever keeps a process from ending."""
    queue, place = ChunkQueue(), Place(most=1)
    taken: list[list[Ticket]] = []
    lane = threading.Thread(target=lambda: taken.append(queue.take(place)))
    lane.start()
    if how == "close":
        queue.drain(close=True)
    else:
        queue.end(place)
    lane.join(5)
    assert taken == [[]]


def test_a_suspect_is_not_forgotten_by_a_place_that_ends() -> None:
    """Every job is answered."""
    queue, tickets = filled(2)
    place = Place(most=1)
    queue.take(place)
    tickets[1].losses = 1
    second = queue.take(place)
    queue.finish(place, second, second)
    lane = threading.Thread(target=queue.take, args=(place,))
    lane.start()
    lane.join(0.05)
    queue.end(place)
    lane.join(5)
    assert queue.take(Place(most=1)) == [tickets[1]]


def test_after_close_nothing_is_taken_in() -> None:
    """A job that nobody will answer must not be accepted."""
    queue, tickets = filled(1)
    assert queue.drain(close=True) == tickets
    with pytest.raises(RuntimeError, match="cannot submit after close"):
        queue.put(tickets[0])


def test_what_is_lost_after_close_is_given_up() -> None:
    """It is not put into a queue that nobody looks at."""
    queue, _ = filled(1)
    place = Place(most=1)
    chunk = queue.take(place)
    queue.drain(close=True)
    assert queue.finish(place, chunk, chunk) == chunk


def test_an_answer_that_nobody_wants_is_dropped() -> None:
    """One who cancels must not break the lane for the others."""
    _, (ticket,) = filled(1)
    assert ticket.answer.cancel()
    ticket.give({})
    ticket.fail(ValueError("late"))
    assert ticket.answer.cancelled()
