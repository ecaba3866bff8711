"""Configuration of the Django app `notices`."""

from __future__ import annotations

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Configuration of the app of webhooks and notices."""

    name = "notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the Celery tasks and the app's part of a person's data export."""
        from notices import data_export, tasks  # noqa: F401 - importing registers the tasks' names
        from people.account_erasure import register_export

        register_export(data_export.export_notifications, self.name)
