"""What would have come of other choices at one fork of a match, each tried in the same luck."""

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
    """One item of the menu, played on from many times."""

    item: int
    action: msgspec.Raw
    playouts: int
    places: tuple[int, ...]
    """How often the seat came to each place, from the first."""
    share: str
    """Of opponents left behind by the seat, as a fraction."""
    margin: str
    """Half the width of its 95% interval."""
    gain: str
    """The share less that of the item that was chosen in the match, in the same luck."""
    gain_margin: str


class WhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """What would have come of other choices."""

    schema: str = "ftk.whatif/1"
    match: str
    game: str
    build: str
    entry: int
    seat: int
    chosen: int
    """Into the menu, in the match."""
    luck: str
    """``as it was``, or ``as it could have been``."""
    eyes: str
    """Who knows what is not dealt again: a seat, public or all."""
    policy: str
    tried: tuple[Tried, ...]
    """The item of the match first."""


def tries(
    way: AsItWas | AsItCouldHaveBeen,
    items: Sequence[int],
    policy: Policy,
    playouts: int,
    width: Fraction | None = None,
) -> Iterator[tuple[int, Tried]]:
    """Yield (item, what came of it) for each item of the menu that is asked for, that of the match first.

    With a width, that one is played on from until the margins of all seats are no wider, at most `playouts` times; the
    others as often.
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
    """Return what the seat left behind in each playout of an item, twice, and what all came to."""
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
