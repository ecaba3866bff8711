"""Matches by hand of people whose account is erased: they are played on without waiting for answers."""

from __future__ import annotations

from typing import Any

import pytest

from bots import tasks
from people.account_erasure import erase_person
from replays.models import SEATS, Match, SeatQuestionMailbox
from replays.playing import match_leases
from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version
from tests.support.seats import create_person_version, create_seated_match, list_choices
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match() -> Match:
    """Return a match of a person against a built-in bot, without a time limit for answers."""
    return create_seated_match([create_person_version(), create_active_version()])


def read_status(match: Match) -> str:
    return str(Match.objects.get(pk=match.pk).status)


@pytest.mark.slow
def test_an_adjourned_match_is_played_to_its_end_once_the_account_of_its_human_player_is_erased(
    match: Match, settings: Any
) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    assert not play_match(match.pk)
    assert read_status(match) == Match.Status.ADJOURNED
    erase_person(match.seats.get(seat=0).version.bot.owner)
    wait_for(lambda: tasks.work(SEATS) and read_status(match) == Match.Status.CLOSED, "the match ends", 60)
    assert {choice.excuse for choice in list_choices(match)} == {"timeout"}


def test_a_match_is_not_adjourned_if_the_account_of_its_human_player_was_erased_meanwhile(match: Match) -> None:
    lease = match_leases.claim(match.pk, "worker")
    assert lease is not None
    seat = match.seats.get(seat=0)
    SeatQuestionMailbox.objects.create(seat=seat, bot=seat.version.bot, number=1, items=2, line='{"menu":[]}')
    erase_person(seat.version.bot.owner)
    match_leases.adjourn(lease, seat, None)
    assert read_status(match) == Match.Status.WAITING
