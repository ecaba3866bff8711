"""Comparison of a choice in a match with its alternatives, by simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec

from ftk_core.analysis.playouts import PlayoutPolicy
from ftk_core.analysis.position_estimates import PositionEstimate, left_behind, margin, run_playouts
from ftk_core.facts import OMNISCIENT, encode
from ftk_core.match_fork import ForkWithResampledHiddenState, ForkWithSameSeed
from ftk_core.native.native_game_rules import PlayoutStartingPosition


class AlternativeMoveResult(msgspec.Struct, frozen=True, kw_only=True):
    """Results of many simulated matches after one possible action."""

    item: int
    action: msgspec.Raw
    playouts: int
    places: tuple[int, ...]
    """Number of playouts in which the seat finished in each place, first place first."""
    share: str
    """Mean share of opponents that the seat finished ahead of, as a fraction like ``1/3``."""
    margin: str
    """Half-width of the share's 95% interval, as a fraction."""
    gain: str
    """Share minus the share of the item that was chosen in the match, as a fraction."""
    gain_margin: str
    """Half-width of the gain's 95% interval, as a fraction; 0 for the item that was chosen in the match."""


class AlternativeMovesReport(msgspec.Struct, frozen=True, kw_only=True):
    """Results of all alternatives to one choice."""

    schema: str = "ftk.whatif/1"
    match: str
    game: str
    build: str
    entry: int
    seat: int
    chosen: int
    """Menu index of the item that was chosen in the match."""
    luck: str
    """``as it was``: luck of the match. ``as it could have been``: hidden parts are dealt again, with new luck."""
    eyes: str
    """Viewer whose knowledge is kept when hidden parts are dealt again: a seat number, ``public`` or ``all``."""
    policy: str
    tried: tuple[AlternativeMoveResult, ...]
    """Results of the tried items, the item chosen in the match first."""


def compare_items(
    way: ForkWithSameSeed | ForkWithResampledHiddenState,
    items: Sequence[int],
    policy: PlayoutPolicy,
    playouts: int,
    width: Fraction | None = None,
) -> Iterator[tuple[int, AlternativeMoveResult]]:
    """Simulate the rest of a match after the chosen action and after each alternative.

    Yield pairs of menu index and result, the chosen action first. The simulations of the chosen action stop early once
    every seat's 95% interval has a half-width of at most `width`. Each alternative gets the same number of simulations.
    """
    fork = way.fork
    ordered = dict.fromkeys([fork.chosen, *items])
    first = list[int]()
    for item in ordered:
        lefts, estimate = _play_item(way, item, policy, len(first) or playouts, None if first else width)
        first = first or lefts
        yield item, _result_of_item(fork.seat, item, encode(fork.menu[item]), estimate, lefts, first)


def _play_item(
    way: ForkWithSameSeed | ForkWithResampledHiddenState,
    item: int,
    policy: PlayoutPolicy,
    playouts: int,
    width: Fraction | None,
) -> tuple[list[int], PositionEstimate]:
    """Simulate the rest of the match after an action.

    Return the player's points in each simulation (2 for each opponent beaten, 1 for each tie), and the estimate of all
    players' results.
    """
    fork = way.fork
    name = ("what if", fork.opened.seal, fork.entry)
    estimate, results = run_playouts(_make_position(way, item), policy, name, playouts, width)
    return [left_behind(places)[fork.seat] for places in results], estimate


def _make_position(way: ForkWithSameSeed | ForkWithResampledHiddenState, item: int) -> PlayoutStartingPosition:
    fork = way.fork
    viewer, luck = (OMNISCIENT, way.seed) if isinstance(way, ForkWithSameSeed) else (way.viewer, None)
    given = fork.given if viewer == OMNISCIENT else {}  # other viewers do not know the choices of others in this turn
    return PlayoutStartingPosition(
        game=fork.game, state=fork.state, seats=len(fork.opened.players), viewer=viewer,
        early_choices={**given, fork.seat: fork.menu[item]}, luck=luck,
    )  # fmt: skip


def _result_of_item(
    seat: int, item: int, action: bytes, estimate: PositionEstimate, halves: Sequence[int], first_halves: Sequence[int]
) -> AlternativeMoveResult:
    most = 2 * (len(estimate.places) - 1)
    shifted = [most + own_halves - other_halves for own_halves, other_halves in zip(halves, first_halves, strict=True)]
    apart = margin(len(shifted), sum(shifted), sum(number * number for number in shifted), 2 * most)
    return AlternativeMoveResult(
        item=item,
        action=msgspec.Raw(action),
        playouts=estimate.playouts,
        places=estimate.places[seat],
        share=str(estimate.shares[seat]),
        margin=str(estimate.margins[seat]),
        gain=str(Fraction(sum(halves) - sum(first_halves), most * len(halves))),
        gain_margin=str(2 * apart) if halves is not first_halves else "0",
    )
