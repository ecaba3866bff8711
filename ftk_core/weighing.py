"""Values of the items of a menu for the seat that chooses, all estimated with the same luck."""

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
"""Maximum number of items tried from a menu, including the chosen one."""
ASKED = 8
"""Number of times a policy is asked for its choice, to find items worth trying."""


class Option(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Item of a menu that was tried."""

    item: int
    """Index into the menu."""
    action: msgspec.Raw
    share: str
    """Share of opponents that the seat left behind with this item."""
    margin: str
    """Half-width of the 95% interval of the difference to the chosen item; 0 for the chosen item."""
    said: dict[str, str] = {}
    """Language tag -> the item as a sentence. Set in the document, not in the facts."""


class Weighing(msgspec.Struct, frozen=True, kw_only=True):
    """Value of a choice compared with its alternatives."""

    menu: int
    """Number of items on the menu."""
    playouts: int
    """Number of playouts for each option."""
    chosen: int
    """Index into the menu."""
    options: tuple[Option, ...]
    """Items tried, in menu order: all of a small menu, else those that `tried` selects."""
    cost: str
    """Loss of the seat: share of the best option minus share of the chosen one. One half of the playouts selects the
    best option and the other half measures the difference, then vice versa. So luck alone costs nothing on average, and
    the value can be negative."""
    stake: str
    """Difference between the best and the worst option, measured in the same way."""


def tried(game: AnyGame, move: Move, policy: Policy, name: Sequence[Label]) -> tuple[int, ...]:
    """Select the items of a menu to try, in order: all of a small menu.

    From a longer menu it takes, up to `MOST_OPTIONS`: the chosen item; the item played for silent seats; items that the
    policy chooses in repeated trials; then others spread evenly over the menu.
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
    """Try the items of a menu; `playouts` are shared among them, at least two for each."""
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
    """Return twice the opponents left behind in each playout of an item; the luck is the same for every item."""
    follow, found = follow_of(game), []
    action: Action = move.menu[item]
    for chance, draw in playouts_of(name, playouts):
        state: Any = follow(move.before, move.seat, action, chance)[1]
        last, _ = play_on(game, state, chance, policy.start(game, move.seats, draw))
        found.append(left_behind(game.result(last).places)[move.seat])
    return found


def _apart(one: Sequence[int], other: Sequence[int], most: int) -> Fraction:
    """Return the margin of the paired difference of two items."""
    shifted = [most + a - b for a, b in zip(one, other, strict=True)]
    return 2 * margin(len(shifted), sum(shifted), sum(number * number for number in shifted), 2 * most)


def _crossed(lefts: dict[int, list[int]], chosen: int, sign: int) -> Fraction:
    """Return by how much the best (sign 1) or worst (-1) item beats the chosen one, cross-validated in halves."""
    total = Fraction(0)
    for half in (0, 1):
        sums = {item: Fraction(sum(left[half::2]), len(left[half::2])) for item, left in lefts.items()}
        judged = {item: Fraction(sum(left[1 - half :: 2]), len(left[1 - half :: 2])) for item, left in lefts.items()}
        found = max(sums, key=lambda item: (sign * sums[item], item == chosen, -item))
        total += judged[found] - judged[chosen]
    return total / 2
