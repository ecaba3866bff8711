"""Sending of the states of a match (frames) to one spectator."""
# A spectator who is far behind gets the newest frame first, and then the frames in between.

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator
from types import coroutine
from typing import Any

import msgspec
from websockets.frames import Frame, Opcode

from ftk_core.facts import Viewer
from ftk_core.match_replay_frames import MatchFrames, encode_frames, encode_single_frame
from replays import metrics

MAX_FRAMES_PER_MESSAGE = 128
"""Maximum number of frames (states of the game after each log entry) in one message."""
RIGHTS_ENDED, FAILED = 4401, 4500
"""WebSocket close codes: the user may no longer see the view, server error."""
SERVER_STOPS = "ftk.server_stops"
"""Our ASGI extension: a function that returns True after the server has closed the connection in order to stop."""
FRAMED = "ftk.framed"
"""Name of an ASGI extension for writing WebSocket frames that are already encoded.

A server with the extension provides a function of the type `Write` under this name.
"""
Send = Callable[[str], Awaitable[None]]
Close = Callable[[int], Awaitable[None]]
Write = Callable[[bytes], bool]
Work = Coroutine[Any, Any, None]


CONNECTION_ERRORS = (OSError, RuntimeError)
"""Exceptions that an ASGI server raises for a message to a closed or closing socket."""


class MatchSubscriptionKey(msgspec.Struct, frozen=True):
    """Match, viewer and language of a spectator's subscription."""

    # Subscribers with equal keys receive the same messages.

    match_id: str
    viewer: Viewer
    eyes: str
    """The viewer's name as the client sent it."""
    language: str


class SpectatorUpdate(msgspec.Struct, frozen=True):
    """A message with new frames. Subscribers that lack the same frames share one message."""

    text: str
    framed: bytes
    """The message as a WebSocket frame, unmasked and uncompressed, so that all sockets can share the bytes."""
    last: int
    """Number of the last frame in the message."""


def encode_update(view: MatchSubscriptionKey, reel: MatchFrames, span: range) -> SpectatorUpdate:
    """Encode a range of frames as one message, once for all subscribers."""
    text = encode_frames(view.eyes, reel, span)
    return SpectatorUpdate(text, Frame(Opcode.TEXT, text.encode()).serialize(mask=False), span[-1])


def write_nothing(_framed: bytes) -> bool:
    """Return False, because this server cannot send an encoded WebSocket frame."""
    # The caller then sends text. Used on servers without FRAMED, our ASGI extension for encoded messages.
    return False


