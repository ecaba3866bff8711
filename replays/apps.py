"""Django app of replays."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """App configuration that registers its kinds of work for workers."""

    name = "replays"
    default_auto_field = "django.db.models.BigAutoField"

    def import_models(self) -> None:
        """Also load the models in other modules than `models`."""
        super().import_models()
        import_module("replays.block_models")
        import_module("replays.failed_work_models")
        import_module("replays.review_models")
        import_module("replays.sum_models")
        import_module("replays.trace_models")

    def ready(self) -> None:
        """Register matches, audits and reviews as kinds of work."""
        from functools import partial

        from bots.turns import KINDS, Kind
        from people.leaving import on_export
        from replays import leaving, tasks
        from replays.models import SEATS, Match
        from replays.playing import leases
        from replays.reports import audit
        from replays.reviews import asking, turns, working

        on_export(leaving.belongings, self.name)
        for kind in Match.Kind.values:
            waiting = partial(lambda name: leases.waiting_for(name).count(), kind)
            take, some = partial(tasks.play_next, kind), partial(leases.waits, kind)
            KINDS[kind] = Kind(name=kind, waiting=waiting, take=take, some=some)
        KINDS[SEATS] = Kind(
            name=SEATS, waiting=lambda: len(leases.in_turn(SEATS)), take=partial(tasks.play_next, SEATS)
        )
        left = audit.select_not_audited(audit.select_ended())
        KINDS[tasks.AUDITS] = Kind(
            name=tasks.AUDITS, waiting=lambda: min(1, left.all().count()), take=tasks.audit_some, on_request=True
        )
        KINDS[asking.REVIEWS] = Kind(name=asking.REVIEWS, waiting=turns.count_waiting, take=working.review_next)
