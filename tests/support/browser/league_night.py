"""A finished league of Pig: four bots and two rounds."""

from __future__ import annotations

from django.db import connections

from ftk_core.kit.built_in_bots import list_built_in_bots
from replays.models import MatchSeat
from tests.support.database_snapshots import create_or_restore
from tests.support.factories import create_active_version
from tests.support.leagues import play_all
from tournaments.ladders import ladder_court_ratings
from tournaments.leagues import services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League


def create_league_night() -> League:
    """Return a closed league whose matches are all recorded; close this thread's connections."""
    try:
        return create_or_restore(_play_league_night)
    finally:
        connections.close_all()


def _play_league_night() -> League:
    house = list_built_in_bots("pig")
    league = services.open_league(
        LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=2, games=1, season="2026")
    )
    for number in range(4):
        version = create_active_version(house["hold20" if number % 2 else "random"], slug=f"b{number}")
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    play_all(league)
    ladder_court_ratings.refit("pig")
    return league


def store_one_win_of_two(slug: str) -> str:
    """Let a bot have won one of its two matches and lost the other; return the match that it won."""
    won, lost = MatchSeat.objects.filter(version__bot__slug=slug).order_by("match_id")
    MatchSeat.objects.filter(pk=won.pk).update(place=1)
    MatchSeat.objects.filter(pk=lost.pk).update(place=2)
    return won.match_id
