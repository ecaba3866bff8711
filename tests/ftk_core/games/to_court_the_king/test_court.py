"""Characters, rounds, the claim and the final round: T1, T13-T24, T-G6, T-G7 and T-G11."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ftk_core.games.to_court_the_king.box import MAX_ROUNDS
from ftk_core.games.to_court_the_king.facts import (
    Acquire,
    AcquireNothing,
    Aim,
    Concede,
    KingClaimed,
    Roll,
    SetAside,
    Use,
)
from ftk_core.games.to_court_the_king.rules import result
from ftk_core.games.to_court_the_king.state import Table, in_display, to_act
from tests.support.games.to_court_the_king.courts import begun, court, menu, play, showing

A, B, C, D = range(4)


def offered(table: Table) -> set[str]:
    return {action.card for action in menu(table) if isinstance(action, Acquire)}


def turn(table: Table, *faces: int, acquire: str | None = None) -> Table:
    """Play a whole turn in which the seat to act comes to these dice."""
    table, _ = play(showing(table, *faces), SetAside(tuple(sorted(faces))))
    if table.result is not None and not table.final:
        table, _ = play(table, Acquire(acquire) if acquire else AcquireNothing())
    return table


def test_a_fool_is_turned_into_a_charlatan_before_the_next_fool() -> None:
    """T1, T-G11."""
    table = begun()
    table = turn(table, 1, 2, 4, acquire="FOOL")
    table = turn(table, 1, 2, 4)
    table = turn(table, 1, 2, 4)
    assert table.cards[0] == ("FOOL",)
    table, _ = play(showing(table, 1, 2, 4), SetAside((1, 2, 4)))
    assert "CHARLATAN" in offered(table)
    assert "FOOL" not in offered(table)
    table, _ = play(table, Acquire("CHARLATAN"))
    assert (table.cards[0], table.charlatans[0]) == ((), 1)


def test_a_second_copy_is_not_offered() -> None:
    """T13."""
    table, _ = play(court((3, 3, 3), (), "GUARD"), SetAside((3, 3, 3)))
    table, _ = play(table, *([menu(table)[0]] if table.result is None else []))
    assert "GUARD" not in offered(table)
    assert "FARMER" in offered(table)


def test_an_empty_pile_is_gone() -> None:
    """T14."""
    table = court((3, 3, 3))
    display = tuple((name, 0 if name == "GUARD" else left) for name, left in table.display)
    table, _ = play(replace(table, display=display), SetAside((3, 3, 3)))
    assert "GUARD" not in offered(table)


def test_seven_of_a_kind_may_be_used_for_another_character() -> None:
    """T15."""
    table, _ = play(court((4,) * 7), SetAside((4,) * 7))
    assert {"KING", "GENERAL", "KNIGHT"} <= offered(table)
    table, _ = play(table, Acquire("GENERAL"))
    assert table.king is None


def test_eight_of_a_kind_claim_with_all_of_them() -> None:
    """T16."""
    table, _ = play(court((5,) * 8 + (1,)), SetAside((1,) + (5,) * 8))
    table, facts = play(table, Acquire("KING"))
    assert facts[0] == KingClaimed(0, 8, 5)
    assert (table.king, table.queen, table.claim) == (0, 0, (8, 5))


def test_nobody_else_can_claim_in_the_same_round() -> None:
    """T17."""
    table, _ = play(court((4,) * 7), SetAside((4,) * 7), Acquire("KING"))
    table, _ = play(showing(table, *(6,) * 7), SetAside((6,) * 7))
    assert in_display(table, "KING") == 0
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
def test_each_round_begins_with_the_right_neighbour_of_the_last_start_player(seats: int, orders: list[str]) -> None:
    """T-G7."""
    table = begun(seats)
    for order in orders:
        seen = ""
        for _ in range(seats):
            seen += "ABCDE"[to_act(table)[0]]
            table = turn(table, 1, 2, 4)
        assert seen == order


def final_of_four() -> Table:
    """Return the printed example: B has claimed with seven 2s in a round that A began."""
    table = begun(4)
    table = turn(table, 1, 2, 4)
    table = turn(table, *(2,) * 7, acquire="KING")
    table = turn(table, 1, 2, 4)
    return turn(table, 1, 2, 4)


def roll(table: Table, count: int, value: int) -> Table:
    """Take a final turn that comes to so many dice of a value."""
    table, _ = play(table, Roll())
    table = showing(table, *(value,) * count)
    table, _ = play(table, SetAside((value,) * count))
    return table if table.over or not table.rolling else play(table, menu(table)[0])[0]


def test_the_printed_final_round() -> None:
    """T-G6, T18, T19."""
    table = final_of_four()
    assert table.final
    assert table.order == (D, A, C, B)
    table = roll(table, 8, 1)
    assert table.king == D
    table, _ = play(table, Concede())
    table = roll(table, 8, 3)
    assert table.king == C
    table = roll(table, 8, 4)
    assert table.over
    assert table.winner == B
    assert result(table).places == (4, 1, 2, 3)
    assert result(table).scores == (0, 84, 83, 81)


@pytest.mark.parametrize(("last", "winner"), [((8, 3), B), ((8, 2), C)])
def test_the_queens_holder_need_only_match(last: tuple[int, int], winner: int) -> None:
    """T21, T-G6."""
    table = roll(final_of_four(), 8, 1)
    table, _ = play(table, Concede())
    table = roll(roll(table, 8, 3), *last)
    assert table.winner == winner


def test_a_claim_that_nobody_beats_wins_with_any_roll() -> None:
    """T-G6, T24: the claim counts as the claimer's own."""
    table = final_of_four()
    for _ in range(3):
        table = roll(table, 2, 6)
    table = roll(table, 1, 1)
    assert table.winner == B
    assert result(table).scores[B] == 72


