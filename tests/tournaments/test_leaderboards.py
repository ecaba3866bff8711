"""Leaderboards are in the order of the court rating, say how sure it is, and show Elo beside it."""

from __future__ import annotations

import pytest

from bots.models import BotVersion
from tests.support.ladders import NAMES, Results, bot, rate, some
from tournaments import court_ratings, ladder_queries
from tournaments.models import CourtRating, Rating


@pytest.fixture
def field(db: None) -> list[BotVersion]:
    """Six bots that have not played."""
    return [bot(slug) for slug in NAMES]


def fresh_and_stale(field: list[BotVersion]) -> Results:
    """Return results in which Elo puts another one first than all results together do."""
    ada, bo = field[:2]
    return [*[((ada, bo), (1, 2))] * 7, *[((ada, bo), (2, 1))] * 6]


def test_a_leaderboard_is_in_the_order_of_the_court_rating(field: list[BotVersion]) -> None:
    rate(fresh_and_stale(field))
    by_elo = ["bo", "ada"]
    assert [row.name for row in ladder_queries.read_ladder("pig").rows] == by_elo, "as long as nothing is fitted"
    court_ratings.refit("pig")
    rows = ladder_queries.read_ladder("pig").rows
    assert [row.name for row in rows] == [row.name for row in ladder_queries.list_top("pig")] == ["ada", "bo"]
    assert int(rows[0].elo) < int(rows[1].elo)
    low, high = (int(end) for end in rows[0].interval.split(" to "))
    assert low < int(rows[0].rating) < high
    assert 50 < int(rows[0].ahead) < 80
    assert rows[1].ahead == ""
    places = [standing.row.place for slug in ("ada", "bo") if (standing := ladder_queries.read_standing(slug, "pig"))]
    assert places == [1, 2]


def test_who_is_likelier_the_better_of_two_neighbours_is_said_of_neighbours(field: list[BotVersion]) -> None:
    rate(some(80, field))
    court_ratings.refit("pig")
    rows = list(CourtRating.objects.filter(season="").order_by("-value", "bot__slug"))
    assert all(row.ahead is not None and row.ahead >= 0.5 for row in rows[:-1])
    assert rows[-1].ahead is None
    assert [row.name for row in ladder_queries.read_ladder("pig").rows] == [row.bot.slug for row in rows]


def test_a_leaderboard_in_that_order_is_paged_without_a_gap(db: None) -> None:
    names = [f"b{number:02}" for number in range(ladder_queries.PAGE + 9)]
    for number, name in enumerate(names):
        row = bot(name).bot
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


def test_a_leaderboard_says_what_each_seat_is_worth(field: list[BotVersion]) -> None:
    ada, bo = field[:2]
    rate([((ada, bo), (1, 2)), ((bo, ada), (1, 2))] * 40)
    court_ratings.refit("pig")
    ((first, second),) = ladder_queries.read_ladder("pig").seats
    assert int(first.points) == -int(second.points) > 0
    low, high = (int(end) for end in first.interval.split(" to "))
    assert 0 < low < int(first.points) < high
    assert ladder_queries.read_ladder("pig", "1066").seats == []
