"""The addresses of the sockets."""

from __future__ import annotations

from django.urls import path

from replays.consumers import MatchConsumer

websocket_urlpatterns = [path("ws/match/<slug:match_id>/", MatchConsumer.as_asgi())]
