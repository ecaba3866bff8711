"""Configuration of the Django app `notices`."""

from __future__ import annotations

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Configuration of the app."""

    name = "notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the tasks and the data export."""
        from notices import leaving, tasks  # noqa: F401 - importing registers the tasks' names
        from people.leaving import on_export

        on_export(leaving.belongings, self.name)
