"""Closes sockets whose session has ended, because the person signed out or the token was revoked."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

import structlog
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.db import Error

from people.sessions import GROUP, alive

log = structlog.get_logger(__name__)
LOOK_SECONDS = 10.0
"""Interval of the check without a notification, because one may be lost."""
ENDED = 4401
"""Close code of a socket whose session has ended."""


class Vigil:
    """All signed-in sockets of one event loop."""

    def __init__(self) -> None:
        self._open: dict[str, set[asyncio.Future[None]]] = {}
        self._poked = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def join(self, key: str) -> asyncio.Future[None]:
        """Return a future that resolves when the session ends."""
        ended = asyncio.get_running_loop().create_future()
        self._open.setdefault(key, set()).add(ended)
        if not self._tasks:
            self._tasks = [asyncio.create_task(work()) for work in (self._listen, self._look)]
        return ended

    def leave(self, key: str, ended: asyncio.Future[None]) -> None:
        """Stop waiting for the end of a session; the last one stops the tasks."""
        ended.cancel()
        row = self._open.get(key, set())
        row.discard(ended)
        if not row:
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
        await layer.group_add(GROUP, channel)
        try:
            while True:
                self._poked.set()
                await layer.receive(channel)
        finally:
            await layer.group_discard(GROUP, channel)

    async def _look(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._poked.wait(), LOOK_SECONDS)
            self._poked.clear()
            asked = list(self._open)  # sessions that join meanwhile are not part of this query
            try:
                going = await database_sync_to_async(alive)(asked)
            except Error as error:  # the database is away for a moment: retry
                log.warning("vigil_waits", reason=str(error).strip())
                continue
            for key in set(asked) - going:
                for ended in self._open.get(key, ()):
                    if not ended.done():
                        ended.set_result(None)


_vigils: WeakKeyDictionary[asyncio.AbstractEventLoop, Vigil] = WeakKeyDictionary()


class WhileSignedIn:
    """Middleware after authentication that serves a socket while its session lasts."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a socket; one without a session belongs to nobody and stays open."""
        key = scope["session"].session_key if scope["user"].is_authenticated else None
        if key is None:
            await self._app(scope, receive, send)
            return
        vigil = _vigils.setdefault(asyncio.get_running_loop(), Vigil())
        ended, serving = vigil.join(key), asyncio.ensure_future(self._app(scope, receive, send))
        try:
            await asyncio.wait({ended, serving}, return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                await serving
                return
        finally:
            vigil.leave(key, ended)
            if not serving.done():
                serving.cancel()
                with suppress(asyncio.CancelledError):
                    await serving
        await send({"type": "websocket.close", "code": ENDED})