class SpectatorSocket:
    """A spectator's socket, which sends one message at a time."""

    # Frames that arrive during a send are sent afterwards.

    def __init__(self, send: Send, close: Close, write: Write = write_nothing, user_id: int | None = None) -> None:
        """Store the functions that write to the socket and close it, and the user if signed in."""
        # `write` returns False if the buffer has no room.
        self.user_id = user_id
        self._send, self._close, self._write = send, close, write
        self._turn = asyncio.Lock()
        self._rest: asyncio.Task[None] | None = None
        self.view: MatchSubscriptionKey | None = None
        """Match, viewer and language that the socket follows live; None if it follows no match."""
        self.reel: MatchFrames | None = None
        self.cursor = -1
        """Number of the last frame that was sent in order; -1 before the first."""
        self._glimpsed = -1
        """Number of the last frame that was sent ahead of earlier frames; -1 before the first."""

    @property
    def busy(self) -> bool:
        """True while the socket sends a message. When it has sent the message, it also sends newer frames."""
        return self._turn.locked()

    async def answer(self, view: MatchSubscriptionKey, reel: MatchFrames, after: int, until: int | None) -> None:
        """Send the frames with numbers greater than `after` and less than `until`.

        If `until` is None, send all frames after `after` and follow the match live.
        """
        async with self._turn:
            last = reel.length - 1  # another thread may extend the reel meanwhile
            if until is None:
                self.view, self.reel, self.cursor, self._glimpsed = view, reel, max(after, last), -1
            await self._show(view, reel, reel.span(after, last + 1 if until is None else until))
            await self._catch_up()

    async def _show(self, view: MatchSubscriptionKey, reel: MatchFrames, span: range) -> None:
        """Send a range of frames in several messages."""
        # The first message has only one frame, so that the client can show it soon.
        first, rest = span[:1], span[1:]
        parts = [
            first,
            *(rest[start : start + MAX_FRAMES_PER_MESSAGE] for start in range(0, len(rest), MAX_FRAMES_PER_MESSAGE)),
        ]
        for part in parts:
            # encoded in a thread, so that the event loop serves other spectators meanwhile
            await self._send(await asyncio.to_thread(encode_frames, view.eyes, reel, part, whole=part is first))
            metrics.FRAMES.inc(len(part))
            if part and reel is self.reel:
                await self._show_newest(view, reel, part[-1])

    async def _show_newest(self, view: MatchSubscriptionKey, reel: MatchFrames, told: int) -> None:
        """Send the newest frame out of order if a spectator is more than `MAX_FRAMES_PER_MESSAGE` frames behind."""
        # Not after the end of the match, which spectators then watch from the beginning.
        newest = reel.length - 1
        if newest - max(told, self._glimpsed) > MAX_FRAMES_PER_MESSAGE and not reel.ended:
            self._glimpsed = newest
            await self._send(await asyncio.to_thread(encode_single_frame, view.eyes, reel, newest))

    async def _catch_up(self) -> None:
        """Send all missing frames of the match that the socket follows live, if any."""
        while (view := self.view) and (reel := self.reel) and self.cursor < reel.length - 1:
            await self._show_newest(view, reel, self.cursor)
            span = reel.span(self.cursor)[:MAX_FRAMES_PER_MESSAGE]
            text = await asyncio.to_thread(encode_frames, view.eyes, reel, span)
            self.cursor = span[-1]
            await self._send(text)
            metrics.FRAMES.inc(len(span))

    async def _push(self, text: str, last: int) -> None:
        async with self._turn:
            count, self.cursor = last - self.cursor, last
            await self._send(text)
            metrics.FRAMES.inc(count)
            await self._catch_up()

    async def _resume_catch_up(self) -> None:
        async with self._turn:
            await self._catch_up()

    def send_update(self, news: SpectatorUpdate) -> int:
        """Send a message with new frames, without waiting until it is sent.

        Return the number of frames that the caller must add to the metrics.
        """
        # If `_push` sends the message, it adds the frames itself, and the number is 0.
        if not self._write(news.framed):
            self._rest = run_without_waiting(self._push(news.text, news.last))
            return 0
        count, self.cursor = news.last - self.cursor, news.last
        if self.reel and self.cursor < self.reel.length - 1:
            self._rest = run_without_waiting(self._resume_catch_up())
        return count

    def close_when_idle(self, code: int) -> None:
        """Close the socket with a close code; first send the pending message."""
        self._rest = run_without_waiting(self._close_when_idle(code))

    async def _close_when_idle(self, code: int) -> None:
        async with self._turn:
            self._rest = None  # `leave` would otherwise cancel this task
            await self._close(code)

    def leave(self) -> None:
        """Stop sending new frames of the match to the socket, and cancel its pending message."""
        self.view = self.reel = None
        if self._rest:
            self._rest.cancel()


def run_without_waiting(work: Work) -> asyncio.Task[None] | None:
    """Run a coroutine until it must wait. Return a task that runs the rest, or None if the coroutine has ended."""
    # Most sockets can send at once and need no task. Errors of a socket that was closed meanwhile are ignored.
    try:
        waits_for = work.send(None)
    except (StopIteration, *CONNECTION_ERRORS):
        return None
    return asyncio.get_running_loop().create_task(_rest_of(work, waits_for))


async def _rest_of(work: Work, waits_for: Any) -> None:
    try:
        await _resume_coroutine(work, waits_for)
    except CONNECTION_ERRORS:
        return


@coroutine
def _resume_coroutine(work: Work, waits_for: Any) -> Generator[Any, Any, None]:
    try:
        yield waits_for
    except BaseException:  # `leave` cancels the pending message
        work.close()
        raise
    yield from work.__await__()
