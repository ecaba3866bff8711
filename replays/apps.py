"""The app of the replays."""

from __future__ import annotations

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """Names the app."""

    name = "replays"
    default_auto_field = "django.db.models.BigAutoField"
