"""Admin tables of matches, failed background work and audits."""
# They show neither seeds of matches nor output of bots.

from __future__ import annotations

from foundation.readonly_admin import ReadOnlyAdmin
from replays.models import Match, MatchAudit
from replays.models.failed_background_work import FailedWork


class MatchAdmin(ReadOnlyAdmin):
    """Admin list of matches."""

    model_shown = Match
    list_display = ("id", "game", "kind", "status", "created_at", "closed_at", "attempts", "reason")
    list_filter = ("status", "kind", "game")
    search_fields = ("id", "seats__version__bot__slug", "seats__version__bot__owner__username")
    ordering = ("-created_at",)
    fields = ("id", "game", "kind", "status", "created_at", "opened_at", "closed_at", "holder", "attempts", "reason")


class FailedWorkAdmin(ReadOnlyAdmin):
    """Admin list of failed background work; `manage.py failed --try-again` retries it."""

    model_shown = FailedWork
    list_display = ("kind", "subject", "attempts", "rests_until", "left_at", "reason")
    list_filter = ("kind",)
    search_fields = ("subject",)
    ordering = ("-pk",)


class MatchAuditAdmin(ReadOnlyAdmin):
    """Admin list of audits, which rerun stored matches and compare them with their logs."""

    model_shown = MatchAudit
    list_display = ("match", "build", "at", "found")
    search_fields = ("match__id",)
    ordering = ("-at",)
