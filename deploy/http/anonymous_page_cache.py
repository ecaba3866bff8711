"""Cache of rendered pages for anonymous requests, kept for about a second in memory."""
# A request is anonymous without an Authorization header and without cookies except language and theme. Cached pages set
# no cookie and are not private; browsers revalidate them by ETag.

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.utils.http import parse_etags
from django.utils.translation import get_language_from_request

from deploy.http.body_size_and_connection_limits import App, Message, Receive, Scope, Send

MAX_PAGE_BYTES = 256 * 1024
MAX_TOTAL_BYTES = 8 * 1024 * 1024
NEVER_SHARED = ("/api/", "/staff/", "/metrics")
SHARED_TYPES = (b"text/html", b"text/calendar", b"application/atom+xml")
KEY_HEADERS = {"accept-language", "cookie", "hx-request"}
"""Request headers that are part of the cache key; a response whose Vary names any other header is not cached."""
PRIVATE_DIRECTIVES = {"private", "no-store", "no-cache"}
NOT_MODIFIED_HEADERS = {b"cache-control", b"content-language", b"etag", b"vary"}
THEMES = ("dark", "light")
Key = tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedPage:
    """A rendered page in the cache."""

    headers: list[tuple[bytes, bytes]]
    body: bytes
    etag: str
    began: float
    """Time when its rendering began, in seconds of the event loop's clock."""


@dataclass(frozen=True, slots=True)
class PendingPageRendering:
    """Page that is being rendered while other requests wait for it."""

    began: float
    page: asyncio.Future[CachedPage | None]

    def finish(self, page: CachedPage | None) -> None:
        """Give a page to the waiting requests. If `page` is None, each request renders its own page."""
        if not self.page.done():
            self.page.set_result(page)


class AnonymousPageCacheMiddleware:
    """ASGI middleware that answers anonymous requests from the cache of rendered pages."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._pages: OrderedDict[Key, CachedPage] = OrderedDict()
        self._drawings: dict[Key, PendingPageRendering] = {}
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a recently rendered page from the cache. If there is none, render the page."""
        key = page_key(scope)
        if key is None:
            await self._app(scope, receive, send)
            return
        page = await self._find(key)
        if page is None:
            await self._render(key, scope, receive, send)
        else:
            await send_page(page, scope, send)

    async def _find(self, key: Key) -> CachedPage | None:
        oldest = _now() - settings.GATE["shared_seconds"]
        page, drawing = self._pages.get(key), self._drawings.get(key)
        if page is not None and page.began > oldest:
            return page
        if drawing is not None and drawing.began > oldest:
            return await asyncio.shield(drawing.page)
        return None

    async def _render(self, key: Key, scope: Scope, receive: Receive, send: Send) -> None:
        drawing = self._drawings[key] = PendingPageRendering(_now(), asyncio.get_running_loop().create_future())
        capture = ResponseCapture(drawing, send)
        try:
            await self._app(scope, receive, capture)
            if page := capture.page():
                self._store(key, page)
                drawing.finish(page)
                await send_page(page, scope, send)
        finally:
            drawing.finish(None)
            if self._drawings.get(key) is drawing:
                del self._drawings[key]

    def _store(self, key: Key, page: CachedPage) -> None:
        """Store a page; remove expired pages, and the oldest pages if the cache exceeds its size limit."""
        if before := self._pages.pop(key, None):
            self._bytes -= len(before.body)
        self._pages[key] = page
        self._bytes += len(page.body)
        oldest = _now() - settings.GATE["shared_seconds"]
        while self._bytes > MAX_TOTAL_BYTES or next(iter(self._pages.values())).began < oldest:
            self._bytes -= len(self._pages.popitem(last=False)[1].body)
            if not self._pages:
                return


