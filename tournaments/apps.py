"""Django app of the tournaments."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """App configuration that connects leagues to the end of matches."""

    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def import_models(self) -> None:
        """Also load the models in other modules than `models`."""
        super().import_models()
        import_module("tournaments.roles")
        import_module("tournaments.bout_models")
        import_module("tournaments.challenge_models")
        import_module("tournaments.deviation_models")

    def ready(self) -> None:
        """Connect the end of a match to its league, and the access rules of leagues to replays."""
        from people.leaving import on_export
        from replays.access import SEE_ALL, SEE_UNRELEASED
        from replays.playing.signals import match_ended
        from tournaments import leaving, recording, rights, tasks  # noqa: F401 - whoever rings must know their names

        def report(match_id: str, **_kwargs: object) -> None:
            recording.heard(match_id)

        match_ended.connect(report, weak=False, dispatch_uid="tournaments.record")
        SEE_ALL.append(rights.sees_hidden)
        SEE_UNRELEASED.append(rights.sees_unreleased)
        on_export(leaving.belongings, self.name)
