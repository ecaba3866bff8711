"""Rating history, head-to-head records and surprising wins of a ladder."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.factories import BotFactory
from tests.support.ladders import build_match
from tournaments.ladders import ladder_match_rating, queries as ladder_queries
from tournaments.ladders.match_rating_order import MAX_KEPT_MATCHES
from tournaments.ladders.rating_history import read_meetings
from tournaments.models import ALL_TIME, Rating


@pytest.fixture
def pair(db: None) -> tuple[str, str]:
    """Two bots without a match."""
    return (str(BotFactory.create(slug="ada").slug), str(BotFactory.create(slug="bo").slug))


def test_each_match_adds_to_the_head_to_head_record(pair: tuple[str, str]) -> None:
    for number in range(3):
        ladder_match_rating.rate("pig", "2026", [build_match(f"m{number}", pair, (1, 2), table=number)])
        met = read_meetings("pig", ALL_TIME, pair)
        assert met == {("ada", "bo"): (2 * (number + 1), number + 1), ("bo", "ada"): (0, number + 1)}


def test_a_shared_place_counts_as_half_a_win_in_the_head_to_head_record(pair: tuple[str, str]) -> None:
    ladder_match_rating.rate("pig", "2026", [build_match("m1", pair, (1, 2)), build_match("m2", pair, (1, 1), table=1)])
    cell = ladder_queries.read_ladder("pig").matrix.rows[0][1]
    assert cell is not None
    assert (cell.won, cell.of, cell.percent) == ("1.5", 2, "75")


def test_the_biggest_upset_is_the_match_with_the_least_expected_winner(pair: tuple[str, str]) -> None:
    for number in range(6):
        ladder_match_rating.rate("pig", "2026", [build_match(f"m{number}", pair, (1, 2), table=number)])
    ladder_match_rating.rate("pig", "2026", [build_match("m6", pair, (2, 1), table=6)])
    upset = ladder_queries.find_biggest_upset()
    assert upset is not None
    assert (upset.match, upset.name) == ("m6", "bo")
    assert int(upset.percent) < 45


def test_the_rating_history_keeps_only_the_last_matches_of_a_bot(pair: tuple[str, str]) -> None:
    ladder_match_rating.rate(
        "pig", "2026", [build_match(f"m{n}", pair, (1, 1), table=n) for n in range(MAX_KEPT_MATCHES + 5)]
    )
    standing = ladder_queries.read_standing("ada", "pig")
    assert standing is not None
    assert (len(standing.points), standing.row.totals["matches"]) == (MAX_KEPT_MATCHES, MAX_KEPT_MATCHES + 5)
    assert standing.points[-1].match == f"m{MAX_KEPT_MATCHES + 4}"


def test_the_history_of_a_ladder_contains_only_matches_of_its_own_season(pair: tuple[str, str]) -> None:
    ladder_match_rating.rate("pig", "2026", [build_match("m1", pair, (1, 2)), build_match("m2", pair, (1, 2), table=1)])
    ladder_match_rating.rate("pig", "2027", [build_match("m3", pair, (2, 1), league=2)])
    assert [
        (row.name, row.totals["matches"], len(row.line)) for row in ladder_queries.read_ladder("pig", "2026").rows
    ] == [
        ("ada", 2, 3),
        ("bo", 2, 3),
    ]
    later = ladder_queries.read_ladder("pig", season="2027")
    assert [(row.name, row.elo) for row in later.rows] == [("bo", "1520"), ("ada", "1480")]
    assert [[cell and (cell.won, cell.of) for cell in line] for line in later.matrix.rows] == [
        [None, ("1", 1)],
        [("0", 1), None],
    ]
    assert [row.totals["matches"] for row in ladder_queries.read_ladder("pig").rows] == [3, 3]


def test_a_match_without_a_season_is_rated_on_the_all_time_ladder_only(pair: tuple[str, str]) -> None:
    ladder_match_rating.rate("pig", ALL_TIME, [build_match("m1", pair, (1, 2))])
    assert [row.matches for row in Rating.objects.all()] == [1, 1]


def test_a_bot_that_is_rated_first_while_the_leaderboard_is_read_has_a_place(
    pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read_page = ladder_queries.read_page

    def rate_first(*arguments: Any) -> Any:
        ladder_match_rating.rate("pig", "2026", [build_match("m1", pair, (1, 2))])
        return read_page(*arguments)

    monkeypatch.setattr(ladder_queries, "read_page", rate_first)
    assert [(row.place, row.name) for row in ladder_queries.read_ladder("pig").rows] == [(1, "ada"), (2, "bo")]


def test_a_tied_bot_has_the_same_place_on_its_page_as_on_the_leaderboard(pair: tuple[str, str]) -> None:
    ladder_match_rating.rate("pig", "2026", [build_match("m1", pair, (1, 1))])
    assert [(row.place, row.name) for row in ladder_queries.read_ladder("pig").rows] == [(1, "ada"), (2, "bo")]
    standings = [ladder_queries.read_standing(name, "pig") for name in pair]
    assert [standing and standing.row.place for standing in standings] == [1, 2]
