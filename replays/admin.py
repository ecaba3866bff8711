"""What staff sees of the matches; their seeds and what bots wrote are nobody's here."""

from __future__ import annotations

from foundation.readonly import Rows
from replays.models import Match, MatchAudit


class MatchRows(Rows):
    """The matches."""

    model_shown = Match
    list_display = ("id", "game", "kind", "status", "created_at", "closed_at", "attempts", "reason")
    list_filter = ("status", "kind", "game")
    search_fields = ("id", "seats__version__bot__slug", "seats__version__bot__owner__username")
    ordering = ("-created_at",)
    fields = ("id", "game", "kind", "status", "created_at", "opened_at", "closed_at", "holder", "attempts", "reason")


class AuditRows(Rows):
    """The reports of audits."""

    model_shown = MatchAudit
    list_display = ("match", "build", "at", "found")
    search_fields = ("match__id",)
    ordering = ("-at",)
