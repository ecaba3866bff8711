"""Analysis of one choice of a match: each alternative, played on with the same luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from ftk_core.estimate import Estimate, Policy, estimated, left_behind, margin
from ftk_core.facts import encode
from ftk_core.fork import AsItCouldHaveBeen, AsItWas
from ftk_core.rng import Chance, Draw


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """Results of many playouts of one item of the menu."""

    item: int
    action: msgspec.Raw
    playouts: int
    places: tuple[int, ...]
    """Number of finishes of the seat in each place, first place first."""
    share: str
    """Share of opponents that the seat left behind, as a fraction."""
    margin: str
    """Half-width of its 95% interval."""
    gain: str
    """Share minus the share of the item chosen in the match, with the same luck."""
    gain_margin: str


class WhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """Results of the alternatives to one choice."""

    schema: str = "ftk.whatif/1"
    match: str
    game: str
    build: str
    entry: int
    seat: int
    chosen: int
    """Index into the menu of the item chosen in the match."""
    luck: str
    """Mode: ``as it was`` or ``as it could have been``."""
    eyes: str
    """Viewer whose knowledge is kept when dealing again: a seat, public or all."""
    policy: str
    tried: tuple[Tried, ...]
    """Results by item, the item of the match first."""


def tries(
    way: AsItWas | AsItCouldHaveBeen,
    items: Sequence[int],
    policy: Policy,
    playouts: int,
    width: Fraction | None = None,
) -> Iterator[tuple[int, Tried]]:
    """Yield (item, result) for each requested item of the menu, the item of the match first.

    With a width, playouts of the first item stop when the margins of all seats are at most that wide, or after
    `playouts`. The other items get the same number of playouts.
    """
    fork = way.fork
    ordered = dict.fromkeys([fork.chosen, *items])
    first = list[int]()
    for item in ordered:
        lefts, found = _played(way, item, policy, len(first) or playouts, None if first else width)
        first = first or lefts
        yield item, _tried(fork.seat, item, encode(fork.menu[item]), found, lefts, first)


def _played(
    way: AsItWas | AsItCouldHaveBeen, item: int, policy: Policy, playouts: int, width: Fraction | None
) -> tuple[list[int], Estimate]:
    """Return twice the opponents the seat left behind in each playout of an item, and the estimate."""
    fork, lefts = way.fork, list[int]()
    game, seats = fork.game, len(fork.opened.players)

    def play(chance: Chance, draw: Draw) -> Sequence[int]:
        choose = policy.start(game, seats, draw)
        last: Any = way.play(item, choose) if isinstance(way, AsItWas) else way.play(item, choose, chance)
        places: Sequence[int] = game.result(last).places
        lefts.append(left_behind(places)[fork.seat])
        return places

    return lefts, estimated(play, ("what if", fork.opened.seal, fork.entry), playouts, width)


def _tried(seat: int, item: int, action: bytes, found: Estimate, lefts: Sequence[int], first: Sequence[int]) -> Tried:
    most = 2 * (len(found.places) - 1)
    shifted = [most + here - there for here, there in zip(lefts, first, strict=True)]
    apart = margin(len(shifted), sum(shifted), sum(number * number for number in shifted), 2 * most)
    return Tried(
        item=item,
        action=msgspec.Raw(action),
        playouts=found.playouts,
        places=found.places[seat],
        share=str(found.shares[seat]),
        margin=str(found.margins[seat]),
        gain=str(Fraction(sum(lefts) - sum(first), most * len(lefts))),
        gain_margin=str(2 * apart) if lefts is not first else "0",
    )
