"""Configuration of the Django app `tournaments`."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """App configuration. At startup it registers callbacks of this app in other apps."""

    name = "tournaments"

    def import_models(self) -> None:
        """Import all models of the app."""
        # Django imports only `tournaments.models`, and that package does not import its own modules.
        super().import_models()
        import_module("tournaments.models.organiser_roles")
        import_module("tournaments.models.continuous_ladders")
        import_module("tournaments.models.challenges")
        import_module("tournaments.models.deviation_ratings")
        import_module("tournaments.models.series")
        import_module("tournaments.models.entry_question_answers")
        import_module("tournaments.models.league_templates")
        import_module("tournaments.models.league_logos")
        import_module("tournaments.models.predictions")
        import_module("tournaments.models.comments")
        import_module("tournaments.models.luck_measures")

    def ready(self) -> None:
        """Register functions of this app as callbacks of the apps `replays` and `people`."""
        from people.account_erasure import register_erasure, register_export
        from replays.match_access import SEE_ALL_PERMISSION, SEE_UNRELEASED_PERMISSION
        from tournaments import match_recording, personal_data_export, tasks  # noqa: F401 - tasks and receivers
        from tournaments.organisers import league_access_rights

        SEE_ALL_PERMISSION.append(league_access_rights.sees_hidden)
        SEE_UNRELEASED_PERMISSION.append(league_access_rights.sees_unreleased)
        register_export(personal_data_export.export_league_data, self.name)
        register_erasure(personal_data_export.erase_league_data, self.name)
