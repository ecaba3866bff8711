"""Settings of drf-spectacular. Django's settings import this module, so it must not import rest_framework."""

from __future__ import annotations

from typing import Any

SETTINGS: dict[str, Any] = {
    "TITLE": "Arena",
    "DESCRIPTION": "Upload bots, follow leagues, fetch matches.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "deploy.openapi_postprocessing.complete_schema",
    ],
    "ENUM_NAME_OVERRIDES": {
        "BotKindEnum": "bots.models.Bot.Kind",
        "BotStatusEnum": "bots.models.BotVersion.Status",
        "LeagueStatusEnum": "tournaments.models.League.Status",
        "MatchStatusEnum": "replays.models.Match.Status",
    },
}
