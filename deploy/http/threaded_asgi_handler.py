"""Django ASGI handler that runs middleware and view of a request in one thread call."""
# Django's own handler calls each synchronous middleware in a thread by itself, about 25 times a request. That took half
# of the processor time of a short response.

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, nullcontext
from typing import Any, cast
from weakref import WeakKeyDictionary

import structlog
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.security import SecurityMiddleware
from django.utils.http import parse_header_parameters
from servestatic.middleware import ServeStaticMiddleware

from deploy.http.health_probes import LIVENESS_PATH, READINESS_PATH

log = structlog.get_logger(__name__)
PROBES = {LIVENESS_PATH, READINESS_PATH}
"""Paths of the health probes, which do not wait for other requests."""
QUICK_REQUESTS = 2
"""Maximum number of requests that run at the same time: one computes while another waits for the database. With more,
the threads would compete for the interpreter lock, and all responses would be late."""
QUICK_SECONDS = 0.1
"""Seconds after which a running request no longer counts as one of `QUICK_REQUESTS`, so that it delays no others."""


class RequestQueue:
    """Queue that limits how many requests run at once."""

    # A request that has run for QUICK_SECONDS no longer counts, so that slow requests do not delay the others.

    def __init__(self) -> None:
        # by event loop, because several web servers may share the application, each in a thread of its own
        self._free = WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore]()

    @asynccontextmanager
    async def wait_for_turn(self) -> AsyncIterator[None]:
        """Wait until a request may start, and count it as running inside the `with` block."""
        loop = asyncio.get_running_loop()
        free = self._free.setdefault(loop, asyncio.Semaphore(QUICK_REQUESTS))
        await free.acquire()
        place = ExitStack()
        place.callback(free.release)
        timer = loop.call_later(QUICK_SECONDS, place.close)
        try:
            yield
        finally:
            timer.cancel()
            place.close()


class Utf8OnlyRequest(ASGIRequest):
    """Request whose body is always decoded as UTF-8, even if the client names another charset."""

    # Django would use any Python codec that a client names. Some produce surrogates, others are not for texts
    # and fail.

    def _set_content_type_params(self, meta: dict[str, str]) -> None:
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))


class ThreadedASGIHandler(ASGIHandler):
    """ASGI application that serves static files and runs views in a thread."""

    request_class = Utf8OnlyRequest

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002 - Django passes True
        """Load the middleware from `settings.MIDDLEWARE` in synchronous mode, with a limit on concurrent requests."""
        super().load_middleware(is_async=False)
        self._queue = RequestQueue()
        self._call = sync_to_async(self._respond_and_disconnect, thread_sensitive=True)
        self._static_files = ServeStaticMiddleware(self._wait_and_call)
        self._security = SecurityMiddleware(self.get_response)

    async def send_response(self, response: Any, send: Any) -> None:
        """Send a response. If that fails, log the error, and let Django end the request as it ends any other."""
        # Otherwise Django would leave the body's file open, and the database connection would never return to its pool.
        # Any error counts: of the server's transport, and of a view whose response is streamed.
        try:
            await super().send_response(response, send)
        except Exception:
            log.exception("response_not_sent", status=response.status_code)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Return a static file or the view's response, with security headers."""
        response = cast("HttpResponse", await self._static_files(request))
        return self._security.process_response(request, response)  # a view's response has these headers already

    async def _wait_and_call(self, request: HttpRequest) -> HttpResponseBase:
        async with self._queue.wait_for_turn() if request.path not in PROBES else nullcontext():
            return await self._call(request)

    def _respond_and_disconnect(self, request: HttpRequest) -> HttpResponseBase:
        # In the same thread, so that neither a slow client nor a cancelled request keeps the connection. The parts of
        # a streaming response may still query the database.
        response = self.get_response(request)
        if not response.streaming:
            close_old_connections()
        return response
