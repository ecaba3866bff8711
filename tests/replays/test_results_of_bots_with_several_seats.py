"""Results and times of a bot version that has several seats in each match count matches."""

from __future__ import annotations

import pytest

from replays.models import Match, MatchSeat
from replays.reports import bot_timing, bot_version_results
from replays.reports.bot_timing import read_timing
from replays.reports.bot_version_results import read_results
from tests.support.reviewable import create_closed_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot_slug() -> str:
    """Slug of a bot that had both seats in each of three matches."""
    matches = [create_closed_match() for _ in range(3)]
    seat = matches[0].seats.get(seat=0)
    for match in matches:
        for number in (0, 1):
            match.seats.filter(seat=number).update(
                version=seat.version, bot=seat.bot, place=number + 1, closed_at=match.closed_at
            )
    Match.objects.update(released=True)
    assert seat.bot
    return str(seat.bot.slug)


@pytest.mark.parametrize(("most", "matches"), [(200, 3), (2, 2), (1, 1)])
def test_the_latest_results_and_times_of_a_bot_cover_all_its_seats_in_the_latest_matches(
    bot_slug: str, most: int, matches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (bot_timing, bot_version_results):
        monkeypatch.setattr(module, "MAX_MATCHES", most)
    results, timing = read_results(bot_slug, 1), read_timing(bot_slug, 1)
    assert results
    assert timing
    assert (results.matches, results.won, results.share, timing.matches) == (matches, matches, 50, matches)
    assert MatchSeat.objects.count() == 6
