"""Public data of a league as files: standings, pairings, results, cross table and ratings."""
# One more file has the format TRF, which chess programs read.

from __future__ import annotations

from ftk_core.league.publication.spreadsheets import file_of
from tournaments.leagues.league_event_projection import load
from tournaments.models import League


def read_sheet(slug: str, name: str) -> bytes:
    """Return the content of a file about a league's current state.

    `name` is one of `ftk_core.league.publication.spreadsheets.FILES`. Raises League.DoesNotExist, KeyError for another
    name, or CommandRejected if the league cannot be written in TRF, a file format of chess federations.
    """
    return file_of(load(League.objects.readable().get(slug=slug))[1], name)
