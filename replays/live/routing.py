"""WebSocket URLs."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from replays.live.consumers import MatchConsumer
from replays.live.seat_consumers import SeatConsumer

SEAT = "/seat"
"""Path of remote bots' connections."""


async def nowhere(_scope: Any, _receive: Any, send: Any) -> None:
    """Refuse a socket at an unknown path."""
    await send({"type": "websocket.close"})


websocket_urlpatterns = [path("ws/match/<slug:match_id>/", MatchConsumer.as_asgi()), re_path("", nowhere)]  # type: ignore[arg-type]  # Django knows views alone
seat_urlpatterns = [path("seat", SeatConsumer.as_asgi())]
