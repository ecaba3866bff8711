"""Interest score of matches: decisive matches first, then strong and even tables, from public data only."""

from __future__ import annotations

import pytest

from tournaments.summaries.match_interest_score import (
    InterestScoreInputs,
    compute_importance,
    compute_interest,
    compute_upset,
)

EQUAL = (1_500_000, 1_500_000)


def test_an_even_match_is_more_interesting_than_an_uneven_match_with_the_same_average_rating() -> None:
    assert compute_interest(InterestScoreInputs(ratings=EQUAL)) > compute_interest(
        InterestScoreInputs(ratings=(1_400_000, 1_600_000))
    )


def test_an_even_match_between_stronger_bots_is_more_interesting_than_one_between_weaker_bots() -> None:
    assert compute_interest(InterestScoreInputs(ratings=(1_800_000, 1_800_000))) > compute_interest(
        InterestScoreInputs(ratings=EQUAL)
    )


def test_a_match_of_contenders_in_the_last_round_is_more_interesting_than_any_friendly_match() -> None:
    last = InterestScoreInputs(ratings=EQUAL, places=(1, 2), rounds_left=0)
    strong = InterestScoreInputs(ratings=(2_400_000, 2_400_000))
    surprising = InterestScoreInputs(ratings=(2_200_000, 2_400_000), points=(9, 2))
    assert compute_interest(last) > max(compute_interest(strong), compute_interest(surprising))


@pytest.mark.parametrize("rounds_left", [0, 1, 5])
def test_matches_of_later_rounds_get_a_higher_interest_score(rounds_left: int) -> None:
    now, before = (
        InterestScoreInputs(ratings=EQUAL, places=(1, 3), rounds_left=left) for left in (rounds_left, rounds_left + 1)
    )
    assert compute_importance(now) > compute_importance(before) > 0


@pytest.mark.parametrize("places", [(), (1,), (1, 9), (8, 9)])
def test_a_match_with_fewer_than_two_contenders_for_first_place_gets_no_importance_points(
    places: tuple[int, ...],
) -> None:
    assert compute_importance(InterestScoreInputs(ratings=EQUAL, places=places, rounds_left=0)) == 0


def test_a_match_outside_leagues_gets_no_interest_points_for_deciding_a_league() -> None:
    assert compute_importance(InterestScoreInputs(ratings=EQUAL)) == 0


def test_a_match_without_known_ratings_is_as_interesting_as_a_match_of_two_new_bots() -> None:
    assert compute_interest(InterestScoreInputs(ratings=())) == compute_interest(InterestScoreInputs(ratings=EQUAL))


def test_a_match_led_by_a_weak_bot_is_more_interesting_than_one_led_by_a_strong_bot() -> None:
    upside, usual = (InterestScoreInputs(ratings=(1_300_000, 1_500_000), points=points) for points in ((9, 2), (2, 9)))
    assert compute_upset(upside) == 1
    assert compute_upset(usual) == 0
    assert compute_interest(upside) > compute_interest(usual)


@pytest.mark.parametrize("points", [(), (0, 0), (4, 4), (1, 2, 3)])
def test_a_match_without_a_publicly_known_leader_gets_no_interest_points_for_an_upset(points: tuple[int, ...]) -> None:
    assert compute_upset(InterestScoreInputs(ratings=(1_300_000, 1_500_000), points=points)) == 0
