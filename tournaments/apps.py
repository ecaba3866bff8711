"""The app of the tournaments."""

from __future__ import annotations

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Listens for matches that end."""

    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the end of a match to its league."""
        from foundation.doorbell import ring
        from people.leaving import on_export
        from replays.playing.signals import match_ended
        from tournaments import leaving, tasks  # noqa: F401 - whoever rings must know their names

        def report(match_id: str, **_kwargs: object) -> None:
            ring("tournaments.record", match_id)

        match_ended.connect(report, weak=False, dispatch_uid="tournaments.record")
        on_export(leaving.belongings, self.name)
