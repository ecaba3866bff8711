"""Entries in leagues whose first round is drafted and waits for an organiser."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from ftk_core.league.league_state import CommandRejected
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import create_entrants
from tournaments.leagues import services
from tournaments.leagues.entry_rules import read_entry_page
from tournaments.leagues.league_event_projection import load
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)


def draft_first_round(**terms: Any) -> League:
    league = open_league(held=True, entries_until=timezone.now() + timedelta(hours=1), **terms)
    for version in create_entrants(4):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    assert load(league)[1].draft
    return league


def end_entry_period(league: League) -> None:
    League.objects.filter(pk=league.pk).update(entries_until=timezone.now())


@pytest.mark.parametrize("terms", [{"format": "knockout", "rounds": 0}, {"format": "round_robin", "rounds": 0}])
def test_a_drafted_league_whose_format_fixes_its_entries_refuses_a_bot_that_could_never_play(
    terms: dict[str, Any],
) -> None:
    league, late = draft_first_round(**terms), create_own_version("late")
    with pytest.raises(CommandRejected, match="the first round of Night is drafted, and its format takes nobody late"):
        services.enter_bot(league.pk, late)
    assert league.entrants.count() == 4
    assert "is drafted" in read_entry_page("night", late.bot.owner_id).closed


def test_a_drafted_swiss_league_refuses_entries_after_its_deadline_and_its_draft_stays_valid() -> None:
    league = draft_first_round()
    end_entry_period(league)
    with pytest.raises(CommandRejected, match="entries to Night are closed; it is about to begin"):
        services.enter_bot(league.pk, create_own_version("late"))
    services.begin_round(league.pk)
    assert load(league)[1].playing == 1


@pytest.mark.parametrize(("late", "is_deadline_over"), [(0, False), (2, True)])
def test_a_drafted_swiss_league_accepts_entries_before_its_deadline_or_if_late_entries_are_allowed(
    late: int, *, is_deadline_over: bool
) -> None:
    league = draft_first_round(late=late)
    if is_deadline_over:
        end_entry_period(league)
    services.enter_bot(league.pk, create_own_version("late"))
    assert league.entrants.count() == 5
