"""The app of the people."""

from __future__ import annotations

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Names the app."""

    name = "people"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Note every sign-in and the tongue of the first, and end what a new password ends."""
        from people import noting, tongues  # noqa: F401 - importing it connects it
