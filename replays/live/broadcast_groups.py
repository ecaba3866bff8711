"""Fan-out of live matches to spectators."""
# A process listens once per match, and computes each message once for all spectators with the same view.

from __future__ import annotations

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import cache
from weakref import WeakKeyDictionary

import structlog
from channels.layers import get_channel_layer
from django.db import Error, close_old_connections

from foundation.storage_errors import StorageUnavailable
from ftk_core.facts import Viewer
from ftk_core.log_entries import stream_of
from ftk_core.match_replay_frames import MatchFrames
from ftk_core.plugins import MissingPluginError
from replays import metrics
from replays.event_stream_storage import is_archived
from replays.live.spectator_sockets import (
    FAILED,
    MAX_FRAMES_PER_MESSAGE,
    RIGHTS_ENDED,
    MatchSubscriptionKey,
    SpectatorSocket,
    SpectatorUpdate,
    encode_update,
)
from replays.match_access import find_forbidden_views
from replays.playing.spectator_notifications import match_group
from replays.replay_frame_cache import REEL_CACHE

log = structlog.get_logger(__name__)
POLL_SECONDS = 10.0
"""Seconds until a live match is read again without a notification, as notifications can be lost."""
RIGHTS_SECONDS = 10.0
"""Minimum interval in seconds between two checks that the subscribers may still see their views."""
RETRY_SECONDS = 0.5
"""Pause in seconds after a database error."""
SUBSCRIBERS_PER_YIELD = 64
"""Number of subscribers served before a broadcast yields to other tasks of the event loop."""
ARCHIVE_THREADS = 4
"""Number of threads of a process that read archived matches for spectators."""


@cache
def _archive_threads(_process_id: int) -> ThreadPoolExecutor:
    """Return the threads of a process for reads of the archive, which may take seconds."""
    # They have a pool of their own, because live matches and the relay of remote bots wait for the default pool. A
    # forked process needs a new pool, because threads do not survive a fork.
    return ThreadPoolExecutor(ARCHIVE_THREADS, "archived-matches")


async def read_reel(view: MatchSubscriptionKey) -> MatchFrames:
    """Return all frames of a match for one viewer. A frame is the game's state after a log entry."""
    # Computed in a thread, so that the event loop is not blocked.
    if REEL_CACHE.has_frames(view.match_id, view.viewer, view.language) or not await asyncio.to_thread(_archived, view):
        return await asyncio.to_thread(_updated_reel, view)
    threads, context = _archive_threads(os.getpid()), copy_context()
    return await asyncio.get_running_loop().run_in_executor(threads, context.run, _updated_reel, view)


def _archived(view: MatchSubscriptionKey) -> bool:
    try:
        return is_archived(stream_of(view.match_id))
    finally:
        close_old_connections()


def _updated_reel(view: MatchSubscriptionKey) -> MatchFrames:
    try:
        return REEL_CACHE.reel(view.match_id, view.viewer, view.language)
    finally:
        close_old_connections()


