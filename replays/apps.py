"""Configuration of the Django app `replays`."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """Configuration of the app `replays`."""

    name = "replays"

    def import_models(self) -> None:
        """Import the app's models, including those in modules that Django does not import by itself."""
        super().import_models()
        import_module("replays.models.archive_blocks")
        import_module("replays.models.failed_background_work")
        import_module("replays.models.reviews")
        import_module("replays.models.remote_bot_presences")
        import_module("replays.models.seat_result_sums")
        import_module("replays.models.match_trace_contexts")

    def ready(self) -> None:
        """Register the app's kinds of jobs (matches, audits, reviews), its data export and its data erasure."""
        from functools import partial

        from bots.jobs.fair_job_scheduling import KINDS, JobKind
        from replays import tasks
        from replays.models import SEATS, Match
        from replays.playing import match_leases
        from replays.playing.match_django_signals import match_ended
        from replays.reports import match_audits
        from replays.reviews import review_computation, review_requests, review_scheduling

        self._register_personal_data()
        for kind in Match.Kind.values:
            KINDS[kind] = JobKind(
                name=kind,
                count_waiting=partial(match_leases.count_supported, kind),
                count_playable=partial(match_leases.count_playable, kind),
                run_next=partial(tasks.play_next, kind),
                has_waiting=partial(match_leases.has_waiting, kind),
            )
        KINDS[SEATS] = JobKind(
            name=SEATS,
            count_waiting=partial(match_leases.count_supported, SEATS),
            count_playable=partial(match_leases.count_playable, SEATS),
            run_next=partial(tasks.play_next, SEATS),
        )
        left = match_audits.select_not_audited(match_audits.select_ended())
        KINDS[tasks.AUDITS] = JobKind(
            name=tasks.AUDITS,
            count_waiting=lambda: min(1, left.all().count()),
            run_next=tasks.run_audit_job,
            on_request=True,
        )
        match_ended.connect(review_requests.request_for_people, dispatch_uid="replays.reviews")
        KINDS[review_requests.REVIEW_KIND] = JobKind(
            name=review_requests.REVIEW_KIND,
            count_waiting=review_scheduling.count_waiting,
            run_next=review_computation.review_next,
        )

    def _register_personal_data(self) -> None:
        from bots.personal_data_export import bots_transferred
        from people.account_erasure import register_export
        from replays.human_play.questions_to_humans import resume_matches_of_erased_people
        from replays.personal_data_export import export_matches
        from replays.private_bot_diagnostics import erase_texts_of_bots

        register_export(export_matches, self.name)
        bots_transferred.connect(erase_texts_of_bots, dispatch_uid="replays.private_bot_diagnostics")
        bots_transferred.connect(resume_matches_of_erased_people, dispatch_uid="replays.questions_to_humans")
