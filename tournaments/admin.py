"""Admin tables of leagues, without their secrets, from which all deals follow."""

from __future__ import annotations

from foundation.readonly import Rows
from tournaments.models import Entrant, League
from tournaments.roles import Proposal, Refusal


class LeagueRows(Rows):
    """Leagues."""

    model_shown = League
    list_display = ("slug", "name", "game", "season", "status", "round", "paused", "waits", "created_at")
    list_filter = ("status", "game")
    search_fields = ("slug", "name", "roles__person__username")
    ordering = ("-created_at",)
    fields = ("slug", "name", "game", "season", "status", "round", "rounds", "paused", "waits", "created_at")


class EntrantRows(Rows):
    """Entrants of leagues."""

    model_shown = Entrant
    list_display = ("league", "number", "name", "place", "points", "withdrawn")
    list_filter = ("withdrawn",)
    search_fields = ("league__slug", "name", "version__bot__owner__username")
    list_select_related = ("league",)


class ProposalRows(Rows):
    """Proposals that wait for a second organiser or were decided."""

    model_shown = Proposal
    list_display = ("league", "by", "verb", "why", "status", "decided_by", "decided_at")
    list_filter = ("status",)
    search_fields = ("league__slug", "by__username")
    list_select_related = ("league", "by", "decided_by")


class RefusalRows(Rows):
    """Refused acts of organisers."""

    model_shown = Refusal
    list_display = ("at", "league", "person", "what", "why")
    search_fields = ("league__slug", "person__username")
    list_select_related = ("league", "person")
