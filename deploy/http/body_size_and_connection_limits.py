"""ASGI middleware that limits request bodies and each visitor's open connections to a web process."""
# Django's own middleware runs after the whole body is stored, too late to refuse a large one.

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from http import HTTPStatus
from typing import Any

from django.conf import settings

from foundation.ratelimits.limits import client_address

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LINGER_BYTES = 1024 * 1024
"""Maximum bytes read and discarded after a refusal, because many clients read the response only after sending."""
REFUSED_EVERYTHING_HEADER = b"x-refused-everything"
"""Name of the header that marks a response 429 as valid for all further requests of the client address."""
MAX_REMEMBERED = 100_000
LINGER_SECONDS = 2
RETRY_SECONDS = 10
"""Value of Retry-After in seconds for a visitor with too many open requests or WebSockets."""


class OpenConnectionLimitExceeded(Exception):
    """Raised when a visitor has reached the maximum of an `OpenConnectionCounter`."""


class OpenConnectionCounter:
    """Counter of the open connections, requests or WebSockets of each visitor (a client IP address or a user)."""

    def __init__(self, limit: str) -> None:
        """Create a counter of open connections. `limit` is the name of the maximum per visitor in `settings.GATE`."""
        self._limit, self._open = limit, Counter[str]()

    def count_open(self, who: str) -> int:
        """Return how many of the counted things a visitor has open: connections, requests or WebSockets."""
        return self._open[who]

    def take(self, who: str) -> None:
        """Count one connection, request or WebSocket as open; raises OpenConnectionLimitExceeded beyond the maximum."""
        if self._open[who] >= settings.GATE[self._limit]:
            raise OpenConnectionLimitExceeded(f"{self._open[who]} are open already")
        self._open[who] += 1

    def leave(self, who: str) -> None:
        """Count one connection, request or WebSocket of a visitor as closed."""
        self._open[who] -= 1
        if self._open[who] <= 0:
            del self._open[who]

    @contextmanager
    def counted(self, who: str) -> Iterator[None]:
        """Call `take` at the start of the `with` block, and `leave` at its end."""
        self.take(who)
        try:
            yield
        finally:
            self.leave(who)


class RateLimitedAddresses:
    """Client addresses over their rate limit, whose requests are refused without a database query."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def seconds_left(self, who: str, now: float) -> int:
        """Return the seconds until a client address may send requests again; 0 if it is not refused."""
        until = self._until.get(who, now)
        if until <= now:
            self._until.pop(who, None)
        return math.ceil(until - now)

    def note(self, who: str, message: Message, now: float) -> None:
        """Remember an address for Retry-After seconds if `message` starts a 429 that refuses its later requests too."""
        if message["type"] != "http.response.start" or message["status"] != HTTPStatus.TOO_MANY_REQUESTS:
            return
        headers = {bytes(name).lower(): bytes(value) for name, value in message["headers"]}
        if REFUSED_EVERYTHING_HEADER in headers:
            if len(self._until) > MAX_REMEMBERED:
                self._until.clear()
            self._until[who] = now + int(headers[b"retry-after"])


CONNECTIONS, REQUESTS = OpenConnectionCounter("connections_each"), OpenConnectionCounter("requests_each")
REFUSED = RateLimitedAddresses()
SOCKETS, PERSONS = OpenConnectionCounter("sockets_each"), OpenConnectionCounter("sockets_person")


def max_body_bytes(path: str) -> int:
    """Return the maximum size in bytes of a request body for this URL path."""
    sizes = (size for pattern, size in settings.BODY_BYTES.items() if fnmatchcase(path, pattern))
    under = (size for prefix, size in settings.BODY_BYTES_UNDER.items() if prefix == "/" or path.startswith(prefix))
    return int(next(sizes, 0) or max(under))


def scope_address(scope: Scope) -> str:
    """Return the IP address (for IPv6, the /64 network) of the client of a request or WebSocket."""
    forwarded = b", ".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    return client_address((scope.get("client") or ("",))[0], forwarded.decode("latin-1"))


class SizeLimitedRequestBody:
    """ASGI `receive` that limits a body's size and duration. Beyond a limit it sets `refused` to (status, message)."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive, self._most = receive, max_body_bytes(scope["path"])
        self._until = asyncio.get_running_loop().time() + settings.GATE["body_seconds"]
        self._taken, self._whole = 0, False
        headers = dict(scope["headers"])
        self._declared = int(headers.get(b"content-length") or 0)
        self._waits_to_send = b"expect" in headers
        self.refused: tuple[HTTPStatus, str] | None = None

    def check_declared(self) -> None:
        """Refuse the body if its Content-Length is too large."""
        if self._declared > self._most:
            self._refuse_size()

    def _refuse_size(self) -> None:
        self.refused = HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The body may have {self._most} bytes here, and not more."

    async def receive(self) -> Message:
        """Return the next ASGI message; beyond the limits, return ``http.disconnect`` instead."""
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
        """Read and discard up to 1 MiB of a refused body, so that the client then reads the error response."""
        # Many clients read a response only after they have sent the whole body.
        enough = self._taken + LINGER_BYTES
        if self._waits_to_send or self._declared > enough or not (self._declared or self._taken):
            return  # nothing was sent yet, or too much would follow
        try:
            async with asyncio.timeout(LINGER_SECONDS):
                while not self._whole and self._taken < enough:
                    message = await self._receive()
                    self._taken += len(message.get("body", b""))
                    self._whole = not message.get("more_body", False)
        except TimeoutError:
            return


