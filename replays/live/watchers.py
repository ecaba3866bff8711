"""Socket of a spectator: sent frames at once while it reads; otherwise the newest frame first, then the missed ones."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator
from types import coroutine
from typing import Any

import msgspec
from websockets.frames import Frame, Opcode

from ftk_core.facts import Viewer
from ftk_core.reel import Reel, glimpse, message
from replays import meters

CHUNK = 128
"""Maximum number of frames in one message."""
FRAMED = "ftk.framed"
"""Extension of a socket's scope that writes a framed message at once if the buffer allows."""
Send = Callable[[str], Awaitable[None]]
Write = Callable[[bytes], bool]
Work = Coroutine[Any, Any, None]


GONE = (OSError, RuntimeError)
"""Exceptions of an ASGI server for a message to a closed or closing socket."""


class Perspective(msgspec.Struct, frozen=True):
    """Match, viewer and language of a subscription; equal perspectives receive the same messages."""

    match_id: str
    viewer: Viewer
    eyes: str
    """The viewer's name as the client sent it."""
    language: str


class News(msgspec.Struct, frozen=True):
    """A message for all subscribers at the same frame."""

    text: str
    framed: bytes
    """The text as a WebSocket frame: unmasked and uncompressed, so that all sockets can share it."""
    last: int
    """The last frame in it."""


def news_of(view: Perspective, reel: Reel, span: range) -> News:
    """Return frames as one message, encoded and framed once."""
    text = message(view.eyes, reel, span)
    return News(text, Frame(Opcode.TEXT, text.encode()).serialize(mask=False), span[-1])


def never(_framed: bytes) -> bool:
    """Write nothing; used with servers that frame each message themselves."""
    return False


class Watcher:
    """A spectator's socket. At most one of its messages is being sent; the rest waits in the log."""

    def __init__(self, send: Send, close: Callable[[], Awaitable[None]], write: Write = never) -> None:
        """Take the functions of the socket.

        `send` returns once the next message can be sent; `close` reports an internal failure; `write` writes a framed
        message if the buffer allows.
        """
        self._send, self._close, self._write = send, close, write
        self._turn = asyncio.Lock()
        self._rest: asyncio.Task[None] | None = None
        self.view: Perspective | None = None
        """The followed perspective; None before the first open-ended request."""
        self.reel: Reel | None = None
        self.cursor = -1
        """The last frame sent of the followed match."""
        self._glimpsed = -1
        """The last frame sent ahead of earlier ones."""

    @property
    def busy(self) -> bool:
        """True while a message is being sent; the socket then catches up by itself."""
        return self._turn.locked()

    async def answer(self, view: Perspective, reel: Reel, after: int, until: int | None) -> None:
        """Send the requested frames, and follow the match from there unless an end was requested."""
        async with self._turn:
            last = reel.length - 1  # another thread may extend it meanwhile
            if until is None:
                self.view, self.reel, self.cursor, self._glimpsed = view, reel, max(after, last), -1
            await self._show(view, reel, reel.span(after, last + 1 if until is None else until))
            await self._catch_up()

    async def _show(self, view: Perspective, reel: Reel, span: range) -> None:
        """Send frames in messages, the first alone because the client waits for it."""
        first, rest = span[:1], span[1:]
        parts = [first, *(rest[start : start + CHUNK] for start in range(0, len(rest), CHUNK))]
        for part in parts:
            # rendered in a thread: the loop serves other spectators meanwhile
            await self._send(await asyncio.to_thread(message, view.eyes, reel, part, whole=part is first))
            meters.FRAMES.inc(len(part))
            if part and reel is self.reel:
                await self._glimpse(view, reel, part[-1])

    async def _glimpse(self, view: Perspective, reel: Reel, told: int) -> None:
        """Send the newest frame ahead of the others to a socket that is far behind, repeatedly while it stays behind.

        A match that is over is not shown this way: its spectators start at the beginning.
        """
        newest = reel.length - 1
        if newest - max(told, self._glimpsed) > CHUNK and not reel.ended:
            self._glimpsed = newest
            await self._send(await asyncio.to_thread(glimpse, view.eyes, reel, newest))

    async def _catch_up(self) -> None:
        """Send the frames of the followed match since the last one sent."""
        while (view := self.view) and (reel := self.reel) and self.cursor < reel.length - 1:
            await self._glimpse(view, reel, self.cursor)
            span = reel.span(self.cursor)[:CHUNK]
            text = await asyncio.to_thread(message, view.eyes, reel, span)
            self.cursor = span[-1]
            await self._send(text)
            meters.FRAMES.inc(len(span))

    async def _push(self, text: str, last: int) -> None:
        async with self._turn:
            count, self.cursor = last - self.cursor, last
            await self._send(text)
            meters.FRAMES.inc(count)
            await self._catch_up()

    async def _go_on(self) -> None:
        async with self._turn:
            await self._catch_up()

    def tell(self, news: News) -> int:
        """Send a message now; return the number of frames written. Frames sent later are counted there."""
        if not self._write(news.framed):
            self._rest = at_once(self._push(news.text, news.last))
            return 0
        count, self.cursor = news.last - self.cursor, news.last
        if self.reel and self.cursor < self.reel.length - 1:
            self._rest = at_once(self._go_on())
        return count

    def send_out(self) -> None:
        """Close the socket after its pending message."""
        self._rest = at_once(self._be_gone())

    async def _be_gone(self) -> None:
        async with self._turn:
            self._rest = None  # otherwise leaving would cancel the task that causes it
            await self._close()

    def leave(self) -> None:
        """Cancel pending messages."""
        self.view = self.reel = None
        if self._rest:
            self._rest.cancel()


def at_once(work: Work) -> asyncio.Task[None] | None:
    """Run a coroutine until it must wait; return None if it has finished, else a task for the rest.

    This avoids thousands of tasks for sockets with free buffers (Python 3.12 has it as eager start). A socket closed
    meanwhile counts as left.
    """
    try:
        waits_for = work.send(None)
    except (StopIteration, *GONE):
        return None
    return asyncio.get_running_loop().create_task(_rest_of(work, waits_for))


async def _rest_of(work: Work, waits_for: Any) -> None:
    try:
        await _go_on(work, waits_for)
    except GONE:
        return


@coroutine
def _go_on(work: Work, waits_for: Any) -> Generator[Any, Any, None]:
    try:
        yield waits_for
    except BaseException:  # a leaving socket cancels its pending message
        work.close()
        raise
    yield from work.__await__()
