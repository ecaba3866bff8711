"""Reasons of authors who withdraw their bots."""

from __future__ import annotations

import pytest

from ftk_core.league.intervention_facts import BotWithdrew
from ftk_core.league.league_state import CommandRejected
from tests.support.league_entries import open_league
from tests.support.leagues import create_entrants
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import read_facts
from tournaments.organisers.organiser_action_submission import withdraw_entry

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("reason", "message"), [("x" * 201, "at most 200 characters"), ("a\u202eb", "one line")])
def test_the_reason_of_an_author_who_withdraws_a_bot_is_short_and_printable(reason: str, message: str) -> None:
    league = open_league()
    for version in create_entrants(2):
        services.enter_bot(league.pk, version)
    entry = league.entrants.select_related("version__bot__owner").earliest("number")
    author = entry.version.bot.owner
    with pytest.raises(CommandRejected, match=message):
        withdraw_entry(author, "night", entry.number, reason)
    withdraw_entry(author, "night", entry.number, "x" * 199 + "\N{IDEOGRAPHIC SPACE}")
    assert [fact.reason for fact in read_facts(league) if isinstance(fact, BotWithdrew)] == [
        "x" * 199 + "\N{IDEOGRAPHIC SPACE}"
    ]
