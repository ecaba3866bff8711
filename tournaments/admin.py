"""What staff sees of the leagues: never their secret, from which all deals follow."""

from __future__ import annotations

from foundation.readonly import Rows
from tournaments.models import Entrant, League
from tournaments.roles import Proposal, Refusal


class LeagueRows(Rows):
    """The leagues."""

    model_shown = League
    list_display = ("slug", "name", "game", "season", "status", "round", "paused", "waits", "created_at")
    list_filter = ("status", "game")
    search_fields = ("slug", "name", "roles__person__username")
    ordering = ("-created_at",)
    fields = ("slug", "name", "game", "season", "status", "round", "rounds", "paused", "waits", "created_at")


class EntrantRows(Rows):
    """Who is in them."""

    model_shown = Entrant
    list_display = ("league", "number", "name", "place", "points", "withdrawn")
    list_filter = ("withdrawn",)
    search_fields = ("league__slug", "name", "version__bot__owner__username")
    list_select_related = ("league",)


class ProposalRows(Rows):
    """What waits for a second organiser, and what was decided."""

    model_shown = Proposal
    list_display = ("league", "by", "verb", "why", "status", "decided_by", "decided_at")
    list_filter = ("status",)
    search_fields = ("league__slug", "by__username")
    list_select_related = ("league", "by", "decided_by")


class RefusalRows(Rows):
    """What organisers were refused."""

    model_shown = Refusal
    list_display = ("at", "league", "person", "what", "why")
    search_fields = ("league__slug", "person__username")
    list_select_related = ("league", "person")
