"""The door of the watchers: opening, catching up, seeking and reconnecting are one request."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import msgspec
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from ftk_core.facts import PUBLIC, Viewer
from replays.access import EyesClosed, UnknownEyes, check_eyes, viewer_of
from replays.gallery import Reel
from replays.models import Match
from replays.pokes import group_of
from replays.projector import PROJECTOR

BAD_MESSAGE, EYES_CLOSED, NO_MATCH = 4400, 4403, 4404
MESSAGE_BYTES = 1024
CHUNK = 128
"""As many frames go into one message."""


class Watch(msgspec.Struct, forbid_unknown_fields=True, tag="watch", tag_field="type"):
    """What a watcher asks for."""

    eyes: str = "public"
    after: int = -1
    until: int | None = None
    language: Literal["en", "zh-Hant"] = "en"


_watches = msgspec.json.Decoder(Watch)


class MatchConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels ships no types
    """Streams one match's frames to one watcher, each no earlier than it is durable."""

    match_id: str
    group: str | None = None
    viewer: Viewer = PUBLIC
    language = "en"
    eyes = "public"
    cursor: int | None = None
    """The last entry sent of what goes on growing; None before the first open-ended request."""

    async def connect(self) -> None:
        """Accept a watcher of a match that exists."""
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        await self.accept()
        if not await database_sync_to_async(Match.objects.filter(pk=self.match_id).exists)():
            await self.close(NO_MATCH)
            return
        self.group = group_of(self.match_id)
        await self.channel_layer.group_add(self.group, self.channel_name)

    async def disconnect(self, _code: int) -> None:
        """Stop listening."""
        if self.group:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:  # noqa: ARG002 - channels calls it so
        """Answer a `watch`; anything else closes the socket with a named code."""
        if text_data is None or len(text_data) > MESSAGE_BYTES:
            await self.close(BAD_MESSAGE)
            return
        try:
            watch = _watches.decode(text_data)
        except msgspec.MsgspecError:
            await self.close(BAD_MESSAGE)
            return
        try:
            reel = await self._open(watch)
        except UnknownEyes as error:
            await self._refuse("unknown_eyes", str(error))
        except EyesClosed as error:
            await self._refuse("eyes_closed", str(error))
        else:
            if watch.until is None:
                self.cursor = max(watch.after, reel.last_at)
            await self._send(reel, reel.span(watch.after, watch.until), whole=True)

    async def _open(self, watch: Watch) -> Reel:
        user = self.scope.get("user")
        viewer = await database_sync_to_async(_allowed)(self.match_id, watch.eyes, getattr(user, "pk", None))
        self.viewer, self.eyes, self.language = viewer, watch.eyes, watch.language
        return await self._reel()

    async def _reel(self) -> Reel:
        reel: Reel = await database_sync_to_async(PROJECTOR.reel)(self.match_id, self.viewer, self.language)
        return reel

    async def poke(self, _message: dict[str, Any]) -> None:
        """Send what is new to this watcher; a poke too many finds nothing."""
        if self.cursor is None:
            return
        reel = await self._reel()
        span = reel.span(self.cursor)
        self.cursor = max(self.cursor, reel.last_at)
        if span or reel.ended:
            await self._send(reel, span, whole=False)

    async def _send(self, reel: Reel, span: range, *, whole: bool) -> None:
        """Send frames in messages, the first picture by itself, as it is what somebody waits for."""
        tail = encode_tail(self.eyes, reel)
        first = span[:1] if whole else span[:0]
        rest = span[len(first) :]
        parts = [first] if first else []
        parts += [rest[start : start + CHUNK] for start in range(0, len(rest), CHUNK)]
        for part in parts or [span]:
            # drawn in a thread: the loop serves other watchers meanwhile
            frames = await asyncio.to_thread(reel.frames, part, whole=whole and part is first)
            await self.send(text_data=(b'{"type":"frames","frames":[' + b",".join(frames) + b"]," + tail).decode())

    async def _refuse(self, code: str, detail: str) -> None:
        message = {"type": "refused", "code": code, "detail": detail}
        await self.send(text_data=msgspec.json.encode(message).decode())


def encode_tail(eyes: str, reel: Reel) -> bytes:
    """Return the rest of a frames message: whose eyes, how long the log is, whether it may still grow."""
    return msgspec.json.encode({"eyes": eyes, "length": reel.length, "open": not reel.ended})[1:]


def _allowed(match_id: str, eyes: str, user_id: int | None) -> Viewer:
    match = Match.objects.get(pk=match_id)
    viewer = viewer_of(eyes, match.seats.count())
    check_eyes(match, viewer, user_id)
    return viewer
