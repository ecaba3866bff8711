"""The app of what is told outside."""

from __future__ import annotations

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Names the app."""

    name = "notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let workers find the tasks, and those who leave what is kept of them."""
        from notices import leaving, tasks  # noqa: F401 - whoever rings must know their names
        from people.leaving import on_export

        on_export(leaving.belongings, self.name)
