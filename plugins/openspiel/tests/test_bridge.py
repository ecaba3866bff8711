"""Bridged games equal OpenSpiel's own play of the same choices and chance."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pyspiel
import pytest
from ftk_openspiel import games
from ftk_openspiel.games import bridge
from ftk_openspiel.spiel_bots import MAX_REPLAYED_ENTRIES, guess_state
from ftk_openspiel.table_state import EVERYBODY

from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.games import build_of, list_games
from ftk_core.kit.laws.random_matches import RandomMatch, play_random_match
from ftk_core.plugins import plugin_of_build

NAMES = ["backgammon", "connect_four", "gin_rummy", "hearts", "hex", "kuhn_poker", "leduc_poker", "liars_dice"]
MATCHES = int(os.environ.get("FTK_OPENSPIEL_MATCHES", "3"))
"""Number of random matches of each game; 1000 for the long form."""


def choices_of(match: RandomMatch) -> list[int]:
    return [getattr(fact, "action", None) if hasattr(fact, "action") else fact.outcome for fact in match.facts]  # type: ignore[attr-defined]  # each fact of the bridge has it


@pytest.mark.parametrize("name", NAMES)
def test_every_action_and_reward_equals_openspiels_own(name: str) -> None:
    rules = bridge(name)
    for number in range(MATCHES):
        match = play_random_match(rules, rules.seats[0], number, rules.options())
        state, moments = pyspiel.load_game(name).new_initial_state(), iter(match.moments)
        for choice in choices_of(match):
            if state.is_chance_node():
                assert choice in [outcome for outcome, _ in state.chance_outcomes()]
            else:
                moment = next(moments)
                assert moment.seat == state.current_player()
                assert [action.action for action in moment.menu] == state.legal_actions()  # type: ignore[attr-defined]  # each fact of the bridge has it
            state.apply_action(choice)
        assert state.is_terminal()
        assert next(moments, None) is None
        assert rules.result(match.states[-1]).scores == tuple(round(value) for value in state.returns())


def test_chance_follows_openspiels_probabilities() -> None:
    rules = bridge("kuhn_poker")
    firsts = [play_random_match(rules, 2, number, rules.options()).states[-1].history[0] for number in range(600)]
    assert all(150 <= firsts.count(card) <= 250 for card in range(3)), "each card one time in three; 4 deviations"


def test_a_private_card_is_told_to_its_seat_only() -> None:
    rules = bridge("leduc_poker")
    match = play_random_match(rules, 2, 0, rules.options())
    first, second = match.states[1], match.states[2]
    assert [fact.seat for fact in match.facts[:2]] == [0, 1]  # type: ignore[attr-defined]  # each fact of the bridge has it
    assert "[Private: -10000]" in rules.view(first, 1).text
    assert f"[Private: {second.history[0]}]" in rules.view(second, 0).text
    assert rules.view(second, PUBLIC).text == "[Round 1][Player: 0][Pot: 2][Money: 99 99][Ante: 1 1]"
    assert rules.view(second, PUBLIC).history == (-1, -1)
    assert [rules.view(second, seat).history for seat in (0, 1)] == [(second.history[0], -1), (-1, second.history[1])]
    assert rules.view(second, OMNISCIENT).history == second.history


@pytest.mark.parametrize("name", ["gin_rummy", "hearts", "liars_dice"])
def test_an_entry_told_to_one_seat_only_or_to_nobody_is_hidden_from_the_public(name: str) -> None:
    rules = bridge(name)
    last = play_random_match(rules, rules.seats[0], 1, rules.options()).states[-1]
    hidden = [at for at, told in enumerate(last.told) if told != EVERYBODY]
    assert hidden
    assert [rules.view(last, PUBLIC).history[at] for at in hidden] == [-1] * len(hidden)


def test_actions_in_open_games_and_bids_are_told_to_everybody() -> None:
    for name in ("connect_four", "backgammon", "liars_dice", "leduc_poker"):
        match = play_random_match(bridge(name), 2, 1, bridge(name).options())
        assert not any(type(fact).__name__ == "ActionHidden" for fact in match.facts), name


@pytest.mark.parametrize(
    ("name", "message"),
    [("goofspiel", "simultaneous moves"), ("2048", "not for 2 to 10 players"), ("no_such_game", "has no game")],
)
def test_a_game_that_cannot_be_bridged_is_refused_with_the_reason(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bridge(name)
    with pytest.raises(AttributeError, match=message):
        getattr(games, name)


@pytest.mark.parametrize("name", ["leduc_poker", "liars_dice", "connect_four"])
def test_a_hidden_state_dealt_for_a_bot_is_consistent_with_what_its_seat_knows(name: str) -> None:
    rules = bridge(name)
    for moment in play_random_match(rules, 2, 2, rules.options()).moments:
        seen = rules.view(moment.state, moment.seat)
        view: dict[str, Any] = {"text": seen.text, "history": list(seen.history)}
        state = guess_state(pyspiel.load_game(name), moment.seat, view, Random(1))
        assert state is not None
        assert state.legal_actions() == moment.state.spiel.legal_actions()


def test_dealing_a_hidden_state_for_a_bot_stops_before_the_clock_of_the_bot_runs_out() -> None:
    rules, tried = bridge("gin_rummy"), []

    class CountingGame:
        def new_initial_state(self) -> Any:
            tried.append(pyspiel.load_game("gin_rummy").new_initial_state())
            return tried[-1]

    match = play_random_match(rules, 2, 2, rules.options())
    moment = match.moments[-1]
    seen = rules.view(moment.state, moment.seat)
    view: dict[str, Any] = {"text": seen.text, "history": list(seen.history)}
    assert guess_state(CountingGame(), moment.seat, view, Random(1)) is None
    assert sum(len(state.history()) for state in tried) <= MAX_REPLAYED_ENTRIES + len(seen.history)


def test_the_plugin_lists_its_games_and_its_build_id_contains_the_plugin_name() -> None:
    assert set(NAMES) <= set(list_games())
    assert plugin_of_build(build_of("leduc_poker")) == "ftk_openspiel 0.1.0"
