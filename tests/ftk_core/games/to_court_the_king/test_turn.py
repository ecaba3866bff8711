"""A turn: T2-T12, T25, T-G2 to T-G5 and T-G13."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ftk_core.facts import Action
from ftk_core.game import MENU_LIMIT, RuleError
from ftk_core.games.to_court_the_king.box import DICE
from ftk_core.games.to_court_the_king.dice import aims
from ftk_core.games.to_court_the_king.facts import (
    Acquire,
    AcquireNothing,
    Aim,
    DiceChanged,
    DiceRolled,
    Finish,
    Roll,
    SetAside,
    Use,
)
from ftk_core.games.to_court_the_king.rules import decide
from ftk_core.games.to_court_the_king.state import dice_of
from tests.support.games.to_court_the_king.courts import CHANCE, begun, court, menu, play, showing


def test_the_printed_turn_of_suzanne() -> None:
    """T-G2."""
    table = court((6, 5, 2), (), "LABORER", "GUARD", "ASTRONOMER")
    table, _ = play(table, SetAside((2,)), Use("LABORER"))
    assert table.active == (1, 5, 6)
    table, facts = play(table, Roll())
    assert isinstance(facts[0], DiceRolled)
    assert len(facts[0].faces) == 3
    table, _ = play(showing(table, 5, 3, 3), Use("GUARD"), SetAside((2,)), Roll())
    table, _ = play(showing(table, 6, 5, 4), Use("ASTRONOMER"), Aim((6,), (2,)), SetAside((2,)), Roll())
    table, _ = play(showing(table, 3, 2), SetAside((2,)), Roll())
    table, facts = play(showing(table, 4), SetAside((4,)))
    assert table.result == (2, 2, 2, 2, 4)
    offered = {action.card for action in menu(table) if isinstance(action, Acquire)}
    assert offered == {"FOOL", "FARMER", "PHILOSOPHER", "HUNTER"}
    table, _ = play(table, Acquire("HUNTER"))
    assert "HUNTER" in table.cards[0]


@pytest.mark.parametrize(
    ("cards", "charlatans", "dice"),
    [((), 0, 3), (("FARMER",), 0, 4), (("GENERAL",), 0, 5), ((), 3, 6), (("FARMER", "GENERAL"), 20, 12)],
)
def test_what_a_turn_begins_with(cards: tuple[str, ...], charlatans: int, dice: int) -> None:
    """T2, T3."""
    table = replace(begun(), cards=(cards, ()), charlatans=(charlatans, 0))
    assert dice_of(table, 0) == dice


def test_no_thirteenth_die_comes_into_play() -> None:
    """T3."""
    full = court((1,) * 6, (2,) * (DICE - 6), "LABORER")
    assert Use("LABORER") not in menu(full)
    assert Use("LABORER") in menu(court((1,) * 5, (2,) * (DICE - 6), "LABORER"))


def test_with_all_dice_aside_a_die_can_still_be_brought_in() -> None:
    """T4."""
    table, _ = play(court((3, 3), (), "GUARD"), SetAside((3, 3)))
    assert menu(table) == (Finish(), Use("GUARD"))
    more, _ = play(table, Use("GUARD"))
    assert more.active == (2,)
    done, _ = play(table, Finish())
    assert done.result == (3, 3)


def test_without_such_a_character_the_turn_goes_on_by_itself() -> None:
    """T4."""
    table, _ = play(court((3, 3), (), "MAGICIAN"), SetAside((3, 3)))
    assert table.result == (3, 3)


def test_active_dice_must_be_set_aside_and_may_be_all_at_once() -> None:
    """T5."""
    table = court((1, 2, 3))
    assert Finish() not in menu(table)
    assert menu(table)[0] == SetAside((1, 2, 3))


def test_a_die_just_brought_in_may_be_the_one_set_aside() -> None:
    """T6."""
    table, _ = play(replace(court((5, 3, 3), (2,), "GUARD"), may_roll=False), Use("GUARD"))
    assert Roll() not in menu(table)
    table, _ = play(table, SetAside((2,)))
    assert Roll() in menu(table)


@pytest.mark.parametrize("card", ["FOOL", "MERCHANT"])
def test_a_re_roll_by_a_character_is_not_a_roll(card: str) -> None:
    """T7."""
    owing, _ = play(replace(court((1, 2), (6,), card), may_roll=False), Use(card), Aim((1,)))
    assert Roll() not in menu(owing)
    free, facts = play(court((1, 2), (6,), card), Use(card), Aim((1,)))
    assert Roll() in menu(free)
    changed = facts[-1]
    assert isinstance(changed, DiceChanged)
    assert len(changed.after) == 1
    assert len(free.active) == 2


def all_aims(card: str, active: tuple[int, ...], aside: tuple[int, ...] = ()) -> set[tuple[tuple[int, ...], ...]]:
    return {(aim.before, aim.after) for aim in aims(card, tuple(sorted(active)), tuple(sorted(aside)))}


def test_a_use_without_effect_is_not_possible() -> None:
    """T8."""
    assert all_aims("ASTRONOMER", (3,), (3,)) == set()
    assert ((4,), (4,)) not in all_aims("MAGICIAN", (4,))
    assert all_aims("PHILOSOPHER", (5, 3)) == {((3, 5), (2, 6)), ((3, 5), (4, 4))}
    assert all_aims("NOBLEWOMAN", (6, 6)) == set()
    assert Use("NOBLEWOMAN") not in menu(court((6, 6), (), "NOBLEWOMAN"))


def test_what_cannot_be_raised_is_not_offered() -> None:
    """T9."""
    assert all_aims("NOBLEWOMAN", (5, 6)) == {((5,), (6,))}
    assert all_aims("NOBLEMAN", (4, 5, 6)) == {((4,), (6,))}
    assert all_aims("SERVING_MAID", (5,)) == {((5,), (6,))}
    assert all_aims("SERVING_MAID", (2,)) == {((2,), (3,)), ((2,), (4,)), ((2,), (5,))}


def test_the_alchemist_moves_pips_among_two_or_three_dice() -> None:
    """T10, T-G5."""
    assert ((2, 5, 5), (4, 4, 4)) in all_aims("ALCHEMIST", (2, 5, 5))
    assert ((1, 2, 6), (3, 3, 3)) in all_aims("ALCHEMIST", (6, 2, 1))
    assert ((1, 3), (2, 2)) in all_aims("ALCHEMIST", (1, 3))
    for before, after in all_aims("ALCHEMIST", (1, 2, 4, 6)):
        assert sum(before) == sum(after)
        assert all(1 <= face <= 6 for face in after)


def test_the_printed_philosopher_and_astronomer() -> None:
    """T-G3, T-G4."""
    assert ((1, 5), (3, 3)) in all_aims("PHILOSOPHER", (5, 3, 1))
    assert all_aims("ASTRONOMER", (1,), (3, 3)) == {((1,), (3,))}


def test_the_astronomer_needs_a_die_set_aside() -> None:
    """T11."""
    assert Use("ASTRONOMER") not in menu(court((1, 2), (), "ASTRONOMER"))


def test_a_new_character_helps_from_the_next_turn_on() -> None:
    """T12."""
    table, _ = play(court((3, 3, 3)), SetAside((3, 3, 3)), Acquire("GUARD"))
    assert table.order[0] == 1
    assert not any(isinstance(action, Use) for action in menu(table))


def test_a_character_is_used_once_a_turn_and_can_be_used_again_the_next() -> None:
    """T-G13."""
    table, _ = play(court((1, 2), (), "LABORER"), Use("LABORER"))
    assert Use("LABORER") not in menu(table)
    table, _ = play(table, SetAside((1, 1, 2)), AcquireNothing())
    assert table.used == ()


@pytest.mark.parametrize("action", [Roll(), SetAside((6,)), SetAside(()), SetAside((2, 1)), Use("KNIGHT"), Finish()])
def test_what_is_not_on_the_menu_is_refused(action: Action) -> None:
    """T-G13."""
    with pytest.raises(RuleError):
        decide(court((1, 2)), 0, action, CHANCE)


def test_a_die_set_aside_is_out_of_reach() -> None:
    """T-G13."""
    with pytest.raises(RuleError):
        decide(court((1,), (2,)), 0, SetAside((2,)), CHANCE)


def test_a_silent_seat_sets_all_aside_and_takes_nothing() -> None:
    """T25."""
    table, _ = play(begun(), menu(begun())[0])
    assert menu(table)[0] == AcquireNothing()


def test_no_menu_is_too_long_even_with_twelve_different_dice() -> None:
    cards = ("FOOL", "MERCHANT", "ALCHEMIST", "NOBLEWOMAN", "NOBLEMAN", "MAGICIAN", "PHILOSOPHER", "SERVING_MAID")
    table = court((1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6), (), *cards)
    assert len(menu(table)) <= MENU_LIMIT
    for card in cards:
        assert 0 < len(aims(card, table.active, ())) <= MENU_LIMIT
