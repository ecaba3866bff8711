"""URL patterns under ``/api/v1/``: tokens, the games, the programming languages and the server's version."""

from __future__ import annotations

from django.urls import path

from bots.api.games import GameSchemaView, GamesView
from bots.api.server_version_and_languages import ProgrammingLanguagesView, ServerVersionView
from bots.api.tokens import CurrentTokenView, DeviceAuthorizationView, DeviceTokenView

urlpatterns = [
    path("device/", DeviceAuthorizationView.as_view(), name="device-code"),
    path("device/token/", DeviceTokenView.as_view(), name="device-token"),
    path("games/", GamesView.as_view(), name="games"),
    path("games/<slug:name>/schema/", GameSchemaView.as_view(), name="game-schema"),
    path("languages/", ProgrammingLanguagesView.as_view(), name="languages"),
    path("token/", CurrentTokenView.as_view(), name="token"),
    path("version/", ServerVersionView.as_view(), name="version"),
]
