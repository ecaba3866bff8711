"""Public sheets of a league: standings, pairings, results, cross table, ratings, and TRF."""

from __future__ import annotations

from ftk_core.league.sheets import file_of
from tournaments.models import League
from tournaments.projections import load


def read_sheet(slug: str, name: str) -> bytes:
    """Return one of `ftk_core.league.sheets.FILES` of a league in its current state.

    Raises League.DoesNotExist, KeyError for another name, and NotNow for a league that TRF cannot represent.
    """
    return file_of(load(League.objects.sound().get(slug=slug))[1], name)
