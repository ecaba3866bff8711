"""What the items of a menu are worth to who chooses, each in the same luck."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from ftk_core.bare import follow_of, play_on
from ftk_core.estimate import Policy, left_behind, margin, playouts_of
from ftk_core.facts import Action, encode
from ftk_core.fold import AnyGame
from ftk_core.moves import Move
from ftk_core.rng import Chance, Label, seed_of

MOST_OPTIONS = 5
"""Of a longer menu so many items are tried, the chosen one among them."""
ASKED = 8
"""How often a policy is asked what it would choose, to find items that are worth a try."""


class Option(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An item of a menu that was tried."""

    item: int
    """Into the menu."""
    action: msgspec.Raw
    share: str
    """The share of opponents that the seat left behind when it was tried."""
    margin: str
    """Half the width of the 95% interval of what lies between it and the chosen item; 0 for that itself."""
    said: dict[str, str] = {}
    """Language tag -> the item as a sentence; in the document, not in the facts."""


class Weighing(msgspec.Struct, frozen=True, kw_only=True):
    """What a choice was worth among its alternatives."""

    menu: int
    """How many items there were."""
    playouts: int
    """For each option."""
    chosen: int
    """Into the menu."""
    options: tuple[Option, ...]
    """In the order of the menu; all of a small one, else those that `tried` names."""
    cost: str
    """What the seat gave away: the best option less the chosen one. Half of the playouts say which is best, the other
    half how much better it is, and the other way round; luck alone costs nothing on average, and may fall below 0."""
    stake: str
    """What lay between the best option and the worst, found in the same way."""


def tried(game: AnyGame, move: Move, policy: Policy, name: Sequence[Label]) -> tuple[int, ...]:
    """Return the items of a menu that are tried, in order: all of a small menu.

    Of a longer one these, until there are `MOST_OPTIONS`: the chosen item; what is played for the silent; what the
    policy would choose, asked some times; then others, evenly over the menu.
    """
    size = len(move.menu)
    if size <= MOST_OPTIONS:
        return tuple(range(size))
    draw = Chance(seed_of(*name, "tried", move.frame)).at("policy")
    choose = policy.start(game, move.seats, draw)
    asked = [choose(move.before, move.seat, move.menu) for _ in range(ASKED)]
    evenly = [(2 * number + 1) * size // (2 * MOST_OPTIONS) for number in range(MOST_OPTIONS)]
    wanted = dict.fromkeys([move.chosen, 0, *asked, *evenly])
    return tuple(sorted(list(wanted)[:MOST_OPTIONS]))


def weighed(game: AnyGame, move: Move, policy: Policy, name: Sequence[Label], playouts: int) -> Weighing:
    """Try the items of a menu; `playouts` are shared among them, and each has two at least."""
    items = tried(game, move, policy, name)
    each = max(2, playouts // len(items))
    lefts = {item: _lefts(game, move, policy, name, item, each) for item in items}
    most, chosen = 2 * (move.seats - 1), lefts[move.chosen]
    options = tuple(
        Option(
            item=item,
            action=msgspec.Raw(encode(move.menu[item])),
            share=str(Fraction(sum(left), most * each)),
            margin=str(_apart(left, chosen, most)) if item != move.chosen else "0",
        )
        for item, left in lefts.items()
    )
    best, worst = (_crossed(lefts, move.chosen, sign) / most for sign in (1, -1))
    return Weighing(
        menu=len(move.menu), playouts=each, chosen=move.chosen, options=options, cost=str(best), stake=str(best - worst)
    )


def _lefts(game: AnyGame, move: Move, policy: Policy, name: Sequence[Label], item: int, playouts: int) -> list[int]:
    """Return what the seat left behind, twice, in each playout of an item; the luck is the same for every item."""
    follow, found = follow_of(game), []
    action: Action = move.menu[item]
    for chance, draw in playouts_of(name, playouts):
        state: Any = follow(move.before, move.seat, action, chance)[1]
        last, _ = play_on(game, state, chance, policy.start(game, move.seats, draw))
        found.append(left_behind(game.result(last).places)[move.seat])
    return found


def _apart(one: Sequence[int], other: Sequence[int], most: int) -> Fraction:
    """Return the margin of the difference of two items, playout by playout."""
    shifted = [most + a - b for a, b in zip(one, other, strict=True)]
    return 2 * margin(len(shifted), sum(shifted), sum(number * number for number in shifted), 2 * most)


def _crossed(lefts: dict[int, list[int]], chosen: int, sign: int) -> Fraction:
    """Return how much more the best (sign 1) or worst (-1) item left behind than the chosen one, found crosswise."""
    total = Fraction(0)
    for half in (0, 1):
        sums = {item: Fraction(sum(left[half::2]), len(left[half::2])) for item, left in lefts.items()}
        judged = {item: Fraction(sum(left[1 - half :: 2]), len(left[1 - half :: 2])) for item, left in lefts.items()}
        found = max(sums, key=lambda item: (sign * sums[item], item == chosen, -item))
        total += judged[found] - judged[chosen]
    return total / 2
