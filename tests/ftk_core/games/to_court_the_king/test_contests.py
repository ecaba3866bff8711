"""The comparison of the seats: dice in a turn, goals of the present dice, and the final round."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from ftk_core.games.to_court_the_king.character_cost_progress import COST_PROGRESS
from ftk_core.games.to_court_the_king.characters import CHARACTERS, COSTS
from ftk_core.games.to_court_the_king.rules import GAME
from ftk_core.games.to_court_the_king.table_scene import scene
from ftk_core.games.to_court_the_king.table_state import TableState
from ftk_core.views.scene import SeatComparison
from tests.support.games.to_court_the_king.courts import build_table
from tests.support.laws.tables import play_random_matches


def contests_of(table: TableState) -> dict[str, SeatComparison]:
    return {contest.key: contest for contest in scene(table).contests}


def race(active: tuple[int, ...], seat: int = 0, **more: object) -> SeatComparison:
    """Return the race while a seat rolls in the final round, against the seven fives of seat 1."""
    claim = {"king": 1, "queen": 1, "best": (7, 5), "claim": (7, 5), "finals": (None, None)}
    table = build_table(active, **{**claim, "final": True, "order": (seat, 1 - seat), **more})
    return contests_of(table)["lead"]


def test_progress_towards_a_character_is_shown_as_complete_exactly_when_the_dice_can_acquire_it() -> None:
    assert set(COST_PROGRESS) == set(COSTS) == set(CHARACTERS)
    for number in range(1, 9):
        for dice in combinations_with_replacement(range(1, 7), number):
            for name, measure in COST_PROGRESS.items():
                met, needed = measure(dice)
                assert 0 <= met <= needed
                assert (met == needed) == COSTS[name](dice), (name, dice)


def test_the_player_with_the_most_dice_is_shown_as_leader_until_the_king_is_claimed() -> None:
    dice = contests_of(build_table((1, 2, 4), (), "FARMER", "GUARD", "MAGICIAN"))["lead"]
    assert dice.verdict == "@0 leads with the most dice: 5"
    assert dice.entries[0].note == "4 at the start, 1 brought in, 1 character changes dice"
    assert [entry.leads for entry in dice.entries] == [True, False]


def test_each_roll_shows_the_characters_it_can_acquire_and_the_dice_missing_for_other_characters() -> None:
    goals = contests_of(build_table((4, 4), (4, 1)))["goals"]
    assert (goals.verdict, goals.about) == ("@0 can take the Guard", "3 fours")
    hunter = next(entry for entry in goals.entries if entry.label == "Hunter")
    assert (hunter.value, hunter.note, hunter.share) == ("four of a kind", "1 die missing", 75)


def test_the_final_round_display_shows_the_roll_to_beat_and_the_dice_each_player_still_needs() -> None:
    contest = race((6, 6, 6, 6, 6, 1))
    assert contest.verdict == "@1 holds the King; the roll to beat: 7 fives"
    assert [(entry.value, entry.note) for entry in contest.entries] == [
        ("5 sixes", "2 equal dice missing"),
        ("7 fives", "still to roll up to 4 dice"),
    ]


def test_the_display_says_that_an_equal_roll_wins_the_king_only_for_the_holder_of_the_queen() -> None:
    assert race((5,) * 7).entries[0].note == "1 equal die missing"
    assert race((6,) * 7).entries[0].note == "enough to win the King"
    assert race((5,) * 7, queen=0).entries[0].note == "enough to win the King"


def test_no_dice_are_missing_for_the_holder_of_the_queen_while_nobody_has_beaten_the_claim() -> None:
    assert race((1, 2, 3), seat=1).entries[1].note == "enough to win the King"


def test_nobody_is_shown_with_the_king_in_a_final_round_without_a_claim() -> None:
    """T23: after 100 rounds the highest roll wins."""
    table = build_table((), king=0, best=(3, 1), final=True, order=(1,), finals=((3, 1), None), rolled=(0,))
    assert contests_of(table)["lead"].verdict == "Nobody holds the King; the roll to beat: 3 ones"
    assert sum(piece.face == "king" for zone in scene(table).zones for piece in zone.pieces) == 1


@pytest.mark.slow
def test_the_final_display_shows_the_winner_as_leader_and_scores_as_numbers_of_equal_dice() -> None:
    for match in play_random_matches("to_court_the_king", 3):
        final = match.states[-1]
        assert "dice" in contests_of(final), "the race has taken the first place"
        leaders = [entry.seat for entry in contests_of(final)["lead"].entries if entry.leads]
        assert leaders == ([] if final.winner is None else [final.winner])
    assert [GAME.score_text(score, "en") for score in (91, 26, 0)] == ["nine 1s", "two 6s", "no dice"]
