"""Entries that change to the newest version of their bot before their first round."""

from __future__ import annotations

import pytest

from bots.versions.activation import activate_version
from tests.support.league_entries import add_newer_version, create_own_version, open_league
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import load

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
