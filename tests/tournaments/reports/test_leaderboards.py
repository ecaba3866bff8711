"""Leaderboards, ordered by court rating, with its interval and Elo."""

from __future__ import annotations

import pytest

from bots.models import BotVersion
from tests.support.ladders import NAMES, Results, create_bot, draw_results, rate_results
from tournaments.api.ladders import LadderSerializer
from tournaments.ladders import ladder_court_ratings, queries as ladder_queries
from tournaments.ladders.match_rating_order import TOTALS
from tournaments.models import CourtRating, RatedMatchSeat, Rating


@pytest.fixture
def field(db: None) -> list[BotVersion]:
    """Six bots without a match."""
    return [create_bot(slug) for slug in NAMES]


def fresh_and_stale(field: list[BotVersion]) -> Results:
    """Return results for which Elo and the court rating disagree about the first place."""
    ada, bo = field[:2]
    return [*[((ada, bo), (1, 2))] * 7, *[((ada, bo), (2, 1))] * 6]


@pytest.mark.slow
def test_a_leaderboard_is_ordered_by_court_rating(field: list[BotVersion]) -> None:
    rate_results(fresh_and_stale(field))
    by_elo = ["bo", "ada"]
    assert [row.name for row in ladder_queries.read_ladder("pig").rows] == by_elo, "as long as nothing is fitted"
    ladder_court_ratings.refit("pig")
    rows = ladder_queries.read_ladder("pig").rows
    assert [row.name for row in rows] == [row.name for row in ladder_queries.list_top("pig")] == ["ada", "bo"]
    assert int(rows[0].elo) < int(rows[1].elo)
    low, high = (int(end) for end in rows[0].interval.split(" to "))
    assert low < int(rows[0].rating) < high
    assert 50 < int(rows[0].ahead) < 80
    assert rows[1].ahead == ""
    places = [standing.row.place for slug in ("ada", "bo") if (standing := ladder_queries.read_standing(slug, "pig"))]
    assert places == [1, 2]


@pytest.mark.slow
def test_a_leaderboard_shows_the_probability_that_a_bot_is_stronger_than_the_next(field: list[BotVersion]) -> None:
    rate_results(draw_results(80, field))
    ladder_court_ratings.refit("pig")
    rows = list(CourtRating.objects.filter(season="").order_by("-value", "bot__slug"))
    assert all(row.ahead is not None and row.ahead > 0.5 for row in rows[:-1])
    assert rows[-1].ahead is None
    shown = [(row.name, row.ahead) for row in ladder_queries.read_ladder("pig").rows]
    assert shown == [(row.bot.slug, f"{100 * row.ahead:.0f}" if row.ahead else "") for row in rows]


@pytest.mark.slow
def test_paging_through_a_leaderboard_shows_every_bot_once(db: None) -> None:
    names = [f"b{number:02}" for number in range(ladder_queries.PAGE_ROWS + 9)]
    for number, name in enumerate(names):
        row = create_bot(name).bot
        Rating.objects.create(bot=row, game="pig", value=1_500_000 + number % 7)
        if number % 10:
            points = {"value": 150_000 - number % 5, "low": 0, "high": 0}
            CourtRating.objects.create(bot=row, game="pig", version=1, provisional=False, **points)
    first = ladder_queries.read_ladder("pig")
    second = ladder_queries.read_ladder("pig", cursor=first.after)
    rows = first.rows + second.rows
    assert [row.place for row in rows] == list(range(1, len(names) + 1))
    assert {row.name for row in rows} == set(names)
    assert [bool(row.rating) for row in rows] == [True] * 53 + [False] * 6, "whoever is not fitted yet comes last"


@pytest.mark.slow
def test_a_leaderboard_shows_the_advantage_of_each_seat(field: list[BotVersion]) -> None:
    ada, bo = field[:2]
    rate_results([((ada, bo), (1, 2)), ((bo, ada), (1, 2))] * 40)
    ladder_court_ratings.refit("pig")
    ((first, second),) = ladder_queries.read_ladder("pig").seats
    assert int(first.points) == -int(second.points) > 0
    low, high = (int(end) for end in first.interval.split(" to "))
    assert 0 < low < int(first.points) < high
    assert ladder_queries.read_ladder("pig", "1066").seats == []


def test_match_and_win_totals_of_a_bot_are_stored_after_each_match_and_returned_by_the_api(
    field: list[BotVersion],
) -> None:
    rate_results(fresh_and_stale(field))
    (entry,) = [row for row in LadderSerializer(ladder_queries.read_ladder("pig")).data["rows"] if row["name"] == "ada"]
    totals = {name: entry[name] for name in TOTALS}
    assert totals == {"matches": 13, "wins": 7}
    assert Rating.objects.filter(bot=field[0].bot, season="").values(*TOTALS).get() == totals
    assert RatedMatchSeat.objects.filter(bot=field[0].bot).order_by("at").values(*TOTALS).last() == totals
