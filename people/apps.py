"""Configuration of the Django app `people`."""

from __future__ import annotations

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Configuration of the app of accounts, roles and bans."""

    name = "people"

    def ready(self) -> None:
        """Register the signal receivers for sign-ins, languages and new passwords, and the tasks."""
        from people import (  # noqa: F401 - the imports connect the receivers, and register the tasks
            person_languages,
            sign_in_signal_receivers,
            tasks,
        )
