"""WebSocket consumer of spectators: opening, catching up, seeking and reconnecting are one request."""

from __future__ import annotations

from typing import Any

import msgspec
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import translation

from foundation.tongues import CODES
from foundation.unavailable import Unavailable
from ftk_core.facts import Viewer
from ftk_core.reel import Watch
from replays import meters
from replays.access import EyesClosed, UnknownEyes, admitted
from replays.live.halls import admit, dismiss, reel_of
from replays.live.watchers import FRAMED, Perspective, Watcher, never
from replays.models import Match

BAD_MESSAGE, NO_MATCH, FAILED = 4400, 4404, 4500
MESSAGE_BYTES = 1024


_watches = msgspec.json.Decoder(Watch)


class MatchConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels ships no types
    """Streams one match's frames to one spectator, each only once it is durable."""

    channel_layer_alias = "none"
    """The broadcast group receives the notifications, once for all its subscribers."""
    match_id: str
    watcher: Watcher

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a socket and unsubscribe it at the end."""
        self.match_id = scope["url_route"]["kwargs"]["match_id"]
        told = {"type": "websocket.send"}
        write = scope.get("extensions", {}).get(FRAMED, never)
        self.watcher = Watcher(lambda text: send({**told, "text": text}), lambda: self.close(FAILED), write)
        try:
            with meters.WATCHERS.track_inprogress():
                await super().__call__(scope, receive, send)
        finally:
            dismiss(self.watcher, self.match_id)

    async def connect(self) -> None:
        """Accept a subscriber of a match that exists."""
        await self.accept()
        if not await database_sync_to_async(Match.objects.filter(pk=self.match_id).exists)():
            await self.close(NO_MATCH)

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        """Close the socket and unsubscribe it."""
        dismiss(self.watcher, self.match_id)
        await super().close(code, reason)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:  # noqa: ARG002 - channels calls it so
        """Answer a `watch` message; any other closes the socket with a specific code."""
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
        except UnknownEyes as error:
            await self._refuse("unknown_eyes", str(error))
        except EyesClosed as error:
            await self._refuse("eyes_closed", str(error))
        except Unavailable as error:
            dismiss(self.watcher, self.match_id)
            await self._refuse(error.code, str(error))

    async def _answer(self, watch: Watch) -> None:
        viewer = await database_sync_to_async(self._viewer)(watch)
        view = Perspective(self.match_id, viewer, watch.eyes, watch.language)
        if watch.until is None:
            admit(self.watcher, view)  # before the log is read, so that later entries are sent
        await self.watcher.answer(view, await reel_of(view), watch.after, watch.until)

    def _viewer(self, watch: Watch) -> Viewer:
        """Return the viewer of a request; raises UnknownEyes or EyesClosed, in the spectator's language."""
        with translation.override(CODES.get(watch.language, "en")):
            return admitted(self.match_id, watch.eyes, getattr(self.scope.get("user"), "pk", None))[1]

    async def _refuse(self, code: str, detail: str) -> None:
        message = {"type": "refused", "code": code, "detail": detail}
        await self.send(text_data=msgspec.json.encode(message).decode())
