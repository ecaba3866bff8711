"""ASGI middleware that limits the size and duration of requests, and the open connections of one visitor.

Django stores a body before any of its views or middleware sees the request, so excess is refused here. Counts are per
process, as the connections are. The limits are in the settings (`GATE`, `BODY_BYTES`).
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
"""Bytes read and discarded after a refusal, so that a client that sends before it reads receives the refusal."""
EVERYTHING = b"x-refused-everything"
"""Header of a refusal that holds for all requests of an address."""
MOST_REMEMBERED = 100_000
LINGER_SECONDS = 2
AGAIN_SECONDS = 10
"""Retry-After in seconds for a visitor at a limit."""


class Full(Exception):
    """Raised when a visitor is at a limit."""


class Places:
    """Counter of each visitor's open items of one kind."""

    def __init__(self, limit: str) -> None:
        """Take the limit from `GATE` of the settings, under this key."""
        self._limit, self._open = limit, Counter[str]()

    def open_by(self, who: str) -> int:
        """Return the number of items that a visitor has open."""
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
        """Count one during the block; raises Full."""
        self.take(who)
        try:
            yield
        finally:
            self.leave(who)


class Refused:
    """Memory of the visitors that must come back later, to spare the database a query."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def left(self, who: str, now: float) -> int:
        """Return the seconds until a visitor may retry; 0 is now."""
        until = self._until.get(who, now)
        if until <= now:
            self._until.pop(who, None)
        return math.ceil(until - now)

    def note(self, who: str, message: Message, now: float) -> None:
        """Remember a response that refuses all requests of its address."""
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
    """Return the maximum body size of a path in bytes."""
    return int(settings.BODY_BYTES.get(path, settings.BODY_BYTES_ELSEWHERE))


def address_in(scope: Scope) -> str:
    """Return the client address of a request or socket, as `throttles` determines it."""
    forwarded = b", ".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    return believed((scope.get("client") or ("",))[0], forwarded.decode("latin-1"))


class Body:
    """Body of one request, up to its limits."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive, self._most = receive, most(scope["path"])
        self._until = asyncio.get_running_loop().time() + settings.GATE["body_seconds"]
        self._taken, self._whole = 0, False
        headers = dict(scope["headers"])
        self._declared = int(headers.get(b"content-length") or 0)
        self._waits_to_send = b"expect" in headers
        self.refused: tuple[HTTPStatus, str] | None = None

    def check_declared(self) -> None:
        """Refuse a body whose declared length is too large."""
        if self._declared > self._most:
            self._refuse_size()

    def _refuse_size(self) -> None:
        words = f"The body may have {self._most} bytes here, and not more."
        self.refused = (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, words)

    async def receive(self) -> Message:
        """Pass on the next message; beyond the limits, report that the client has disconnected."""
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
        """Read a little of the refused body, so that the client receives the refusal."""
        enough = self._taken + LINGER_BYTES
        if self._waits_to_send or self._declared > enough or not (self._declared or self._taken):
            return  # nothing to read, or no end to it
        try:
            async with asyncio.timeout(LINGER_SECONDS):
                while not self._whole and self._taken < enough:
                    message = await self._receive()
                    self._taken += len(message.get("body", b""))
                    self._whole = not message.get("more_body", False)
        except TimeoutError:
            return


class Gate:
    """The outermost ASGI middleware."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or socket on, or refuse it."""
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
    """Middleware after authentication that limits the sockets of one person over all addresses."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a socket on, or refuse it."""
        user = scope.get("user")
        if user is None or not user.is_authenticated:
            await self._app(scope, receive, send)
        else:
            await admitted(PERSONS, f"#{user.pk}", self._app, scope, receive, send)


async def admitted(places: Places, who: str, app: App, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a socket if the limit allows one more."""
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
    """Answer with a status and a sentence, and close the connection."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        headers.append((b"retry-after", str(after).encode()))
    await send({"type": f"{kind}.start", "status": int(status), "headers": headers})
    await send({"type": f"{kind}.body", "body": f"{words}\n".encode()})
