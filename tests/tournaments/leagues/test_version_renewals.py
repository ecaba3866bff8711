"""Entries of bots with several versions: renewals, and the version that a rating belongs to."""

from __future__ import annotations

import pytest

from bots.versions.activation import activate_version
from ftk_core.league.league_state import CommandRejected
from replays.models import Match, MatchSeat
from tests.support.factories import create_active_version
from tests.support.league_entries import add_newer_version, create_own_version, open_league
from tests.support.seats import create_seated_match
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import load
from tournaments.models import CourtRating

pytestmark = pytest.mark.django_db


def test_an_entry_keeps_its_version_if_its_author_has_activated_an_older_one_again() -> None:
    league, first = open_league(), create_own_version()
    second = add_newer_version(first)
    services.enter_bot(league.pk, second, newest=True)
    services.enter_bot(league.pk, create_own_version("bob"))
    activate_version(first.bot.owner_id, "ada", 1)
    services.start(league.pk)
    assert [entrant.name for entrant in load(league)[1].entrants] == ["ada-2", "bob-1"]
    assert load(league)[1].rounds


@pytest.mark.parametrize("rated", [1, 2])
def test_the_rating_of_one_version_does_not_admit_another_version_with_results(rated: int) -> None:
    league, first = open_league(rated_to=1400), create_own_version()
    second = add_newer_version(first)
    versions = {1: first, 2: second}
    for version in versions.values():
        match = create_seated_match([version, create_active_version()])
        Match.objects.filter(pk=match.pk).update(kind=Match.Kind.LEAGUE)
        MatchSeat.objects.filter(match=match, version=version).update(place=1)
    CourtRating.objects.create(
        bot=first.bot, game="pig", version=rated, value=125_000, low=0, high=0, provisional=False
    )
    with pytest.raises(CommandRejected, match=f"the court rating of ada is that of version {rated}; enter this"):
        services.enter_bot(league.pk, versions[3 - rated])
    services.enter_bot(league.pk, versions[rated])


def test_a_new_version_without_results_is_admitted_by_the_rating_of_the_version_before() -> None:
    league, first = open_league(rated_to=1400), create_own_version()
    CourtRating.objects.create(bot=first.bot, game="pig", version=1, value=125_000, low=0, high=0, provisional=False)
    services.enter_bot(league.pk, add_newer_version(first))