def test_the_first_of_equal_challengers_stays_ahead() -> None:
    """T20, T24."""
    table = roll(final_of_four(), 8, 3)
    table = roll(table, 8, 3)
    assert table.king == D
    table, _ = play(table, Concede())
    table = roll(table, 3, 1)
    assert table.winner == D
    assert result(table).places == (2, 3, 4, 1)


def final_after(claim: tuple[int, int]) -> Table:
    """Return the beginning of the final round of four once D, the last of its round, has claimed with these dice."""
    table = begun(4)
    for _ in range(3):
        table = turn(table, 1, 2, 4)
    return turn(table, *(claim[1],) * claim[0], acquire="KING")


@pytest.mark.parametrize(
    ("finals", "places"),
    [
        ({A: (8, 1), B: (7, 2), C: (2, 1), D: (3, 1)}, (1, 3, 4, 2)),
        ({A: (8, 1), B: (7, 2), C: (2, 1), D: (7, 2)}, (1, 3, 4, 2)),  # D's own roll is no better than the claim
        ({A: (8, 1), B: (7, 3), C: (7, 3), D: (7, 3)}, (1, 2, 3, 4)),  # better than the claim: it counts, and is last
        ({A: (8, 1), B: (7, 2), C: (7, 2), D: (1, 1)}, (1, 3, 4, 2)),
    ],
)
def test_a_beaten_claim_is_ahead_of_the_same_dice_rolled_later(
    finals: dict[int, tuple[int, int]], places: tuple[int, ...]
) -> None:
    """T20, T24: a claim that counts was rolled before all final results."""
    table = final_after((7, 2))
    for seat in table.order:
        table = roll(table, *finals[seat])
    assert table.winner == A
    assert result(table).places == places


def test_the_queen_brings_any_die_into_the_final_roll_only() -> None:
    table = final_of_four()
    for _ in range(3):
        table, _ = play(table, Concede())
    table, _ = play(table, Roll())
    assert Use("QUEEN") in menu(table)
    table, _ = play(table, Use("QUEEN"))
    assert menu(table)[0] == Aim((), (6,))
    before = len(table.active)
    table, _ = play(table, Aim((), (2,)))
    assert len(table.active) == before + 1
    assert Use("QUEEN") not in menu(table)


def test_a_game_in_which_nobody_claims_ends_with_a_roll_off() -> None:
    """T23: normal order, no King and Queen, the best result wins, the earlier of equals."""
    table = replace(begun(3), round=MAX_ROUNDS)
    for _ in range(3):
        table = turn(table, 1, 2, 4)
    assert table.final
    assert table.order == (2, 0, 1)
    table = roll(table, 2, 5)
    table = roll(table, 3, 1)
    table = roll(table, 3, 1)
    assert table.winner == 0
    assert result(table).places == (1, 2, 3)


def test_when_all_concede_a_roll_off_the_first_in_order_wins() -> None:
    """T23: somebody must."""
    table = replace(begun(2), round=MAX_ROUNDS)
    for _ in range(2):
        table = turn(table, 1, 2, 4)
    table, _ = play(table, Concede(), Concede())
    assert table.over
    assert sorted(result(table).places) == [1, 2]


def test_a_silent_seat_rolls_in_the_final_round() -> None:
    """T25."""
    assert menu(final_of_four())[0] == Roll()
