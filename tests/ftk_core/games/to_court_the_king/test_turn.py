"""A turn: T2-T12, T25, T-G2 to T-G5 and T-G13."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ftk_core.facts import Action
from ftk_core.game import IllegalChoiceError
from ftk_core.games.to_court_the_king.characters import DICE
from ftk_core.games.to_court_the_king.dice_effects import list_effects
from ftk_core.games.to_court_the_king.facts import (
    AcquireAction,
    AcquireNothingAction,
    ChooseEffectAction,
    DiceChanged,
    DiceRolled,
    FinishRollingAction,
    RollAction,
    SetAsideAction,
    UseCharacterAction,
)
from ftk_core.games.to_court_the_king.rules import decide
from ftk_core.games.to_court_the_king.table_state import dice_of
from tests.support.games.to_court_the_king.courts import CHANCE, begin_turn, build_table, list_menu, play, set_roll


def test_replaying_the_rulebook_example_of_suzannes_turn_gives_the_printed_result() -> None:
    """T-G2."""
    table = build_table((6, 5, 2), (), "LABORER", "GUARD", "ASTRONOMER")
    table, _ = play(table, SetAsideAction((2,)), UseCharacterAction("LABORER"))
    assert table.active == (1, 5, 6)
    table, facts = play(table, RollAction())
    assert isinstance(facts[0], DiceRolled)
    assert len(facts[0].faces) == 3
    table, _ = play(set_roll(table, 5, 3, 3), UseCharacterAction("GUARD"), SetAsideAction((2,)), RollAction())
    table, _ = play(
        set_roll(table, 6, 5, 4),
        UseCharacterAction("ASTRONOMER"),
        ChooseEffectAction((6,), (2,)),
        SetAsideAction((2,)),
        RollAction(),
    )
    table, _ = play(set_roll(table, 3, 2), SetAsideAction((2,)), RollAction())
    table, facts = play(set_roll(table, 4), SetAsideAction((4,)))
    assert table.result == (2, 2, 2, 2, 4)
    offered = {action.card for action in list_menu(table) if isinstance(action, AcquireAction)}
    assert offered == {"FOOL", "FARMER", "PHILOSOPHER", "HUNTER"}
    table, _ = play(table, AcquireAction("HUNTER"))
    assert "HUNTER" in table.cards[0]


@pytest.mark.parametrize(
    ("cards", "charlatans", "dice"),
    [((), 0, 3), (("FARMER",), 0, 4), (("GENERAL",), 0, 5), ((), 3, 6), (("FARMER", "GENERAL"), 20, 12)],
)
def test_a_turn_begins_with_three_dice_plus_those_granted_by_characters_up_to_twelve(
    cards: tuple[str, ...], charlatans: int, dice: int
) -> None:
    """T2, T3."""
    table = replace(begin_turn(), cards=(cards, ()), charlatans=(charlatans, 0))
    assert dice_of(table, 0) == dice


def test_a_thirteenth_die_is_never_added() -> None:
    """T3."""
    full = build_table((1,) * 6, (2,) * (DICE - 6), "LABORER")
    assert UseCharacterAction("LABORER") not in list_menu(full)
    assert UseCharacterAction("LABORER") in list_menu(build_table((1,) * 5, (2,) * (DICE - 6), "LABORER"))


def test_a_character_can_add_a_die_after_all_dice_are_set_aside() -> None:
    """T4."""
    table, _ = play(build_table((3, 3), (), "GUARD"), SetAsideAction((3, 3)))
    assert list_menu(table) == (FinishRollingAction(), UseCharacterAction("GUARD"))
    more, _ = play(table, UseCharacterAction("GUARD"))
    assert more.active == (2,)
    done, _ = play(table, FinishRollingAction())
    assert done.result == (3, 3)


def test_a_turn_ends_when_all_dice_are_set_aside_and_no_character_can_add_one() -> None:
    """T4."""
    table, _ = play(build_table((3, 3), (), "MAGICIAN"), SetAsideAction((3, 3)))
    assert table.result == (3, 3)


def test_a_player_must_set_aside_at_least_one_die_and_may_set_aside_all() -> None:
    """T5."""
    table = build_table((1, 2, 3))
    assert not {RollAction(), FinishRollingAction()} & {*list_menu(table)}
    assert list_menu(table)[0] == SetAsideAction((1, 2, 3))


def test_a_die_that_was_just_added_may_be_set_aside() -> None:
    """T6."""
    table, _ = play(replace(build_table((5, 3, 3), (2,), "GUARD"), may_roll=False), UseCharacterAction("GUARD"))
    assert RollAction() not in list_menu(table)
    table, _ = play(table, SetAsideAction((2,)))
    assert RollAction() in list_menu(table)


@pytest.mark.parametrize("card", ["FOOL", "MERCHANT"])
def test_a_re_roll_by_a_character_neither_uses_nor_grants_a_regular_roll(card: str) -> None:
    """T7."""
    owing, _ = play(
        replace(build_table((1, 2), (6,), card), may_roll=False), UseCharacterAction(card), ChooseEffectAction((1,))
    )
    assert RollAction() not in list_menu(owing)
    free, facts = play(build_table((1, 2), (6,), card), UseCharacterAction(card), ChooseEffectAction((1,)))
    assert RollAction() in list_menu(free)
    changed = facts[-1]
    assert isinstance(changed, DiceChanged)
    assert len(changed.after) == 1
    assert len(free.active) == 2


def all_aims(card: str, active: tuple[int, ...], aside: tuple[int, ...] = ()) -> set[tuple[tuple[int, ...], ...]]:
    return {(aim.before, aim.after) for aim in list_effects(card, tuple(sorted(active)), tuple(sorted(aside)))}


def test_a_character_cannot_be_used_without_effect() -> None:
    """T8."""
    assert all_aims("ASTRONOMER", (3,), (3,)) == set()
    assert ((4,), (4,)) not in all_aims("MAGICIAN", (4,))
    assert all_aims("PHILOSOPHER", (5, 3)) == {((3, 5), (2, 6)), ((3, 5), (4, 4))}
    assert all_aims("NOBLEWOMAN", (6, 6)) == set()
    assert UseCharacterAction("NOBLEWOMAN") not in list_menu(build_table((6, 6), (), "NOBLEWOMAN"))


def test_a_die_that_cannot_be_raised_is_not_offered() -> None:
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
    moves = all_aims("ALCHEMIST", (2, 2, 5, 5))
    assert {len(before) for before, _ in moves} == {2, 3}
    for before, after in moves:
        assert sum(before) == sum(after)
        assert all(1 <= face <= 6 for face in after)


def test_the_engine_allows_the_rulebook_examples_of_the_philosopher_and_the_astronomer() -> None:
    """T-G3, T-G4."""
    assert ((1, 5), (3, 3)) in all_aims("PHILOSOPHER", (5, 3, 1))
    assert all_aims("ASTRONOMER", (1,), (3, 3)) == {((1,), (3,))}


def test_the_astronomer_cannot_be_used_without_a_die_set_aside() -> None:
    """T11."""
    assert UseCharacterAction("ASTRONOMER") not in list_menu(build_table((1, 2), (), "ASTRONOMER"))


def test_a_new_character_can_be_used_from_the_next_turn_on() -> None:
    """T12."""
    table, _ = play(build_table((3, 3, 3)), SetAsideAction((3, 3, 3)), AcquireAction("GUARD"))
    assert table.order[0] == 1
    assert not any(isinstance(action, UseCharacterAction) for action in list_menu(table))
    for _ in range(2):  # seat 1 ends this round and begins the next
        table, _ = play(table, SetAsideAction(table.active), AcquireNothingAction())
    assert table.order[0] == 0
    assert UseCharacterAction("GUARD") in list_menu(table)


def test_a_character_can_be_used_once_in_each_turn() -> None:
    """T-G13."""
    table, _ = play(build_table((1, 2), (), "LABORER"), UseCharacterAction("LABORER"))
    assert UseCharacterAction("LABORER") not in list_menu(table)
    table, _ = play(table, SetAsideAction((1, 1, 2)), AcquireNothingAction())
    assert table.used == ()


@pytest.mark.parametrize(
    "action",
    [
        RollAction(),
        SetAsideAction((6,)),
        SetAsideAction(()),
        SetAsideAction((2, 1)),
        UseCharacterAction("KNIGHT"),
        FinishRollingAction(),
    ],
)
def test_an_action_outside_the_menu_is_refused(action: Action) -> None:
    """T-G13."""
    with pytest.raises(IllegalChoiceError):
        decide(build_table((1, 2)), 0, action, CHANCE)


def test_a_die_that_is_set_aside_cannot_be_changed() -> None:
    """T-G13."""
    with pytest.raises(IllegalChoiceError):
        decide(build_table((1,), (2,)), 0, SetAsideAction((2,)), CHANCE)
    table, _ = play(build_table((1,), (2,), "MAGICIAN"), UseCharacterAction("MAGICIAN"))
    with pytest.raises(IllegalChoiceError):
        decide(table, 0, ChooseEffectAction((2,), (5,)), CHANCE)


def test_a_player_who_does_not_answer_sets_all_dice_aside_and_takes_no_character() -> None:
    """T25."""
    table, _ = play(begin_turn(), list_menu(begin_turn())[0])
    assert list_menu(table)[0] == AcquireNothingAction()
