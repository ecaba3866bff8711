"""The app of the bots."""

from __future__ import annotations

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """Names the app."""

    name = "bots"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the checks."""
        from bots import checks  # noqa: F401
