"""Entries of bots with several versions: renewals, and the version that a rating belongs to."""

from __future__ import annotations

from random import Random

import pytest

from bots.versions.activation import activate_version
from ftk_core.league.league_state import CommandRejected
from tests.support.factories import create_active_version
from tests.support.league_entries import add_newer_version, create_own_version, open_league
from tests.support.leagues import end_matches, start_league
from tournaments.ladders import ladder_match_rating
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
    for number, version in versions.items():
        end_matches(start_league([version, create_active_version()], rounds=1, slug=f"cup-{number}"), Random(number))
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


def test_a_version_whose_results_do_not_count_for_all_time_is_admitted_by_the_rating_of_the_version_before() -> None:
    league, first = open_league(rated_to=1400), create_own_version()
    second, other = add_newer_version(first), create_active_version()
    end_matches(start_league([second, other], rounds=1, slug="mixed", kinds=("uploaded", "remote")), Random(1))
    withdrawn = start_league([second, other], rounds=1, slug="withdrawn")
    end_matches(withdrawn, Random(1))
    ladder_match_rating.correct(withdrawn.tables.get().match_id, None, "the bots were mixed up")
    CourtRating.objects.create(bot=first.bot, game="pig", version=1, value=125_000, low=0, high=0, provisional=False)
    services.enter_bot(league.pk, second)


def test_a_version_is_admitted_by_the_rating_of_another_version_that_rests() -> None:
    league, first = open_league(rated_to=1400), create_own_version()
    add_newer_version(first)
    CourtRating.objects.create(bot=first.bot, game="pig", version=2, value=125_000, low=0, high=0, provisional=False)
    with pytest.raises(CommandRejected, match="the court rating of ada is that of version 2; enter this"):
        services.enter_bot(league.pk, first)
    activate_version(first.bot.owner_id, "ada", 1)
    services.enter_bot(league.pk, first)
