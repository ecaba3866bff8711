"""The summary of a bot's play counts matches, also of a bot with several seats at a table."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

from replays.models.reviews import ReviewedSeatSummary
from replays.reviews import bot_play_summaries
from replays.reviews.bot_play_summaries import read_coaching
from tests.support.reviewable import create_closed_match, create_reviewed_match

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def quick(settings: Any) -> None:
    """Make reviews quick and imprecise."""
    settings.REVIEWS = {**settings.REVIEWS, "playouts": 4}


def create_reviews(bot_seats: list[tuple[int, ...]]) -> str:
    """Review one match for each item, oldest first, in which one bot plays these seats. Return the bot's slug."""
    matches = [create_closed_match() for _ in bot_seats]
    bot = matches[0].seats.get(seat=0).bot
    for match, seats in zip(matches, bot_seats, strict=True):
        match.seats.filter(seat__in=seats).update(bot=bot)
        create_reviewed_match(match, "own")
    return str(bot.slug)


def test_a_match_with_two_seats_of_the_bot_counts_once_towards_the_match_limit_of_its_summary(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bot = create_reviews([(0, 1), (0, 1), (0, 1)])
    monkeypatch.setattr(bot_play_summaries, "MAX_MATCHES", 2)
    report = read_coaching(bot)
    assert report
    assert (report.matches, report.share) == (2, 0.5)


def test_the_summary_of_a_bot_contains_all_its_seats_in_the_oldest_match_that_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bot = create_reviews([(0, 1), (0, 1), (0,)])
    monkeypatch.setattr(bot_play_summaries, "MAX_MATCHES", 2)
    newest = ReviewedSeatSummary.objects.filter(bot__slug=bot).latest("pk")
    report = read_coaching(bot)
    assert report
    assert (report.matches, report.share) == (2, fmean([0.5, newest.summary["share"]]))
