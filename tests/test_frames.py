"""Frames: whatever arrives on the channel, it is a frame or is refused, within its bounds."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from grader.frames import (
    MAGIC,
    MAX_BODY_BYTES,
    PREFIX,
    FrameBuffer,
    FrameError,
    pack_prefix,
    read_frame,
    write_frame,
)
from grader.limits import MAX_HEAD_BYTES

HEAD = {"outcome": "returned", "changed": []}


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Both ends of a pipe, closed afterwards if still open."""
    reader, writer = os.pipe()
    yield reader, writer
    for fd in (reader, writer):
        try:
            os.close(fd)
        except OSError:
            continue


def test_a_frame_arrives_as_it_was_sent(pipe: tuple[int, int]) -> None:
    """The one promise of the format."""
    write_frame(pipe[1], HEAD, b"body")
    head, body = read_frame(pipe[0])
    assert (head, bytes(body)) == (HEAD, b"body")


def test_a_frame_without_body_arrives(pipe: tuple[int, int]) -> None:
    """Most requests have none."""
    write_frame(pipe[1], HEAD)
    head, body = read_frame(pipe[0])
    assert (head, bytes(body)) == (HEAD, b"")


def test_two_frames_at_once_on_a_channel_are_refused(pipe: tuple[int, int]) -> None:
    """Requests and answers take turns: whoever writes two is none of ours."""
    write_frame(pipe[1], {"n": 1}, b"one")
    write_frame(pipe[1], {"n": 2}, b"two")
    with pytest.raises(FrameError, match="after the end"):
        read_frame(pipe[0])


def test_a_frame_in_single_bytes_is_put_together() -> None:
    """A stream socket cuts where it likes."""
    buffer = FrameBuffer()
    data = pack_prefix(HEAD, 4) + b"body"
    frames = [buffer.feed(data[i : i + 1]) for i in range(len(data))]
    assert frames[:-1] == [None] * (len(data) - 1)
    assert frames[-1] is not None
    assert frames[-1][0] == HEAD


def test_half_a_frame_says_what_is_missing() -> None:
    """Whoever reads asks for no more than that."""
    buffer = FrameBuffer()
    assert (buffer.started, buffer.missing) == (False, PREFIX.size)
    data = pack_prefix(HEAD, 10)
    assert buffer.feed(data) is None
    assert (buffer.started, buffer.missing) == (True, 10)


def test_a_buffer_takes_the_next_frame_after_one() -> None:
    """One buffer serves a channel for its whole life."""
    buffer = FrameBuffer()
    for number in range(3):
        frame = buffer.feed(pack_prefix({"n": number}, 0))
        assert frame is not None
        assert frame[0] == {"n": number}
        assert not buffer.started


def test_two_frames_at_once_are_refused() -> None:
    """A child answers one question with one frame; a second is an answer to nothing."""
    data = pack_prefix(HEAD, 4) + b"body"
    with pytest.raises(FrameError, match="after the end"):
        FrameBuffer().feed(data + data)


@pytest.mark.parametrize(
    ("prefix", "message"),
    [
        (PREFIX.pack(b"HTTP", 2, 0), "no frame"),
        (PREFIX.pack(MAGIC.lower(), 2, 0), "no frame"),
        (PREFIX.pack(MAGIC, 2**32 - 1, 0), "head of 4294967295 bytes"),
        (PREFIX.pack(MAGIC, MAX_HEAD_BYTES + 1, 0), "head of"),
        (PREFIX.pack(MAGIC, 2, 2**32), "body of 4294967296 bytes"),
        (PREFIX.pack(MAGIC, 2, 2**64 - 1), "body of"),
        (PREFIX.pack(MAGIC, 2, MAX_BODY_BYTES + 1), "body of"),
    ],
)
def test_a_prefix_out_of_bounds_is_refused_before_the_rest_is_read(
    prefix: bytes, message: str
) -> None:
    """Nothing is allocated for a size that a stranger only claims."""
    with pytest.raises(FrameError, match=message):
        FrameBuffer().feed(prefix)


def test_the_largest_sizes_are_no_error_by_themselves() -> None:
    """The bound itself is allowed."""
    buffer = FrameBuffer()
    assert buffer.feed(PREFIX.pack(MAGIC, MAX_HEAD_BYTES, MAX_BODY_BYTES)) is None
    assert buffer.missing == MAX_HEAD_BYTES + MAX_BODY_BYTES


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"[]",
        b"null",
        b"1",
        b'"text"',
        b"{",
        b'{"a":1}x',
        b"\xff\xfe\xfd",
        b"\x00\x00\x00\x00",
        b"[" * 100_000,
        b'{"a":' * 20_000,
        b"9" * 10_000,
        b'{"n":' + b"9" * 10_000 + b"}",
    ],
    ids=lambda head: repr(head[:12]),
)
def test_a_head_that_is_no_object_is_refused(head: bytes) -> None:
    """JSON of any other kind, too deep, or numbers too long to parse."""
    with pytest.raises(FrameError, match="frame head"):
        FrameBuffer().feed(PREFIX.pack(MAGIC, len(head), 0) + head)


@pytest.mark.parametrize("sent", [b"", PREFIX.pack(MAGIC, 2, 0)[:7], PREFIX.pack(MAGIC, 2, 5)])
def test_a_channel_closed_in_mid_frame_is_the_end(pipe: tuple[int, int], sent: bytes) -> None:
    """A dead child is no bad frame; the two have different verdicts."""
    os.write(pipe[1], sent)
    os.close(pipe[1])
    with pytest.raises(EOFError):
        read_frame(pipe[0])
