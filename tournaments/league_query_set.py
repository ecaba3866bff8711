"""Filters for the leagues that pages can show, and for those that can go on."""

from __future__ import annotations

from django.db import models

from ftk_core.games import list_games
from tournaments.league_bounds import LEAGUE_CONSTRAINTS


class LeagueQuerySet(models.QuerySet["League"]):
    """Query set of leagues, with filters for leagues that pages can show, and for those that can go on."""

    def readable(self) -> LeagueQuerySet:
        """Return the leagues that meet all database constraints, also those whose game is not installed here."""
        return self.filter(*LEAGUE_CONSTRAINTS.values())

    def valid(self) -> LeagueQuerySet:
        """Return the leagues that meet all database constraints and whose game is still registered."""
        return self.readable().filter(game__in=list_games())
