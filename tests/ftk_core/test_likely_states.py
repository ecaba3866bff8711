"""Sampling of hidden states, weighted by their likelihood if the other seats play by the playout policy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from statistics import fmean
from typing import Any

import pytest

from ftk_core.analysis.playouts import PlayoutPosition
from ftk_core.facts import OMNISCIENT
from ftk_core.games import game
from ftk_core.match_fork import deal_again, deal_likely
from ftk_core.match_moves import MatchMove, moves_of
from ftk_core.native.native_game_rules import PlayoutStartingPosition
from ftk_core.random_streams import MatchRandomness, seed_of
from tests.support.laws.twins import SECRET_GAMES
from tests.support.reviews import log_of, policy_for

CANDIDATES = 8


def choices_of(name: str, seats: int) -> Iterator[MatchMove]:
    """Yield the choices of a match from long menus, late ones first."""
    moves = [move for move in moves_of(log_of(name, seats)).moves if move.entry is not None and len(move.menu) > 3]
    return reversed(moves)


def chances(count: int) -> Iterator[MatchRandomness]:
    return (MatchRandomness(seed_of("likely states", number)) for number in range(count))


@pytest.mark.slow
@pytest.mark.parametrize("name", SECRET_GAMES)
def test_playouts_from_likely_states_have_the_same_results_with_native_and_with_python_rules(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(move: MatchMove) -> tuple[Any, dict[int, float]]:
        position = PlayoutStartingPosition(
            game=game(name), state=move.turn_start, seats=move.seats, viewer=move.seat, candidates=CANDIDATES
        )
        playable = PlayoutPosition(position, policy_for(name), ("likely", name))
        return playable.play_out_items(move.seat, range(3), range(4)), playable.effective

    moves = list(islice(choices_of(name, game(name).seats.start), 12))
    native = [play(move) for move in moves]
    monkeypatch.setattr("ftk_core.native.native_game_rules.has_native_rules", lambda _game: False)
    assert [play(move) for move in moves] == native
    assert all(len(effective) == 4 for _, effective in native)
    has_likelihoods = game(name).likelihood is not None
    assert any(number > 0 for _, effective in native for number in effective.values()) == has_likelihoods


def test_states_that_fit_the_statements_of_other_seats_are_drawn_more_often() -> None:
    rules = game("kings_court")
    assert rules.likelihood
    move = next(move for move in choices_of("kings_court", 6) if move.seat == 0)
    drawn = [deal_likely(rules, move.before, 0, chance, 32) for chance in chances(20)]
    plain = [rules.likelihood(deal_again(rules, move.before, 0, chance), 0) for chance in chances(200)]
    assert fmean(rules.likelihood(state, 0) for state, _ in drawn) > 2 * fmean(plain)
    assert all(1 <= effective <= 32 for _, effective in drawn)


def test_equally_likely_states_are_all_drawn_and_count_fully() -> None:
    rules = replace(game("kings_court"), likelihood=lambda _state, _viewer: 0.25)
    move = next(move for move in choices_of("kings_court", 6) if move.seat == 0)
    drawn = [deal_likely(rules, move.before, 0, chance, CANDIDATES) for chance in chances(40)]
    plain = [deal_again(rules, move.before, 0, chance) for chance in chances(40)]
    assert {effective for _, effective in drawn} == {CANDIDATES}
    first = sum(state == other for (state, _), other in zip(drawn, plain, strict=True))
    assert 0 < first < 20, "the first candidate is returned once in eight times, not always"


def test_a_viewer_who_knows_everything_and_a_game_without_likelihoods_get_the_same_state_as_without_candidates() -> (
    None
):
    move = next(choices_of("for_the_king", 4))
    for rules, viewer in ((game("for_the_king"), move.seat), (game("for_the_king"), OMNISCIENT)):
        for chance in chances(3):
            state, effective = deal_likely(rules, move.before, viewer, chance, CANDIDATES)
            assert (state, effective) == (deal_again(rules, move.before, viewer, chance), 0)
