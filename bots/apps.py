"""Configuration of the Django app `bots`."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.core.exceptions import ImproperlyConfigured


class BotsConfig(AppConfig):
    """Configuration of the app."""

    name = "bots"
    default_auto_field = "django.db.models.BigAutoField"

    def import_models(self) -> None:
        """Load the models in further modules, too."""
        super().import_models()
        import_module("bots.trace_models")
        import_module("bots.team_models")
        import_module("bots.build_models")

    def ready(self) -> None:
        """Register the checks, the trial jobs, and the handlers for data export and account deletion."""
        from rest_framework.views import APIView

        from bots import checks, leaving, scopes, services, tasks, trials, turns  # noqa: F401 - importing them registers them
        from people.leaving import on_departure, on_export

        if scopes.InScope not in APIView.permission_classes:
            raise ImproperlyConfigured(
                "no REST door is guarded: rest_framework was read before the settings, by something that they import"
            )
        turns.KINDS[trials.KIND] = turns.Kind(
            name=trials.KIND, waiting=lambda: trials.free().count(), take=services.try_next
        )
        on_export(leaving.belongings, self.name)
        on_departure(leaving.hand_over, self.name)
