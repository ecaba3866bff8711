"""Admin tables of matches, without seeds and without the output of bots."""

from __future__ import annotations

from foundation.readonly import Rows
from replays.failed_work_models import FailedWork
from replays.models import Match, MatchAudit


class MatchRows(Rows):
    """Matches."""

    model_shown = Match
    list_display = ("id", "game", "kind", "status", "created_at", "closed_at", "attempts", "reason")
    list_filter = ("status", "kind", "game")
    search_fields = ("id", "seats__version__bot__slug", "seats__version__bot__owner__username")
    ordering = ("-created_at",)
    fields = ("id", "game", "kind", "status", "created_at", "opened_at", "closed_at", "holder", "attempts", "reason")


class FailedWorkRows(Rows):
    """Failed background work; `manage.py failed --try-again` retries it."""

    model_shown = FailedWork
    list_display = ("kind", "subject", "attempts", "rests_until", "left_at", "reason")
    list_filter = ("kind",)
    search_fields = ("subject",)
    ordering = ("-pk",)


class AuditRows(Rows):
    """Audit reports."""

    model_shown = MatchAudit
    list_display = ("match", "build", "at", "found")
    search_fields = ("match__id",)
    ordering = ("-at",)
