"""Entries of bots with several versions: renewals, and the version that a rating belongs to."""

from __future__ import annotations

import pytest

from bots.versions.activation import activate_version
from ftk_core.league.league_state import CommandRejected
from tests.support.league_entries import add_newer_version, create_own_version, open_league
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


def test_the_rating_of_a_newer_version_does_not_admit_an_older_one() -> None:
    league, first = open_league(rated_to=1400), create_own_version()
    second = add_newer_version(first)
    CourtRating.objects.create(bot=first.bot, game="pig", version=2, value=125_000, low=0, high=0, provisional=False)
    with pytest.raises(CommandRejected, match="ada has a court rating for version 2; enter this version, or a newer"):
        services.enter_bot(league.pk, first)
    services.enter_bot(league.pk, second)