class RequestLimitsMiddleware:
    """Outermost ASGI middleware, which limits request bodies and the open requests and WebSockets of each address."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or WebSocket to the application, or refuse it."""
        serve = {"http": self._request, "websocket": self._socket}.get(scope["type"])
        await (serve(scope, receive, send) if serve else self._app(scope, receive, send))

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, started = SizeLimitedRequestBody(scope, receive), False
        who, now = scope_address(scope), asyncio.get_running_loop().time

        async def sent(message: Message) -> None:
            nonlocal started
            started = True
            REFUSED.note(who, message, now())
            await send(message)

        if (seconds := REFUSED.seconds_left(who, now())) and not scope["path"].startswith(settings.STATIC_URL):
            words = f"Too many requests; try again in {seconds} s."
            await send_refusal(send, HTTPStatus.TOO_MANY_REQUESTS, words, after=seconds)
            return
        try:
            with REQUESTS.counted(who):
                body.check_declared()
                if not body.refused:
                    await self._app(scope, body.receive, sent)
        except OpenConnectionLimitExceeded:
            body.refused = (HTTPStatus.TOO_MANY_REQUESTS, "Too many requests at once.")
        if body.refused and not started:
            await body.drain()
            await send_refusal(send, *body.refused)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        await serve_counted(SOCKETS, scope_address(scope), self._app, scope, receive, send)


class UserSocketLimitMiddleware:
    """ASGI middleware that limits the number of open WebSockets of each signed-in user."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a WebSocket to the application, or refuse it."""
        user = scope.get("user")
        if user is None or not user.is_authenticated:
            await self._app(scope, receive, send)
        else:
            await serve_counted(PERSONS, f"#{user.pk}", self._app, scope, receive, send)


async def serve_counted(
    places: OpenConnectionCounter, who: str, app: App, scope: Scope, receive: Receive, send: Send
) -> None:
    """Count a WebSocket while the application serves it; refuse it if the visitor has too many."""
    try:
        places.take(who)
    except OpenConnectionLimitExceeded:
        await send_refusal(send, HTTPStatus.TOO_MANY_REQUESTS, "Too many sockets.", "websocket.http.response")
        return
    try:
        await app(scope, receive, send)
    finally:
        places.leave(who)


async def send_refusal(
    send: Send, status: HTTPStatus, words: str, kind: str = "http.response", after: int = RETRY_SECONDS
) -> None:
    """Send an error status with a plain text, and close the connection.

    `kind` is ``http.response``, or ``websocket.http.response`` to refuse a WebSocket. With status 429, the header
    Retry-After contains `after` seconds.
    """
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        headers.append((b"retry-after", str(after).encode()))
    await send({"type": f"{kind}.start", "status": int(status), "headers": headers})
    await send({"type": f"{kind}.body", "body": f"{words}\n".encode()})
