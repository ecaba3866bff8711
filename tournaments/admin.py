"""Read-only admin pages of leagues."""
# The pages hide each league's secret: all random setups of its matches can be computed from it.

from __future__ import annotations

from foundation.readonly_admin import ReadOnlyAdmin
from tournaments.models import Entrant, League
from tournaments.models.organiser_roles import Proposal, Refusal


class LeagueAdmin(ReadOnlyAdmin):
    """Admin page of leagues."""

    model_shown = League
    list_display = ("slug", "name", "game", "season", "status", "round", "paused", "waits", "created_at")
    list_filter = ("status", "game")
    search_fields = ("slug", "name", "roles__person__username")
    ordering = ("-created_at",)
    fields = ("slug", "name", "game", "season", "status", "round", "rounds", "paused", "waits", "created_at")


class EntrantAdmin(ReadOnlyAdmin):
    """Admin page of the bots that were entered in leagues."""

    model_shown = Entrant
    list_display = ("league", "number", "name", "place", "points", "withdrawn")
    list_filter = ("withdrawn",)
    search_fields = ("league__slug", "name", "version__bot__owner__username")
    list_select_related = ("league",)


class ProposedOrganiserActionAdmin(ReadOnlyAdmin):
    """Admin page of actions on leagues that one organiser proposed and a second organiser approves or declines."""

    model_shown = Proposal
    list_display = ("league", "by", "verb", "why", "status", "decided_by", "decided_at")
    list_filter = ("status",)
    search_fields = ("league__slug", "by__username")
    list_select_related = ("league", "by", "decided_by")


class RefusedOrganiserActionAdmin(ReadOnlyAdmin):
    """Admin page of actions on leagues that were refused because the person had no right to them."""

    model_shown = Refusal
    list_display = ("at", "league", "person", "what", "why")
    search_fields = ("league__slug", "person__username")
    list_select_related = ("league", "person")
