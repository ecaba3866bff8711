"""One night of Pig: a league of four bots and two rounds, played to its end."""

from __future__ import annotations

from django.db import connections

from ftk_core.kit.house import house_bots
from tests.support.factories import active_version
from tests.support.leagues import play_all
from tournaments import court_ratings, services
from tournaments.models import League
from tournaments.terms import Terms


def played_night() -> League:
    """Return a league that is over, all its matches recorded; closes this thread's connections."""
    house = house_bots("pig")
    league = services.open_league(
        Terms(slug="night", name="Night", game="pig", seats=2, rounds=2, games=1, season="2026")
    )
    for number in range(4):
        version = active_version(house["hold20" if number % 2 else "random"], slug=f"b{number}")
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    play_all(league)
    court_ratings.refit("pig")
    connections.close_all()
    return league