class ResponseCapture:
    """ASGI `send` callable that buffers responses which may be cached."""

    def __init__(self, drawing: PendingPageRendering, send: Send) -> None:
        self._drawing, self._send = drawing, send
        self._start: Message | None = None
        self._body = b""
        self._whole = False

    async def __call__(self, message: Message) -> None:
        """Buffer one ASGI message if the response may be cached. Send it otherwise."""
        if message["type"] == "http.response.start" and is_shared(message):
            self._start = message
        elif self._start is None:
            self._drawing.finish(None)
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            self._whole = not message.get("more_body", False)
            if len(self._body) > MAX_PAGE_BYTES:
                await self._pass_on()

    async def _pass_on(self) -> None:
        start, self._start = self._start, None
        assert start is not None
        self._drawing.finish(None)
        await self._send(start)
        await self._send({"type": "http.response.body", "body": self._body, "more_body": not self._whole})

    def page(self) -> CachedPage | None:
        """Return the response as a page for the cache, or None if it must not be cached."""
        if self._start is None or not self._whole:
            return None
        etag = f'"{sha256(self._body).hexdigest()[:32]}"'
        headers = [(name.lower(), value) for name, value in self._start["headers"]]
        if not any(name == b"cache-control" for name, _ in headers):
            headers.append((b"cache-control", b"no-cache"))  # browsers store it and revalidate
        headers = [(name, value) for name, value in headers if name != b"etag"] + [(b"etag", etag.encode())]
        return CachedPage(headers=headers, body=self._body, etag=etag, began=self._drawing.began)


def page_key(scope: Scope) -> Key | None:
    """Return the cache key of a request, or None if the cache must not answer it."""
    # The key has all parts of the request on which the page depends.
    path: str = scope["path"]
    if scope["method"] != "GET" or not settings.GATE["shared_seconds"] or path.startswith(NEVER_SHARED):
        return None
    if path.startswith(settings.STATIC_URL):
        return None
    headers: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:  # repeated headers are joined as Django joins them
        between = b"; " if name == b"cookie" else b","
        headers[name] = headers[name] + between + value if name in headers else value
    request = HttpRequest()
    request.COOKIES = parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get(b"accept-language", b"").decode("latin-1")
    if b"authorization" in headers or not request.COOKIES.keys() <= {settings.LANGUAGE_COOKIE_NAME, "theme"}:
        return None
    theme = request.COOKIES.get("theme", "")
    return (
        scope.get("raw_path") or path.encode(),
        scope["query_string"],
        get_language_from_request(request).encode(),
        theme.encode() if theme in THEMES else b"",
        headers.get(b"hx-request", b""),
        headers.get(b"host", b""),
        scope["scheme"].encode(),
        headers.get(b"x-forwarded-proto", b""),
    )


def is_shared(start: Message) -> bool:
    """Return True if a response with this ``http.response.start`` message may be sent to every anonymous client."""
    headers: dict[bytes, bytes] = {}
    for name, value in start["headers"]:
        headers[name.lower()] = value
    vary, control = _header_values(headers.get(b"vary", b"")), _header_values(headers.get(b"cache-control", b""))
    return (
        start["status"] == HTTPStatus.OK
        and headers.get(b"content-type", b"").startswith(SHARED_TYPES)
        and b"set-cookie" not in headers
        and vary <= KEY_HEADERS
        and PRIVATE_DIRECTIVES.isdisjoint(control)
    )


def _header_values(header: bytes) -> set[str]:
    """Return the names in a comma-separated header, without their values and in lower case.

    For ``Max-Age=60, Public`` these are ``max-age`` and ``public``.
    """
    return {word.partition("=")[0].strip() for word in header.decode("latin-1").lower().split(",") if word.strip()}


async def send_page(page: CachedPage, scope: Scope, send: Send) -> None:
    """Send a cached page, or 304 Not Modified if the request's If-None-Match contains the page's ETag."""
    asked = b", ".join(value for name, value in scope["headers"] if name == b"if-none-match").decode("latin-1")
    tags = [tag.removeprefix("W/") for tag in parse_etags(asked)] if asked else []
    unchanged = page.etag in tags or "*" in tags
    headers = [pair for pair in page.headers if not unchanged or pair[0] in NOT_MODIFIED_HEADERS]
    status = HTTPStatus.NOT_MODIFIED if unchanged else HTTPStatus.OK
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": b"" if unchanged else page.body})


def _now() -> float:
    return asyncio.get_running_loop().time()
