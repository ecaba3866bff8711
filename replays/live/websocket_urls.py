"""URL patterns of WebSockets, for spectators and for remote bots."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from replays.live.remote_bot_consumer import RemoteBotConsumer
from replays.live.spectator_consumer import SpectatorConsumer

REMOTE_BOT_PATH = "/seat"
"""URL path where remote bots connect."""


async def refuse_unknown_path(_scope: Any, _receive: Any, send: Any) -> None:
    """Refuse a WebSocket connection to an unknown path."""
    await send({"type": "websocket.close"})


websocket_urlpatterns = [
    path("ws/match/<slug:match_id>/", SpectatorConsumer.as_asgi()),
    re_path("", refuse_unknown_path),  # type: ignore[arg-type]  # the types of Django allow views only
]
seat_urlpatterns = [path("seat", RemoteBotConsumer.as_asgi())]
