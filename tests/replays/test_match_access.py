"""Access to private parts of a match: the notes of its bots before its release."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from replays.models import Match, MatchSeat
from replays.reports.bot_reported_numbers import read_numbers
from tests.support.reviewable import create_closed_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hidden() -> Match:
    """An ended match whose replay is not released, in which the bot of seat 0 sent a number."""
    match = create_closed_match()
    MatchSeat.objects.filter(match=match, seat=0).update(notes=["question 1: heat=1"])
    Match.objects.filter(pk=match.pk).update(released=False)
    return match


def owner_of(match: Match, seat: int) -> User:
    return match.seats.get(seat=seat).version.bot.owner


def test_the_numbers_logged_by_a_bot_are_hidden_from_its_author_until_the_match_is_released(
    client: Client, hidden: Match
) -> None:
    owner = owner_of(hidden, 0)
    client.force_login(owner)
    assert b"heat" not in client.get(f"/matches/{hidden.pk}/").content
    assert read_numbers(hidden.pk, owner.pk) == []
    Match.objects.filter(pk=hidden.pk).update(released=True)
    assert [series.key for series in read_numbers(hidden.pk, owner.pk)] == ["heat"]
    assert b"heat" in client.get(f"/matches/{hidden.pk}/").content
