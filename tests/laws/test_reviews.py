"""A review is calibrated, its ledger adds up, and the public review reveals no secrets."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from random import Random
from statistics import fmean
from typing import Any

import msgspec
import pytest
from hypothesis import settings

from ftk_core.analysis.match_review import estimate_position, review
from ftk_core.analysis.match_review_facts import ChoiceEvaluated, GamePositionEvaluated, ReviewFact
from ftk_core.analysis.position_estimates import shares_of
from ftk_core.facts import PUBLIC
from ftk_core.game import Game
from ftk_core.games import game, list_games
from ftk_core.match_moves import MatchMove, MoveHistory, moves_of
from ftk_core.random_streams import MatchRandomness
from ftk_core.referee import build_opening
from ftk_core.unlogged_play import follow_of
from tests.support.laws.by_game import options_for, other_world
from tests.support.laws.diary import Leak
from tests.support.laws.rigged import WorldImpossible
from tests.support.laws.worlds import World, compare_worlds, play_world
from tests.support.reviews import own_log_of, policy_for, review_of

pytestmark = pytest.mark.slow

LONG = settings().max_examples >= 1000
MATCHES = int(os.environ.get("FTK_LAWS_REVIEWS", "0")) or (1000 if LONG else 6)
"""Number of matches of each game whose ledgers are added up."""
CALIBRATED = 500 if LONG else 60
PLAYOUTS = 32
"""Number of playouts for each tested value."""
TENTHS = 10
ENOUGH = 10
"""Minimum number of values in a tenth; fewer are not significant."""
BRIEF = None if LONG else 60
"""Maximum number of reviewed moves of a world."""
OPEN = ("pig", "to_court_the_king")
"""Games in which the public knows everything."""


def same(state: Any, _viewer: int, _chance: MatchRandomness) -> Any:
    return state


def row_of(name: str) -> Game[Any, Any, Any, Any]:
    row = game(name)
    return replace(row, resample=same) if name in OPEN and row.resample is None else row


@pytest.mark.parametrize("name", list_games())
def test_the_contributions_of_choices_and_luck_add_up_exactly_to_the_result_in_a_match_review(name: str) -> None:
    few = 1 if name == "to_court_the_king" and not LONG else MATCHES
    for number in range(few):
        seats = game(name).seats[number % len(game(name).seats)]
        lines = own_log_of(name, seats, number)
        places = moves_of(lines).places
        found = review_of(lines, 2, options=False)
        for account, share in zip(found.ledger, shares_of(places), strict=True):
            named = (account.seat, account.deal, account.chance, account.unexplained, *account.choices)
            assert Fraction(1, 2) + sum(map(Fraction, named), Fraction()) == share


@pytest.mark.parametrize("name", ["for_the_king", "kings_court", "pig"])
def test_the_values_of_choices_estimated_by_match_reviews_agree_with_the_results_of_the_matches(name: str) -> None:
    """Given matches played by the playout policy, compare the value of a random choice with the result."""
    tenths = dict[int, list[tuple[float, float]]]()
    for number in range(CALIBRATED):
        draw = Random(f"calibrated {name} {number}")
        seats = game(name).seats[0] if name == "kings_court" else 3
        moves = moves_of(own_log_of(name, seats, number))
        seat, move = draw.randrange(seats), draw.choice(moves.moves)
        said = float(estimate_position(moves, move.before, policy_for(name), PLAYOUTS).shares[seat])
        became = float(shares_of(moves.places)[seat])
        tenths.setdefault(min(TENTHS - 1, int(said * TENTHS)), []).append((said, became))
    judged = {tenth: rows for tenth, rows in tenths.items() if len(rows) >= ENOUGH}
    assert judged
    for rows in judged.values():
        more, sure = fmean(became - said for said, became in rows), 3 * spread(said for said, _ in rows)
        assert abs(more) <= sure, f"{name}: {len(rows)} values of {rows[0][0]:.1f} came to {more:+.3f}, not ±{sure:.3f}"


def spread(said: Iterable[float]) -> float:
    """Return the standard error of the mean result of such values, if the values are right.

    A share varies at most like a result of 0 or 1 with the same mean. Two of each extreme are added to the playouts, so
    that values near 0 and 1 do not get a standard error of zero.
    """
    chances = [(share * PLAYOUTS + 2) / (PLAYOUTS + 4) for share in said]
    return sqrt(sum(chance * (1 - chance) for chance in chances)) / len(chances)


def moves_in(world: World) -> MoveHistory:
    """Return the moves of a world, which may be cut off, with its choices."""
    row, seats = world.game, world.seats
    spots = sorted(world.chosen)
    found, at = list[MatchMove](), spots[0][0] if spots else 0
    later = [began for began, _ in spots[1:]] + [len(world.facts)]
    ends = {began: after for (began, _), after in zip(spots, later, strict=False)}
    for began, seat in spots:
        at = max(at, began)
        action = world.chosen[began, seat]
        alone = sum(spot[0] == began for spot in spots) == 1
        facts, _ = follow_of(row)(world.states[at], seat, action, MatchRandomness(world.seed))
        end = ends[began] if alone else at + len(facts)
        if end >= len(world.states) or (end == len(world.facts) and (began, seat) == spots[-1]):
            break  # the worlds diverged while this took effect
        menu = tuple(row.legal(world.states[began], seat))
        found.append(
            MatchMove(
                seat=seat,
                seats=seats,
                menu=menu,
                chosen=menu.index(action),
                entry=None,
                turn_start=world.states[began],
                before=world.states[at],
                after=world.states[end],
                facts=tuple(world.facts[at:end]),
                frame=at + 1,
            )
        )
        at = end
    dealt = spots[0][0]
    opened = build_opening(row, "match", [f"Player {seat}" for seat in range(seats)], world.seed, options=world.options)
    return MoveHistory(
        game=row, opened=opened, before_deal=world.states[0], dealt=world.states[dealt], dealt_at=dealt,
        moves=tuple(found), places=(), seed=world.seed,
    )  # fmt: skip


def list_facts_until(facts: Sequence[ReviewFact], frames: int) -> list[ReviewFact]:
    """Return the facts of a review about the first `frames` frames."""
    ends = {GamePositionEvaluated: "frame", ChoiceEvaluated: "until"}
    return [fact for fact in facts if type(fact) in ends and getattr(fact, ends[type(fact)]) < frames]


def check_twins(row: Game[Any, Any, Any, Any], number: int) -> int:
    """Compare the public reviews of two worlds; return the number of common facts; raises Leak, WorldImpossible."""
    seats = row.seats[number % len(row.seats)]
    world, diary = play_world(row, seats, options_for(row.name, seats, number), number, PUBLIC)
    twin, common = compare_worlds(world, diary, other_world(row.name)(world, PUBLIC, Random(f"twin {number}")))
    if not world.chosen or not twin.chosen:
        return 0  # the worlds diverge before the first choice
    both = []
    for one in (world, twin):
        moves = moves_in(one)
        kept = tuple(move for move in moves.moves if move.last_frame < common)[:BRIEF]
        facts = review(replace_moves(moves, kept), policy_for(row.name), 2, "public", "build")
        both.append(list_facts_until(list(facts), common))
    if both[0] != both[1]:
        raise Leak("the public reviews of two worlds that the public cannot tell apart are not the same")
    return len(both[0])


def replace_moves(moves: MoveHistory, kept: tuple[MatchMove, ...]) -> MoveHistory:
    return msgspec.structs.replace(moves, moves=kept)


def twins_tried(row: Game[Any, Any, Any, Any], most: int) -> int:
    common = 0
    for number in range(most):
        try:
            common += check_twins(row, number)
        except WorldImpossible:
            continue
    return common


@pytest.mark.parametrize("name", [name for name in list_games() if row_of(name).resample])
def test_the_public_review_of_a_match_does_not_depend_on_secrets(name: str) -> None:
    assert twins_tried(row_of(name), 100 if LONG else 3) > 0


@pytest.mark.parametrize("name", ["for_the_king", "kings_court"])
def test_the_secrecy_check_detects_a_match_review_that_does_not_resample_hidden_cards(name: str) -> None:
    with pytest.raises(Leak):
        twins_tried(replace(game(name), resample=same), 40)
