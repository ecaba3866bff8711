"""One watcher's socket: told at once while it reads, else shown the newest frame first, and then what it missed."""

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
"""How many frames go into one message."""
FRAMED = "ftk.framed"
"""The extension of a socket's scope that writes a framed message at once, if there is room for it."""
Send = Callable[[str], Awaitable[None]]
Write = Callable[[bytes], bool]
Work = Coroutine[Any, Any, None]


GONE = (OSError, RuntimeError)
"""What an ASGI server raises for a message to a socket that is closed, or being closed."""


class Perspective(msgspec.Struct, frozen=True):
    """What a watcher looks at: all with the same view are told the same."""

    match_id: str
    viewer: Viewer
    eyes: str
    """The viewer as the watcher called it."""
    language: str


class News(msgspec.Struct, frozen=True):
    """One message for all who stand at the same frame."""

    text: str
    framed: bytes
    """The text as it goes over a socket: unmasked and uncompressed, and so the same over each."""
    last: int
    """The last frame in it."""


def news_of(view: Perspective, reel: Reel, span: range) -> News:
    """Return frames as one message, encoded and framed once."""
    text = message(view.eyes, reel, span)
    return News(text, Frame(Opcode.TEXT, text.encode()).serialize(mask=False), span[-1])


def never(_framed: bytes) -> bool:
    """Write nothing: what a server offers that frames each message itself."""
    return False


class Watcher:
    """One socket. At most one message of its own is under way; all else waits in the log."""

    def __init__(self, send: Send, close: Callable[[], Awaitable[None]], write: Write = never) -> None:
        """`send` returns once there is room for the next message; `close` says that we have failed.

        `write` takes a message that is framed already, if there is room for it now.
        """
        self._send, self._close, self._write = send, close, write
        self._turn = asyncio.Lock()
        self._rest: asyncio.Task[None] | None = None
        self.view: Perspective | None = None
        """What it follows; None before the first open-ended request."""
        self.reel: Reel | None = None
        self.cursor = -1
        """The last frame it was told of what it follows."""
        self._glimpsed = -1
        """The last frame that it was shown ahead of those before it."""

    @property
    def busy(self) -> bool:
        """Whether something is under way to it, behind which it will ask for more by itself."""
        return self._turn.locked()

    async def answer(self, view: Perspective, reel: Reel, after: int, until: int | None) -> None:
        """Send what was asked for, and follow the match from there on unless an end was named."""
        async with self._turn:
            last = reel.length - 1  # it may grow in another thread meanwhile
            if until is None:
                self.view, self.reel, self.cursor, self._glimpsed = view, reel, max(after, last), -1
            await self._show(view, reel, reel.span(after, last + 1 if until is None else until))
            await self._catch_up()

    async def _show(self, view: Perspective, reel: Reel, span: range) -> None:
        """Send frames in messages, the first picture by itself, as it is what somebody waits for."""
        first, rest = span[:1], span[1:]
        parts = [first, *(rest[start : start + CHUNK] for start in range(0, len(rest), CHUNK))]
        for part in parts:
            # drawn in a thread: the loop serves other watchers meanwhile
            await self._send(await asyncio.to_thread(message, view.eyes, reel, part, whole=part is first))
            meters.FRAMES.inc(len(part))
            if part and reel is self.reel:
                await self._glimpse(view, reel, part[-1])

    async def _glimpse(self, view: Perspective, reel: Reel, told: int) -> None:
        """Show somebody who is far behind the newest frame ahead of the others, again and again while they stay so.

        A match that is over is no news: whoever opens it begins at its beginning.
        """
        newest = reel.length - 1
        if newest - max(told, self._glimpsed) > CHUNK and not reel.ended:
            self._glimpsed = newest
            await self._send(await asyncio.to_thread(glimpse, view.eyes, reel, newest))

    async def _catch_up(self) -> None:
        """Send what has come of the match followed since it was told last."""
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
        """Send a message, now; return how many frames were written: others are sent, and counted, behind our back."""
        if not self._write(news.framed):
            self._rest = at_once(self._push(news.text, news.last))
            return 0
        count, self.cursor = news.last - self.cursor, news.last
        if self.reel and self.cursor < self.reel.length - 1:
            self._rest = at_once(self._go_on())
        return count

    def send_out(self) -> None:
        """Close its socket behind what is under way."""
        self._rest = at_once(self._be_gone())

    async def _be_gone(self) -> None:
        async with self._turn:
            self._rest = None  # or leaving would cancel the very thing that makes it leave
            await self._close()

    def leave(self) -> None:
        """Forget what is under way."""
        self.view = self.reel = None
        if self._rest:
            self._rest.cancel()


def at_once(work: Work) -> asyncio.Task[None] | None:
    """Run a coroutine to where it must wait; return None if it ended before, else the task that does the rest.

    For thousands of sockets with room this spares thousands of tasks (Python 3.12 has it as eager start). A socket
    that is closed meanwhile has left.
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
    except BaseException:  # a socket that leaves cancels what is under way to it
        work.close()
        raise
    yield from work.__await__()
