"""WebSocket consumer that sends spectators the states of a match (frames)."""
# A client requests frames by number, whether it opens a match, jumps to a frame or reconnects.

from __future__ import annotations

import time
from typing import Any

import msgspec
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import translation

from foundation.response_language import CODES
from foundation.storage_errors import StorageUnavailable
from ftk_core.facts import Viewer
from ftk_core.plugins import MissingPluginError
from ftk_core.views.replay_frame_messages import SpectatorFramesRequest
from replays import metrics
from replays.live.broadcast_groups import read_reel, subscribe, unsubscribe
from replays.live.spectator_sockets import FRAMED, MatchSubscriptionKey, SpectatorSocket, write_nothing
from replays.match_access import InvalidViewpointError, MatchViewForbiddenError, admitted_viewer
from replays.models import Match

BAD_MESSAGE, NO_MATCH, TOO_MANY = 4400, 4404, 4429
MESSAGE_BYTES = 1024
MAX_WATCH_BURST, WATCHES_PER_SECOND = 100, 2
"""Maximum number of requests for frames at once, and how many more a socket may send per second. A viewer sends one
when it connects and one for each change of the eyes or the language."""


_watches = msgspec.json.Decoder(SpectatorFramesRequest)


class SpectatorConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels ships no types
    """WebSocket that sends one spectator the states of a match as soon as they are stored."""

    channel_layer_alias = "none"
    """Name of a channel layer that does not exist, so that Channels starts no listener for each connection.

    Instead, a `BroadcastGroup` listens once for all spectators of a match.
    """
    match_id: str
    watcher: SpectatorSocket
    _allowance, _counted_at = float(MAX_WATCH_BURST), 0.0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket, and unsubscribe it at the end."""
        self.match_id = scope["url_route"]["kwargs"]["match_id"]
        told = {"type": "websocket.send"}
        write = scope.get("extensions", {}).get(FRAMED, write_nothing)
        user_id = getattr(scope.get("user"), "pk", None)
        self.watcher = SpectatorSocket(lambda text: send({**told, "text": text}), self.close, write, user_id)
        try:
            with metrics.SUBSCRIBERS.track_inprogress():
                await super().__call__(scope, receive, send)
        finally:
            unsubscribe(self.watcher, self.match_id)

    async def connect(self) -> None:
        """Accept the socket; close it with `NO_MATCH` if the match does not exist."""
        await self.accept()
        if not await database_sync_to_async(Match.objects.filter(pk=self.match_id).exists)():
            await self.close(NO_MATCH)

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        """Unsubscribe the socket and close it."""
        unsubscribe(self.watcher, self.match_id)
        await super().close(code, reason)

    # Channels passes `bytes_data` by name.
    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:  # noqa: ARG002
        """Answer a `watch` request; close the socket after another message (`BAD_MESSAGE`) or too many (`TOO_MANY`)."""
        if self._is_flooded(time.monotonic()):
            await self.close(TOO_MANY)
            return
        if text_data is None or len(text_data) > MESSAGE_BYTES:
            await self.close(BAD_MESSAGE)
            return
        try:
            watch = _watches.decode(text_data)
        except msgspec.MsgspecError:
            await self.close(BAD_MESSAGE)
            return
        try:
            await self._answer(watch)
        except InvalidViewpointError as error:
            await self._refuse("unknown_eyes", str(error))
        except MatchViewForbiddenError as error:
            await self._refuse("eyes_closed", str(error))
        except Match.DoesNotExist:  # unknown from the beginning, or erased since
            await self.close(NO_MATCH)
        except (StorageUnavailable, MissingPluginError) as error:
            unsubscribe(self.watcher, self.match_id)
            code = error.code if isinstance(error, StorageUnavailable) else "missing_plugin"
            await self._refuse(code, str(error))

    def _is_flooded(self, now: float) -> bool:
        refill = (now - self._counted_at) * WATCHES_PER_SECOND
        self._allowance, self._counted_at = min(MAX_WATCH_BURST, self._allowance + refill) - 1, now
        return self._allowance < 0

    async def _answer(self, watch: SpectatorFramesRequest) -> None:
        viewer = await database_sync_to_async(self._viewer)(watch)
        view = MatchSubscriptionKey(self.match_id, viewer, watch.eyes, watch.language)
        if watch.until is None:
            subscribe(self.watcher, view)  # before the log is read, so that no entry is missed
        await self.watcher.answer(view, await read_reel(view), watch.after, watch.until)

    def _viewer(self, watch: SpectatorFramesRequest) -> Viewer:
        """Return the viewpoint that a spectator requests.

        Raises InvalidViewpointError for an unknown viewpoint, or MatchViewForbiddenError for a forbidden one.
        """
        with translation.override(CODES.get(watch.language, "en")):
            return admitted_viewer(self.match_id, watch.eyes, self.watcher.user_id)[1]

    async def _refuse(self, code: str, detail: str) -> None:
        message = {"type": "refused", "code": code, "detail": detail}
        await self.send(text_data=msgspec.json.encode(message).decode())
