"""Configuration of the Django app `people`."""

from __future__ import annotations

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Configuration of the app."""

    name = "people"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the receivers for sign-ins, languages and new passwords."""
        from people import noting, tongues  # noqa: F401 - importing it connects it
