"""Characters, rounds, the claim and the final round: T1, T13-T24, T-G6, T-G7 and T-G11."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ftk_core.games.to_court_the_king.characters import MAX_ROUNDS
from ftk_core.games.to_court_the_king.facts import (
    AcquireAction,
    AcquireNothingAction,
    ChooseEffectAction,
    ConcedeAction,
    KingClaimed,
    RollAction,
    SetAsideAction,
    UseCharacterAction,
)
from ftk_core.games.to_court_the_king.rules import result
from ftk_core.games.to_court_the_king.table_state import TableState, copies_in_display, to_act
from tests.support.games.to_court_the_king.courts import begin_turn, build_table, list_menu, play, set_roll

A, B, C, D = range(4)


def offered(table: TableState) -> set[str]:
    return {action.card for action in list_menu(table) if isinstance(action, AcquireAction)}


def turn(table: TableState, *faces: int, acquire: str | None = None) -> TableState:
    """Play a whole turn in which the seat to act comes to these dice."""
    table, _ = play(set_roll(table, *faces), SetAsideAction(tuple(sorted(faces))))
    if table.result is not None and not table.final:
        table, _ = play(table, AcquireAction(acquire) if acquire else AcquireNothingAction())
    return table


def test_a_fool_is_exchanged_for_a_charlatan_before_the_next_fool_is_acquired() -> None:
    """T1, T-G11."""
    table = turn(turn(turn(begin_turn(), 1, 2, 4, acquire="FOOL"), 1, 2, 4), 1, 2, 4)
    assert table.cards[0] == ("FOOL",)
    table, _ = play(set_roll(table, 1, 2, 4), SetAsideAction((1, 2, 4)))
    assert "CHARLATAN" in offered(table)
    assert "FOOL" not in offered(table)
    table, _ = play(table, AcquireAction("CHARLATAN"))
    assert (table.cards[0], table.charlatans[0]) == ((), 1)
    assert (table.order[0], len(table.active)) == (0, 4), "the Charlatan adds a die to the next turn"
    table, _ = play(set_roll(table, 1, 2, 4, 6), SetAsideAction((1, 2, 4, 6)))
    assert offered(table) & {"FOOL", "CHARLATAN"} == {"FOOL"}


def test_a_player_is_not_offered_a_second_copy_of_a_character() -> None:
    """T13."""
    table, _ = play(build_table((3, 3, 3), (), "GUARD"), SetAsideAction((3, 3, 3)))
    table, _ = play(table, *([list_menu(table)[0]] if table.result is None else []))
    assert "GUARD" not in offered(table)
    assert "FARMER" in offered(table)


def test_a_character_of_which_no_copy_is_left_is_not_offered() -> None:
    """T14."""
    table = build_table((3, 3, 3))
    display = tuple((name, 0 if name == "GUARD" else left) for name, left in table.display)
    table, _ = play(replace(table, display=display), SetAsideAction((3, 3, 3)))
    assert offered(table) & {"GUARD", "FARMER"} == {"FARMER"}


def test_seven_of_a_kind_may_be_used_for_another_character_than_the_king() -> None:
    """T15."""
    table, _ = play(build_table((4,) * 7), SetAsideAction((4,) * 7))
    assert {"KING", "GENERAL", "KNIGHT"} <= offered(table)
    table, _ = play(table, AcquireAction("GENERAL"))
    assert table.king is None


def test_claiming_the_king_with_eight_of_a_kind_counts_all_eight_dice() -> None:
    """T16."""
    table, _ = play(build_table((5,) * 8 + (1,)), SetAsideAction((1,) + (5,) * 8))
    table, facts = play(table, AcquireAction("KING"))
    assert facts[0] == KingClaimed(0, 8, 5)
    assert (table.king, table.queen, table.claim) == (0, 0, (8, 5))


def test_no_other_player_can_claim_the_king_in_the_same_round() -> None:
    """T17."""
    table, _ = play(build_table((4,) * 7), SetAsideAction((4,) * 7), AcquireAction("KING"))
    table, _ = play(set_roll(table, *(6,) * 7), SetAsideAction((6,) * 7))
    assert copies_in_display(table, "KING") == 0
    assert "KING" not in offered(table)
    assert table.best == (7, 4)


@pytest.mark.parametrize(
    ("seats", "orders"),
    [
        (2, ["AB", "BA", "AB"]),
        (3, ["ABC", "CAB", "BCA"]),
        (4, ["ABCD", "DABC", "CDAB", "BCDA", "ABCD"]),
        (5, ["ABCDE", "EABCD", "DEABC"]),
    ],
)
def test_each_round_is_started_by_the_right_neighbour_of_the_previous_start_player(
    seats: int, orders: list[str]
) -> None:
    """T-G7."""
    table = begin_turn(seats)
    for order in orders:
        seen = ""
        for _ in range(seats):
            seen += "ABCDE"[to_act(table)[0]]
            table = turn(table, 1, 2, 4)
        assert seen == order


def final_of_four() -> TableState:
    """Return the printed example: B has claimed with seven 2s in a round that A began."""
    table = begin_turn(4)
    table = turn(table, 1, 2, 4)
    table = turn(table, *(2,) * 7, acquire="KING")
    table = turn(table, 1, 2, 4)
    return turn(table, 1, 2, 4)


def roll(table: TableState, count: int, value: int) -> TableState:
    """Take a final turn that ends with `count` dice of one value."""
    table, _ = play(table, RollAction())
    table = set_roll(table, *(value,) * count)
    table, _ = play(table, SetAsideAction((value,) * count))
    return table if table.over or not table.rolling else play(table, list_menu(table)[0])[0]


def test_replaying_the_rulebook_example_of_a_final_round_gives_the_printed_result() -> None:
    """T-G6, T18, T19."""
    table = final_of_four()
    assert table.final
    assert table.order == (D, A, C, B)
    table = roll(table, 8, 1)
    assert table.king == D
    table, _ = play(table, ConcedeAction())
    table = roll(table, 8, 3)
    assert table.king == C
    table = roll(table, 8, 4)
    assert table.over
    assert table.winner == B
    assert result(table).places == (4, 1, 2, 3)
    assert result(table).scores == (0, 84, 83, 81)


@pytest.mark.parametrize(("last", "winner"), [((8, 3), B), ((8, 2), C)])
def test_the_holder_of_the_queen_keeps_the_king_with_a_roll_equal_to_the_best_in_the_final_round(
    last: tuple[int, int], winner: int
) -> None:
    """T21, T-G6."""
    table = roll(final_of_four(), 8, 1)
    table, _ = play(table, ConcedeAction())
    table = roll(roll(table, 8, 3), *last)
    assert table.winner == winner


def test_the_holder_of_the_queen_wins_with_any_roll_if_no_player_beat_the_claim() -> None:
    """T-G6, T24: the claim counts as the result of the player who made it."""
    table = final_of_four()
    for _ in range(3):
        table = roll(table, 2, 6)
    table = roll(table, 1, 1)
    assert table.winner == B
    assert result(table).scores[B] == 72


def test_the_earlier_of_two_equal_rolls_wins_the_final_round() -> None:
    """T20, T24."""
    table = roll(final_of_four(), 8, 3)
    table = roll(table, 8, 3)
    assert table.king == D
    table, _ = play(table, ConcedeAction())
    table = roll(table, 3, 1)
    assert table.winner == D
    assert result(table).places == (2, 3, 4, 1)


def final_after(claim: tuple[int, int]) -> TableState:
    """Return the start of a four-player final round after D, last in turn order, has claimed with these dice."""
    table = begin_turn(4)
    for _ in range(3):
        table = turn(table, 1, 2, 4)
    return turn(table, *(claim[1],) * claim[0], acquire="KING")


@pytest.mark.parametrize(
    ("finals", "places"),
    [
        ({A: (8, 1), B: (7, 2), C: (2, 1), D: (3, 1)}, (1, 3, 4, 2)),
        ({A: (8, 1), B: (7, 2), C: (2, 1), D: (7, 2)}, (1, 3, 4, 2)),  # D's own roll is no better than the claim
        ({A: (8, 1), B: (7, 3), C: (7, 3), D: (7, 3)}, (1, 2, 3, 4)),  # better than the claim: it counts as the last
        ({A: (8, 1), B: (7, 2), C: (7, 2), D: (1, 1)}, (1, 3, 4, 2)),
    ],
)
def test_a_player_whose_claim_of_the_king_was_beaten_ranks_ahead_of_players_who_later_rolled_the_same(
    finals: dict[int, tuple[int, int]], places: tuple[int, ...]
) -> None:
    """T20, T24: a claim that counts was rolled before all results of the final round."""
    table = final_after((7, 2))
    for seat in table.order:
        table = roll(table, *finals[seat])
    assert table.winner == A
    assert result(table).places == places


def test_the_queen_adds_a_chosen_die_to_the_final_roll_only() -> None:
    table = final_of_four()
    for _ in range(3):
        table, _ = play(table, ConcedeAction())
    table, _ = play(table, RollAction())
    assert UseCharacterAction("QUEEN") in list_menu(table)
    table, _ = play(table, UseCharacterAction("QUEEN"))
    assert list_menu(table)[0] == ChooseEffectAction((), (6,))
    before, (table, _) = table.active, play(table, ChooseEffectAction((), (2,)))
    assert table.active == tuple(sorted((*before, 2)))
    assert UseCharacterAction("QUEEN") not in list_menu(table)
    assert UseCharacterAction("QUEEN") not in list_menu(build_table((1, 2), king=0, queen=0)), "no final roll"


def test_a_game_in_which_nobody_claims_the_king_ends_with_a_roll_off() -> None:
    """T23: without King and Queen, in the usual order. The best result wins; of equal results, the earlier one."""
    table = replace(begin_turn(3), round=MAX_ROUNDS)
    for _ in range(3):
        table = turn(table, 1, 2, 4)
    assert table.final
    assert table.order == (2, 0, 1)
    table = roll(table, 2, 5)
    table = roll(table, 3, 1)
    table = roll(table, 3, 1)
    assert table.winner == 0
    assert result(table).places == (1, 2, 3)


def test_a_roll_off_that_every_player_concedes_still_has_exactly_one_winner() -> None:
    """T23: a roll-off without any roll has a winner, too."""
    table = replace(begin_turn(2), round=MAX_ROUNDS)
    table = turn(turn(table, 1, 2, 4), 1, 2, 4)
    assert table.order == (1, 0)
    table, _ = play(table, ConcedeAction(), ConcedeAction())
    assert table.over
    assert table.winner == 1, "the first in the order of the final round"
    assert result(table).places == (2, 1)


def test_by_default_a_player_in_the_final_round_rolls_instead_of_conceding() -> None:
    """T25."""
    assert list_menu(final_of_four())[0] == RollAction()
