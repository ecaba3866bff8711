"""What the stage shows first: what decides a league, then the strong and the even tables, by what everybody knows."""

from __future__ import annotations

import pytest

from tournaments.attractions import Attraction, attraction, deciding, upset

EQUAL = (1_500_000, 1_500_000)


def test_of_two_tables_as_strong_the_more_even_one_is_worth_more() -> None:
    assert attraction(Attraction(ratings=EQUAL)) > attraction(Attraction(ratings=(1_400_000, 1_600_000)))


def test_of_two_tables_as_even_the_stronger_one_is_worth_more() -> None:
    assert attraction(Attraction(ratings=(1_800_000, 1_800_000))) > attraction(Attraction(ratings=EQUAL))


def test_two_contenders_in_the_last_round_are_worth_more_than_any_friendly_match() -> None:
    last = Attraction(ratings=EQUAL, places=(1, 2), rounds_left=0)
    assert attraction(last) > attraction(Attraction(ratings=(2_400_000, 2_400_000)))


@pytest.mark.parametrize("rounds_left", [0, 1, 5])
def test_the_later_the_round_the_more_a_table_decides(rounds_left: int) -> None:
    now, before = (
        Attraction(ratings=EQUAL, places=(1, 3), rounds_left=left) for left in (rounds_left, rounds_left + 1)
    )
    assert deciding(now) > deciding(before) > 0


@pytest.mark.parametrize("places", [(), (1,), (1, 9), (8, 9)])
def test_a_table_at_which_contenders_do_not_meet_decides_nothing(places: tuple[int, ...]) -> None:
    assert deciding(Attraction(ratings=EQUAL, places=places, rounds_left=0)) == 0


def test_a_match_of_no_league_decides_nothing() -> None:
    assert deciding(Attraction(ratings=EQUAL)) == 0


def test_a_table_of_nobody_is_worth_as_much_as_one_of_newcomers() -> None:
    assert attraction(Attraction(ratings=())) == attraction(Attraction(ratings=EQUAL))


def test_a_weak_bot_ahead_of_a_strong_one_is_worth_more_than_a_strong_one_ahead() -> None:
    upside, usual = (Attraction(ratings=(1_300_000, 1_500_000), points=points) for points in ((9, 2), (2, 9)))
    assert upset(upside) == 1
    assert upset(usual) == 0
    assert attraction(upside) > attraction(usual)


@pytest.mark.parametrize("points", [(), (0, 0), (4, 4), (1, 2, 3)])
def test_where_nobody_is_ahead_for_all_to_see_nothing_is_upset(points: tuple[int, ...]) -> None:
    assert upset(Attraction(ratings=(1_300_000, 1_500_000), points=points)) == 0