class BroadcastGroup:
    """All subscribers of one match in one event loop, and the tasks that send them new frames."""

    def __init__(self, match_id: str) -> None:
        self._match_id = match_id
        self._rows: dict[MatchSubscriptionKey, set[SpectatorSocket]] = {}
        self._poked = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._rights_checked = time.monotonic()

    def add_subscriber(self, watcher: SpectatorSocket, view: MatchSubscriptionKey) -> None:
        """Subscribe a spectator's socket to the match, with the viewer and the language of the key `view`."""
        # This ends an earlier subscription of the socket.
        self.remove_subscriber(watcher)
        self._rows.setdefault(view, set()).add(watcher)
        if not self._tasks:
            self._tasks = [asyncio.create_task(work()) for work in (self._listen, self._broadcast_repeatedly)]
            for task in self._tasks:
                task.add_done_callback(self._close_after_failure)

    def remove_subscriber(self, watcher: SpectatorSocket) -> None:
        """Unsubscribe a connection from the match."""
        for view in [view for view, row in self._rows.items() if watcher in row]:
            self._rows[view].discard(watcher)
            if not self._rows[view]:
                del self._rows[view]

    @property
    def empty(self) -> bool:
        """True if the group has no subscribers."""
        return not self._rows

    def close(self) -> None:
        """Stop the group's two tasks, which listen for notifications and send frames."""
        for task in self._tasks:
            task.cancel()
        self._tasks = []

    def _close_after_failure(self, task: asyncio.Task[None]) -> None:
        """Disconnect all subscribers if a task of the group failed."""
        # A subscriber that reconnects gets a new group.
        if task.cancelled() or task not in self._tasks:
            return
        log.error("broadcast_failed", match=self._match_id, exc_info=task.exception())
        self.close()
        for watcher in {watcher for row in self._rows.values() for watcher in row}:
            watcher.close_when_idle(FAILED)
        self._rows.clear()

    async def _listen(self) -> None:
        """Wake the sending task at each notification of the match."""
        # Notifications during a broadcast count as one.
        layer = get_channel_layer()
        if layer is None:
            return
        channel, group = await layer.new_channel(), match_group(self._match_id)
        await layer.group_add(group, channel)
        try:
            self._poked.set()  # in case a notification came before the subscription
            while True:
                await layer.receive(channel)
                self._poked.set()
        finally:
            await layer.group_discard(group, channel)

    async def _broadcast_repeatedly(self) -> None:
        """Send new frames to all subscribers after each notification, or after `POLL_SECONDS`."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._poked.wait(), POLL_SECONDS)
            self._poked.clear()
            try:
                await self._close_forbidden()
                for view in list(self._rows):
                    await self._broadcast(view, await read_reel(view))
            # an archived match gets no new entries, and the spectators learn of a missing plug-in from their request
            except (StorageUnavailable, MissingPluginError) as error:
                log.warning("broadcast_log_unreadable", match=self._match_id, reason=str(error))
            except Error as error:  # a short outage of the database, which spectators need not notice
                log.warning("broadcast_waits", match=self._match_id, reason=str(error).strip())
                await asyncio.sleep(RETRY_SECONDS)
                self._poked.set()

    async def _close_forbidden(self) -> None:
        """Close the sockets of users who have lost the right to see the match."""
        # For example, a user may have left the team whose members alone may see the match from their bot's seat.
        if time.monotonic() - self._rights_checked < RIGHTS_SECONDS:
            return
        self._rights_checked = time.monotonic()
        views = {(view.viewer, watcher.user_id) for view, row in self._rows.items() for watcher in row}
        forbidden = await asyncio.to_thread(_find_forbidden, self._match_id, views)
        for view, row in list(self._rows.items()):
            for watcher in [watcher for watcher in row if (view.viewer, watcher.user_id) in forbidden]:
                self.remove_subscriber(watcher)
                watcher.leave()
                watcher.close_when_idle(RIGHTS_ENDED)

    async def _broadcast(self, view: MatchSubscriptionKey, reel: MatchFrames) -> None:
        """Send new frames to the subscribers of `view` that have not received them."""
        # A message is encoded once for all subscribers that lack the same frames.
        news: dict[int, SpectatorUpdate] = {}
        row = list(self._rows.get(view, ()))
        for cursor in {watcher.cursor for watcher in row if _is_due(watcher, view, reel)}:
            news[cursor] = await asyncio.to_thread(
                encode_update, view, reel, reel.span(cursor)[:MAX_FRAMES_PER_MESSAGE]
            )
        written = 0
        for number, watcher in enumerate(row):
            if watcher.cursor in news and _is_due(watcher, view, reel):
                written += watcher.send_update(news[watcher.cursor])
            if number % SUBSCRIBERS_PER_YIELD == SUBSCRIBERS_PER_YIELD - 1:
                await asyncio.sleep(0)
        metrics.FRAMES.inc(written)


def _find_forbidden(match_id: str, views: set[tuple[Viewer, int | None]]) -> set[tuple[Viewer, int | None]]:
    try:
        return find_forbidden_views(match_id, views)
    finally:
        close_old_connections()


def _is_due(watcher: SpectatorSocket, view: MatchSubscriptionKey, reel: MatchFrames) -> bool:
    return not watcher.busy and watcher.view == view and watcher.cursor < reel.length - 1


_groups: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, BroadcastGroup]] = WeakKeyDictionary()


def subscribe(watcher: SpectatorSocket, view: MatchSubscriptionKey) -> None:
    """Subscribe a spectator's socket to a match, with the viewer and the language of the key `view`."""
    groups = _groups.setdefault(asyncio.get_running_loop(), {})
    if view.match_id not in groups:
        groups[view.match_id] = BroadcastGroup(view.match_id)
    groups[view.match_id].add_subscriber(watcher, view)


def unsubscribe(watcher: SpectatorSocket, match_id: str) -> None:
    """Unsubscribe a connection from a match, and close the match's broadcast group if no subscriber is left."""
    watcher.leave()
    groups = _groups.get(asyncio.get_running_loop(), {})
    group = groups.get(match_id)
    if group:
        group.remove_subscriber(watcher)
        if group.empty:
            group.close()
            del groups[match_id]
