"""Watchdog that closes a WebSocket when its user signs out or the session ends."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

import structlog
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.db import Error

from people.login_sessions import SESSIONS_GROUP, list_active_keys

log = structlog.get_logger(__name__)
CHECK_SECONDS = 10.0
"""Interval at which sessions are checked even without a notification, because a notification may be lost."""
SESSION_ENDED_CODE = 4401
"""Close code of a WebSocket whose session has ended."""


class SessionWatchdog:
    """Watchdog over the Django sessions of all authenticated WebSockets in one event loop."""

    def __init__(self) -> None:
        self._open: dict[str, set[asyncio.Future[None]]] = {}
        self._notified = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def watch(self, key: str) -> asyncio.Future[None]:
        """Return a future that resolves when the Django session with this key ends."""
        ended = asyncio.get_running_loop().create_future()
        self._open.setdefault(key, set()).add(ended)
        if not self._tasks:
            self._tasks = [asyncio.create_task(work()) for work in (self._listen, self._check_sessions)]
        return ended

    def stop_watching(self, key: str, ended: asyncio.Future[None]) -> None:
        """Cancel a future returned by `watch`; stop the background tasks when no WebSocket is watched any more."""
        ended.cancel()
        waiting = self._open.get(key, set())
        waiting.discard(ended)
        if not waiting:
            self._open.pop(key, None)
        if not self._open:
            for task in self._tasks:
                task.cancel()
            self._tasks = []

    async def _listen(self) -> None:
        layer = get_channel_layer()
        if layer is None:
            return
        channel = await layer.new_channel()
        await layer.group_add(SESSIONS_GROUP, channel)
        try:
            while True:
                self._notified.set()
                await layer.receive(channel)
        finally:
            await layer.group_discard(SESSIONS_GROUP, channel)

    async def _check_sessions(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._notified.wait(), CHECK_SECONDS)
            self._notified.clear()
            session_keys = list(self._open)  # a copy, because WebSockets may be added during the query
            try:
                alive_keys = await database_sync_to_async(list_active_keys)(session_keys)
            except Error as error:  # retry: the database may be unreachable for a moment
                log.warning("session_watchdog_waits", reason=str(error).strip())
                continue
            for key in set(session_keys) - alive_keys:
                for ended in self._open.get(key, ()):
                    if not ended.done():
                        ended.set_result(None)


_watchdogs: WeakKeyDictionary[asyncio.AbstractEventLoop, SessionWatchdog] = WeakKeyDictionary()


class WebSocketSessionEndMiddleware:
    """ASGI middleware that closes a WebSocket when the Django session of its signed-in user ends."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a WebSocket, and close it when its user's session ends."""
        key = scope["session"].session_key if scope["user"].is_authenticated else None
        if key is None:
            await self._app(scope, receive, send)
            return
        watchdog = _watchdogs.setdefault(asyncio.get_running_loop(), SessionWatchdog())
        ended, serving = watchdog.watch(key), asyncio.ensure_future(self._app(scope, receive, send))
        try:
            await asyncio.wait({ended, serving}, return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                await serving
                return
        finally:
            watchdog.stop_watching(key, ended)
            if not serving.done():
                serving.cancel()
                with suppress(asyncio.CancelledError):
                    await serving
        await send({"type": "websocket.close", "code": SESSION_ENDED_CODE})
