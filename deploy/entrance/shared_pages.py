"""Pages that anonymous readers share for a second, and their ETags.

Each page is rendered once for all readers who request it within `GATE["shared_seconds"]` after its rendering began. A
request is anonymous if it has no Authorization and no cookie except language and theme. A response is shared if it is a
complete page that sets no cookie and is not private; any other is rendered for its reader alone. The pages are in the
memory of one process, so that another release of the software never shows them.
"""

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

from deploy.entrance.gate import App, Message, Receive, Scope, Send

MAX_PAGE_BYTES = 256 * 1024
MAX_TOTAL_BYTES = 8 * 1024 * 1024
NEVER_SHARED = ("/api/", "/staff/", "/metrics")
SHARED_TYPES = (b"text/html", b"text/calendar", b"application/atom+xml")
KEYED = {"accept-language", "cookie", "hx-request"}
"""Headers that a response may vary on: the key of a page covers them."""
PRIVATE = {"private", "no-store", "no-cache"}
IN_304 = {b"cache-control", b"content-language", b"etag", b"vary"}
THEMES = ("dark", "light")
Key = tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A rendered page."""

    headers: list[tuple[bytes, bytes]]
    body: bytes
    etag: str
    began: float
    """Start of its rendering, by the clock of the event loop."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A page that is being rendered; the future resolves to None if it cannot be shared."""

    began: float
    page: asyncio.Future[Page | None]

    def finish(self, page: Page | None) -> None:
        """Resolve the future for the waiting readers."""
        if not self.page.done():
            self.page.set_result(page)


class SharedPages:
    """ASGI middleware that answers anonymous readers from memory."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._pages: OrderedDict[Key, Page] = OrderedDict()
        self._drawings: dict[Key, Drawing] = {}
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a page rendered within the last second, or render it."""
        key = key_of(scope)
        if key is None:
            await self._app(scope, receive, send)
            return
        page = await self._find(key)
        if page is None:
            await self._draw(key, scope, receive, send)
        else:
            await answer(page, scope, send)

    async def _find(self, key: Key) -> Page | None:
        oldest = _now() - settings.GATE["shared_seconds"]
        page, drawing = self._pages.get(key), self._drawings.get(key)
        if page is not None and page.began > oldest:
            return page
        if drawing is not None and drawing.began > oldest:
            return await asyncio.shield(drawing.page)
        return None

    async def _draw(self, key: Key, scope: Scope, receive: Receive, send: Send) -> None:
        drawing = self._drawings[key] = Drawing(_now(), asyncio.get_running_loop().create_future())
        capture = Capture(drawing, send)
        try:
            await self._app(scope, receive, capture)
            if page := capture.page():
                self._keep(key, page)
                drawing.finish(page)
                await answer(page, scope, send)
        finally:
            drawing.finish(None)
            if self._drawings.get(key) is drawing:
                del self._drawings[key]

    def _keep(self, key: Key, page: Page) -> None:
        """Store a page, and drop old pages and those beyond the size limit."""
        if before := self._pages.pop(key, None):
            self._bytes -= len(before.body)
        self._pages[key] = page
        self._bytes += len(page.body)
        oldest = _now() - settings.GATE["shared_seconds"]
        while self._bytes > MAX_TOTAL_BYTES or next(iter(self._pages.values())).began < oldest:
            self._bytes -= len(self._pages.popitem(last=False)[1].body)
            if not self._pages:
                return


class Capture:
    """Buffer for a response that may be shared; any other response is passed on at once."""

    def __init__(self, drawing: Drawing, send: Send) -> None:
        self._drawing, self._send = drawing, send
        self._start: Message | None = None
        self._body = b""
        self._whole = False

    async def __call__(self, message: Message) -> None:
        """Process one ASGI message."""
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

    def page(self) -> Page | None:
        """Return the page, if it is complete and can be shared."""
        if self._start is None or not self._whole:
            return None
        etag = f'"{sha256(self._body).hexdigest()[:32]}"'
        headers = [(name.lower(), value) for name, value in self._start["headers"]]
        if not any(name == b"cache-control" for name, _ in headers):
            headers.append((b"cache-control", b"no-cache"))  # browsers store it and revalidate
        headers = [(name, value) for name, value in headers if name != b"etag"] + [(b"etag", etag.encode())]
        return Page(headers=headers, body=self._body, etag=etag, began=self._drawing.began)


def key_of(scope: Scope) -> Key | None:
    """Return everything that the page of an anonymous reader depends on; None if the request is not anonymous."""
    path: str = scope["path"]
    if scope["method"] != "GET" or not settings.GATE["shared_seconds"] or path.startswith(NEVER_SHARED):
        return None
    if path.startswith(settings.STATIC_URL):
        return None
    headers: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:  # joined as Django joins them
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
    """Return True if a response may be sent to every anonymous reader."""
    headers: dict[bytes, bytes] = {}
    for name, value in start["headers"]:
        headers[name.lower()] = value
    vary, control = _words(headers.get(b"vary", b"")), _words(headers.get(b"cache-control", b""))
    return (
        start["status"] == HTTPStatus.OK
        and headers.get(b"content-type", b"").startswith(SHARED_TYPES)
        and b"set-cookie" not in headers
        and vary <= KEYED
        and PRIVATE.isdisjoint(control)
    )


def _words(header: bytes) -> set[str]:
    """Return the directives of a header list, without their values."""
    return {word.partition("=")[0].strip() for word in header.decode("latin-1").lower().split(",") if word.strip()}


async def answer(page: Page, scope: Scope, send: Send) -> None:
    """Send a page, or 304 to a browser that has it."""
    asked = b", ".join(value for name, value in scope["headers"] if name == b"if-none-match").decode("latin-1")
    tags = [tag.removeprefix("W/") for tag in parse_etags(asked)] if asked else []
    unchanged = page.etag in tags or "*" in tags
    headers = [pair for pair in page.headers if not unchanged or pair[0] in IN_304]
    status = HTTPStatus.NOT_MODIFIED if unchanged else HTTPStatus.OK
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": b"" if unchanged else page.body})


def _now() -> float:
    return asyncio.get_running_loop().time()
