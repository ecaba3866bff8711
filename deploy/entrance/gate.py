"""Before the application: how much may be sent, how long it may take, and how much one visitor may have open.

Django stores a body before any view or middleware of its own sees the request, so what is too much is refused here.
Counts are of this process, in which the connections are. The limits are in the settings (`GATE`, `BODY_BYTES`).
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from django.conf import settings

from foundation.throttles import believed

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LINGER_BYTES = 1024 * 1024
"""How many bytes more are read and thrown away, so that whoever sends first and reads later can read the refusal."""
EVERYTHING = b"x-refused-everything"
"""The header of a refusal that holds for all that an address asks for."""
MOST_REMEMBERED = 100_000
LINGER_SECONDS = 2
AGAIN_SECONDS = 10
"""After so long somebody who has too much open may ask again."""


class Full(Exception):
    """Raised for one more than somebody may have open."""


class Places:
    """Counts what each visitor has open of one kind."""

    def __init__(self, limit: str) -> None:
        """`limit` is the word in the settings' `GATE`."""
        self._limit, self._open = limit, Counter[str]()

    def open_by(self, who: str) -> int:
        """Return how many somebody has open."""
        return self._open[who]

    def take(self, who: str) -> None:
        """Count one more; raises Full."""
        if self._open[who] >= settings.GATE[self._limit]:
            raise Full(f"{self._open[who]} are open already")
        self._open[who] += 1

    def leave(self, who: str) -> None:
        """Count one less."""
        self._open[who] -= 1
        if self._open[who] <= 0:
            del self._open[who]

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """Have one open while the block runs; raises Full."""
        self.take(who)
        try:
            yield
        finally:
            self.leave(who)


class Refused:
    """Remembers who was told to come back later, so that until then it costs no question to the database."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def left(self, who: str, now: float) -> int:
        """Return after how many seconds somebody may ask again; 0 is now."""
        until = self._until.get(who, now)
        if until <= now:
            self._until.pop(who, None)
        return math.ceil(until - now)

    def note(self, who: str, message: Message, now: float) -> None:
        """Remember an answer that refuses whatever else its address asks for."""
        if message["type"] != "http.response.start" or message["status"] != HTTPStatus.TOO_MANY_REQUESTS:
            return
        headers = {bytes(name).lower(): bytes(value) for name, value in message["headers"]}
        if EVERYTHING in headers:
            if len(self._until) > MOST_REMEMBERED:
                self._until.clear()
            self._until[who] = now + int(headers[b"retry-after"])


CONNECTIONS, REQUESTS, REFUSED = Places("connections_each"), Places("requests_each"), Refused()
SOCKETS, PERSONS = Places("sockets_each"), Places("sockets_person")


def most(path: str) -> int:
    """Return how many bytes a body for this path may have."""
    return int(settings.BODY_BYTES.get(path, settings.BODY_BYTES_ELSEWHERE))


def address_in(scope: Scope) -> str:
    """Return whose address a request or a socket is from, as `throttles` believes it."""
    forwarded = b", ".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    return believed((scope.get("client") or ("",))[0], forwarded.decode("latin-1"))


class Body:
    """The body of one request, as far as it is let through."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive, self._most = receive, most(scope["path"])
        self._until = asyncio.get_running_loop().time() + settings.GATE["body_seconds"]
        self._taken, self._whole = 0, False
        headers = dict(scope["headers"])
        self._declared = int(headers.get(b"content-length") or 0)
        self._waits_to_send = b"expect" in headers
        self.refused: tuple[HTTPStatus, str] | None = None

    def check_declared(self) -> None:
        """Refuse what says of itself that it is too much."""
        if self._declared > self._most:
            self._refuse_size()

    def _refuse_size(self) -> None:
        words = f"The body may have {self._most} bytes here, and not more."
        self.refused = (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, words)

    async def receive(self) -> Message:
        """Hand on what comes; where it is too much or too late, say that the client has left."""
        if self._whole:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            self.refused = (HTTPStatus.REQUEST_TIMEOUT, "The body took too long.")
            return {"type": "http.disconnect"}
        self._taken += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._taken > self._most:
            self._refuse_size()
            return {"type": "http.disconnect"}
        return message

    async def drain(self) -> None:
        """Read a little of what nobody wants, so that the refusal is heard."""
        enough = self._taken + LINGER_BYTES
        if self._waits_to_send or self._declared > enough or not (self._declared or self._taken):
            return  # there is nothing to read, or no end to it
        try:
            async with asyncio.timeout(LINGER_SECONDS):
                while not self._whole and self._taken < enough:
                    message = await self._receive()
                    self._taken += len(message.get("body", b""))
                    self._whole = not message.get("more_body", False)
        except TimeoutError:
            return


class Gate:
    """Stands before the whole application."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request or a socket through, or refuse it."""
        serve = {"http": self._request, "websocket": self._socket}.get(scope["type"])
        await (serve(scope, receive, send) if serve else self._app(scope, receive, send))

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, started, who, now = Body(scope, receive), False, address_in(scope), asyncio.get_running_loop().time

        async def sent(message: Message) -> None:
            nonlocal started
            started = True
            REFUSED.note(who, message, now())
            await send(message)

        if (seconds := REFUSED.left(who, now())) and not scope["path"].startswith(settings.STATIC_URL):
            await refuse(
                send, HTTPStatus.TOO_MANY_REQUESTS, f"Too many requests; try again in {seconds} s.", after=seconds
            )
            return
        try:
            with REQUESTS.one(who):
                body.check_declared()
                if not body.refused:
                    await self._app(scope, body.receive, sent)
        except Full:
            body.refused = (HTTPStatus.TOO_MANY_REQUESTS, "Too many requests at once.")
        if body.refused and not started:
            await body.drain()
            await refuse(send, *body.refused)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        await admitted(SOCKETS, address_in(scope), self._app, scope, receive, send)


class ByPerson:
    """Stands behind whatever finds out who somebody is; counts the sockets of one person from all addresses."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a socket through, or refuse it."""
        user = scope.get("user")
        if user is None or not user.is_authenticated:
            await self._app(scope, receive, send)
        else:
            await admitted(PERSONS, f"#{user.pk}", self._app, scope, receive, send)


async def admitted(places: Places, who: str, app: App, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a socket if there is a place for it."""
    try:
        places.take(who)
    except Full:
        await refuse(send, HTTPStatus.TOO_MANY_REQUESTS, "Too many sockets.", "websocket.http.response")
        return
    try:
        await app(scope, receive, send)
    finally:
        places.leave(who)


async def refuse(
    send: Send, status: HTTPStatus, words: str, kind: str = "http.response", after: int = AGAIN_SECONDS
) -> None:
    """Answer with a status and a sentence, and end the connection."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        headers.append((b"retry-after", str(after).encode()))
    await send({"type": f"{kind}.start", "status": int(status), "headers": headers})
    await send({"type": f"{kind}.body", "body": f"{words}\n".encode()})
