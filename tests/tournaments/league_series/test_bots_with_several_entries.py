"""Series points of a league in which one bot has several entries."""

from __future__ import annotations

from random import Random

import pytest
from django.contrib.auth.models import User

from people.person_roles import make_organiser
from tests.support.league_entries import add_newer_version, create_own_version, open_league
from tests.support.leagues import end_matches
from tournaments.league_series.queries import read_series
from tournaments.league_series.services import LeagueSeriesSettings, add_league, open_series
from tournaments.leagues import services
from tournaments.models import Entrant, League

pytestmark = pytest.mark.slow


def play_league_of_two_versions(final_places: tuple[int, int, int, int]) -> None:
    """Play a league of two versions of ann, then bob and cid, that ends with these places; add it to a series."""
    olga = User.objects.create_user("olga")
    make_organiser(olga)
    ann = create_own_version("ann")
    league = open_league(by="olga", seats=4, rounds=1)
    for version in (ann, add_newer_version(ann), create_own_version("bob"), create_own_version("cid")):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    end_matches(league, Random(1))
    assert League.objects.get().status == League.Status.CLOSED
    for number, place in enumerate(final_places, 1):
        Entrant.objects.filter(number=number).update(place=place)
    open_series(olga, LeagueSeriesSettings(slug="cup", name="Cup", game="pig"))
    add_league(olga, "cup", "night")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("final_places", "points"),
    [
        ((1, 2, 3, 4), {"ann": "100", "bob": "50", "cid": "0"}),
        ((1, 2, 3, 3), {"ann": "100", "bob": "25", "cid": "25"}),
        ((1, 1, 1, 4), {"ann": "75", "bob": "75", "cid": "0"}),
    ],
)
def test_if_a_bot_has_two_entries_the_last_bot_still_gets_zero_series_points_and_no_bot_gets_negative_points(
    final_places: tuple[int, int, int, int], points: dict[str, str]
) -> None:
    play_league_of_two_versions(final_places)
    assert {row.bot: row.points for row in read_series("cup").standings} == points
