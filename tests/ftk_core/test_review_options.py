"""The options with which a review compares a choice, and the knowledge that it compares them with."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from ftk_core.analysis.action_value_estimates import evaluate_options
from ftk_core.analysis.alternative_move_selection import MAX_OPTIONS, select_items
from ftk_core.analysis.choice_evaluation import ChoiceEvaluation
from ftk_core.analysis.playouts import PlayoutPosition, RandomPlayoutPolicy
from ftk_core.facts import OMNISCIENT
from ftk_core.games import game
from ftk_core.games.pig.rules import HoldAction
from ftk_core.match_moves import MatchMove, moves_of
from ftk_core.native.native_game_rules import PlayoutStartingPosition
from tests.support.reviews import log_of, policy_for

PLAYOUTS = 24


def moves_in(name: str, seats: int) -> list[MatchMove]:
    """Return the moves of a match with which a seat answered a question."""
    return [move for move in moves_of(log_of(name, seats)).moves if move.entry is not None]


def position_of(name: str, move: MatchMove) -> PlayoutStartingPosition:
    viewer = move.seat if game(name).resample else OMNISCIENT
    return PlayoutStartingPosition(game=game(name), state=move.turn_start, seats=move.seats, viewer=viewer)


def items_of(name: str, move: MatchMove) -> tuple[int, ...]:
    return select_items(move, PlayoutPosition(position_of(name, move), policy_for(name), ("options", name)))


def weigh(name: str, move: MatchMove, playouts: int = PLAYOUTS) -> ChoiceEvaluation:
    return evaluate_options(position_of(name, move), move, policy_for(name), ("weighed", name), playouts)


@pytest.mark.parametrize(("name", "seats"), [("for_the_king", 4), ("kings_court", 6), ("to_court_the_king", 3)])
def test_a_review_compares_a_choice_with_the_first_menu_item_and_a_limited_number_of_others(
    name: str, seats: int
) -> None:
    for move in moves_in(name, seats)[::20]:
        items = items_of(name, move)
        assert {0, move.chosen} <= {*items} <= {*range(len(move.menu))}
        assert items == tuple(sorted(set(items)))
        assert len(items) <= MAX_OPTIONS


def test_a_review_compares_a_bid_with_passing_and_with_the_lowest_and_similarly_sized_bids() -> None:
    bids = [move for move in moves_in("for_the_king", 4) if move.menu[move.chosen].__class__.__name__ == "BidAction"]
    for move in bids[::5]:
        amounts = {getattr(move.menu[item], "amount", 0) for item in items_of("for_the_king", move)}
        chosen, lowest = (getattr(move.menu[item], "amount", 0) for item in (move.chosen, 1))
        assert amounts >= {0, *range(lowest, lowest + 6), *range(max(lowest, chosen - 2), chosen + 3)}


def test_a_match_review_evaluates_every_accusation_that_was_available_at_a_choice() -> None:
    for move in moves_in("kings_court", 6):
        tried = {move.menu[item] for item in items_of("kings_court", move)}
        accusations = {action for action in move.menu if action.__class__.__name__ == "AccuseAction"}
        assert accusations <= tried


def test_a_match_review_tries_statements_on_all_topics_and_questions_to_all_seats_in_kings_court() -> None:
    rules, kinds_of_talk = game("kings_court"), ("ClaimAction", "AskAction")
    menus = 0
    for move in moves_in("kings_court", 6):
        offered = {rules.variety(action) for action in move.menu if type(action).__name__ in kinds_of_talk}
        tried = {rules.variety(move.menu[item]) for item in items_of("kings_court", move)}
        assert offered <= tried
        menus += len(offered) > 3
    assert menus > 5


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), [("for_the_king", 3), ("kings_court", 6), ("pig", 2)])
def test_python_and_native_rules_give_the_same_evaluation_of_a_choice_in_a_review(
    name: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = moves_in(name, seats)
    some = chosen[:: max(1, len(chosen) // 4)]
    native = [weigh(name, move, 4) for move in some]
    monkeypatch.setattr("ftk_core.native.native_game_rules.has_native_rules", lambda _game: False)
    assert [weigh(name, move, 4) for move in some] == native


@pytest.mark.slow
@pytest.mark.parametrize("is_answer", [False, True])
def test_python_and_native_rules_give_the_same_results_after_a_silence_with_a_later_claim(
    is_answer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = game("kings_court")
    silences = [move for move in moves_in("kings_court", 6) if rules.postpones(move.menu[0])]
    move = next(move for move in silences if rules.postpones(move.menu[1]) == is_answer)

    def results_with_later_claim() -> list[list[tuple[int, ...]]]:
        position = PlayoutPosition(position_of("kings_court", move), policy_for("kings_court"), ("later",))
        return [position.play_out_items(move.seat, [0], range(6), later)[0] for later in (None, 2, 3, 4)]

    native = results_with_later_claim()
    monkeypatch.setattr("ftk_core.native.native_game_rules.has_native_rules", lambda _game: False)
    assert results_with_later_claim() == native


def test_options_with_equal_results_in_each_playout_have_equal_estimates_despite_different_numbers_of_playouts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def win_first_playouts(
        _self: Any, _seat: int, items: Sequence[int], numbers: range, _later: int | None
    ) -> list[list[tuple[int, ...]]]:
        return [[(1, 2, 2, 2) if number < 8 else (4, 1, 2, 3) for number in numbers] for _ in items]

    monkeypatch.setattr(PlayoutPosition, "play_out_items", win_first_playouts)
    move = next(move for move in moves_in("for_the_king", 4) if move.seat == 0 and len(move.menu) > 9)
    weighing = weigh("for_the_king", move, 60)
    assert len({option.playouts for option in weighing.options}) > 1
    assert len({option.share for option in weighing.options}) == 1


def test_a_review_names_the_better_option_for_a_choice_that_misses_an_immediate_win() -> None:
    rules = game("pig")
    state = msgspec.structs.replace(rules.setup(2, rules.options()), banked=(1, 80), gathered=99, rolls=2)
    menu = rules.legal(state, 0)
    hold = next(item for item, action in enumerate(menu) if isinstance(action, HoldAction))
    move = MatchMove(
        seat=0, seats=2, menu=menu, chosen=1 - hold, entry=1, turn_start=state, before=state, after=state, facts=(),
        frame=0,
    )  # fmt: skip
    weighed = evaluate_options(position_of("pig", move), move, RandomPlayoutPolicy(), ("blunder",), PLAYOUTS)
    assert weighed.loss is not None
    assert weighed.loss.better == hold
    assert weighed.loss.sure_share > 0
    assert Fraction(weighed.cost) > 0


def test_a_review_names_no_better_option_for_a_choice_that_costs_nothing() -> None:
    weighed = [weigh("pig", move) for move in moves_in("pig", 2)]
    best = [one for one in weighed if one.cost == "0"]
    assert best
    assert all(one.loss is None for one in best)


def test_playouts_that_evaluate_menu_items_do_not_change_later_playouts_of_the_same_position() -> None:
    move = moves_in("pig", 2)[0]
    position = PlayoutPosition(position_of("pig", move), policy_for("pig"), ("again",))
    before = position.play_out(range(3))
    position.play_out_items(move.seat, [0, 1], range(3))
    assert position.play_out(range(3)) == before
