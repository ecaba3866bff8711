"""Fan-out of live matches: per server process, one listener for each match and one fold for each perspective."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from weakref import WeakKeyDictionary

import structlog
from channels.layers import get_channel_layer
from django.db import Error, close_old_connections

from foundation.unavailable import Unavailable
from ftk_core.reel import Reel
from replays import meters
from replays.live.watchers import CHUNK, News, Perspective, Watcher, news_of
from replays.playing.pokes import group_of
from replays.projector import PROJECTOR

log = structlog.get_logger(__name__)
LOOK_SECONDS = 10.0
"""Polling interval of a live match without notifications: one may be lost."""
AGAIN_SECONDS = 0.5
"""Pause after an error of the database."""
BREATH = 64
"""Number of subscribers after which the loop yields to other tasks."""


async def reel_of(view: Perspective) -> Reel:
    """Update a view's reel from the log, in a thread: a long fold must not block the event loop."""
    return await asyncio.to_thread(_brought_up, view)


def _brought_up(view: Perspective) -> Reel:
    try:
        return PROJECTOR.reel(view.match_id, view.viewer, view.language)
    finally:
        close_old_connections()


class Hall:
    """Broadcast group: all subscribers of one match in one event loop."""

    def __init__(self, match_id: str) -> None:
        self._match_id = match_id
        self._rows: dict[Perspective, set[Watcher]] = {}
        self._poked = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def admit(self, watcher: Watcher, view: Perspective) -> None:
        """Subscribe a connection to a view."""
        self.dismiss(watcher)
        self._rows.setdefault(view, set()).add(watcher)
        if not self._tasks:
            self._tasks = [asyncio.create_task(work()) for work in (self._listen, self._look_on)]
            for task in self._tasks:
                task.add_done_callback(self._ended)

    def dismiss(self, watcher: Watcher) -> None:
        """Unsubscribe a connection."""
        for view in [view for view, row in self._rows.items() if watcher in row]:
            self._rows[view].discard(watcher)
            if not self._rows[view]:
                del self._rows[view]

    @property
    def empty(self) -> bool:
        """True without subscribers."""
        return not self._rows

    def close(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        self._tasks = []

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Disconnect all subscribers if a task failed; those that reconnect get a new group."""
        if task.cancelled() or task not in self._tasks:
            return
        log.error("hall_failed", match=self._match_id, exc_info=task.exception())
        self.close()
        for watcher in {watcher for row in self._rows.values() for watcher in row}:
            watcher.send_out()
        self._rows.clear()

    async def _listen(self) -> None:
        """Record each notification; those that arrive during a broadcast count as one."""
        layer = get_channel_layer()
        if layer is None:
            return
        channel, group = await layer.new_channel(), group_of(self._match_id)
        await layer.group_add(group, channel)
        try:
            self._poked.set()  # for notifications before the subscription
            while True:
                await layer.receive(channel)
                self._poked.set()
        finally:
            await layer.group_discard(group, channel)

    async def _look_on(self) -> None:
        """Send new frames after each notification, or after the polling interval."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._poked.wait(), LOOK_SECONDS)
            self._poked.clear()
            try:
                for view in list(self._rows):
                    await self._tell(view, await reel_of(view))
            except Unavailable as error:  # the requester was told; an archived match gets no new entries
                log.warning("hall_without", match=self._match_id, reason=str(error))
            except Error as error:  # the database is away for a moment: spectators need not notice
                log.warning("hall_waits", match=self._match_id, reason=str(error).strip())
                await asyncio.sleep(AGAIN_SECONDS)
                self._poked.set()

    async def _tell(self, view: Perspective, reel: Reel) -> None:
        """Send new frames to a view's subscribers: the same bytes to all at the same position."""
        news: dict[int, News] = {}
        row = list(self._rows.get(view, ()))
        for cursor in {watcher.cursor for watcher in row if _is_due(watcher, view, reel)}:
            news[cursor] = await asyncio.to_thread(news_of, view, reel, reel.span(cursor)[:CHUNK])
        written = 0
        for number, watcher in enumerate(row):
            if watcher.cursor in news and _is_due(watcher, view, reel):
                written += watcher.tell(news[watcher.cursor])
            if number % BREATH == BREATH - 1:
                await asyncio.sleep(0)
        meters.FRAMES.inc(written)


def _is_due(watcher: Watcher, view: Perspective, reel: Reel) -> bool:
    return not watcher.busy and watcher.view == view and watcher.cursor < reel.length - 1


_halls: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Hall]] = WeakKeyDictionary()


def admit(watcher: Watcher, view: Perspective) -> None:
    """Subscribe a connection to a view, from the frame that it was shown last."""
    halls = _halls.setdefault(asyncio.get_running_loop(), {})
    if view.match_id not in halls:
        halls[view.match_id] = Hall(view.match_id)
    halls[view.match_id].admit(watcher, view)


def dismiss(watcher: Watcher, match_id: str) -> None:
    """Unsubscribe a connection; the last one closes its broadcast group."""
    watcher.leave()
    halls = _halls.get(asyncio.get_running_loop(), {})
    hall = halls.get(match_id)
    if hall:
        hall.dismiss(watcher)
        if hall.empty:
            hall.close()
            del halls[match_id]
