"""Configuration of the Django app `bots`."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.core.exceptions import ImproperlyConfigured


class BotsConfig(AppConfig):
    """Configuration of the app `bots`."""

    name = "bots"

    def import_models(self) -> None:
        """Import the app's models, including those in modules that Django does not import by itself."""
        super().import_models()
        import_module("bots.models.bot_version_trace_contexts")
        import_module("bots.models.teams")
        import_module("bots.models.worker_reports_and_usage")
        import_module("bots.models.compiled_bot_programs")

    def ready(self) -> None:
        """Register this app's checks, tasks and callbacks.

        Raises ImproperlyConfigured if the REST API does not check token scopes.
        """
        from rest_framework.views import APIView

        from bots import (  # noqa: F401 - importing checks and tasks registers them
            personal_data_export,
            sandbox_settings,
            sandbox_system_checks,
            services,
            tasks,
            worker_sandbox_report_queries,
        )
        from bots.api import token_scope_permissions
        from bots.jobs import fair_job_scheduling as job_scheduling, trial_match_queue
        from people.account_erasure import register_erasure, register_export

        if token_scope_permissions.ScopePermission not in APIView.permission_classes:
            raise ImproperlyConfigured(
                "no REST door is guarded: rest_framework was read before the settings, by something that they import"
            )
        job_scheduling.KINDS[trial_match_queue.TRIAL_KIND] = job_scheduling.JobKind(
            name=trial_match_queue.TRIAL_KIND,
            count_waiting=lambda: trial_match_queue.count_unleased(
                worker_sandbox_report_queries.list_supported_languages()
            ),
            count_playable=lambda: trial_match_queue.count_unleased(sandbox_settings.list_languages_here()),
            run_next=services.run_next_trial,
        )
        register_export(personal_data_export.export_bots, self.name)
        register_erasure(personal_data_export.transfer_bots, self.name)
