"""Estimated values of a choice's menu items for the seat that chooses. All items are simulated with the same luck."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from ftk_core.analysis.playouts import Policy, play_out
from ftk_core.analysis.position_estimates import left_behind, margin
from ftk_core.facts import encode
from ftk_core.match_fold import AnyGame
from ftk_core.match_moves import MatchMove
from ftk_core.native.rules import Position
from ftk_core.random_streams import Label, MatchRandomness, seed_of

MAX_OPTIONS = 5
"""Maximum number of a menu's items that are tried in playouts (simulations of the rest), the chosen one included."""
POLICY_TRIALS = 8
"""Number of times that the playouts' policy is asked for its choice, to find items worth trying."""


class EstimatedMenuItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Menu item that was tried in playouts."""

    item: int
    """Index into the menu."""
    action: msgspec.Raw
    share: str
    """Mean share of opponents that the seat finished ahead of with this item, as a fraction like ``1/3``."""
    margin: str
    """Half-width of the 95% interval of the share's difference to the chosen item; 0 for the chosen item."""
    said: dict[str, str] = {}
    """Language tag -> sentence that describes the item. It is added to a review's document, not to its facts."""


class ChoiceEvaluation(msgspec.Struct, frozen=True, kw_only=True):
    """Value of a choice compared with the values of its alternatives."""

    menu: int
    """Number of items on the menu."""
    playouts: int
    """Number of playouts for each option."""
    chosen: int
    """Index into the menu."""
    options: tuple[EstimatedMenuItem, ...]
    """Menu items that were tried, in menu order: all items of a small menu, else those that `select_items` selects."""
    cost: str
    """Loss of the seat by its choice: share of the best option minus share of the chosen option.

    One half of the playouts selects the best option and the other half measures the difference, then vice versa. So
    luck alone costs nothing on average, and the value can be negative.
    """
    stake: str
    """Difference between the shares of the best and the worst option, measured in the same way as `cost`."""


def select_items(game: AnyGame, move: MatchMove, policy: Policy, name: Sequence[Label]) -> tuple[int, ...]:
    """Select the menu items to try, in order. All items of a small menu are tried.

    From a longer menu, take up to `MAX_OPTIONS`: the chosen item; item 0, which is played for seats that do not answer;
    items that the policy chooses in repeated trials; then others spread evenly over the menu.
    """
    size = len(move.menu)
    if size <= MAX_OPTIONS:
        return tuple(range(size))
    draw = MatchRandomness(seed_of(*name, "tried", move.frame)).at("policy")
    choose = policy.start(game, move.seats, draw)
    policy_choices = [choose(move.before, move.seat, move.menu) for _ in range(POLICY_TRIALS)]
    evenly = [(2 * number + 1) * size // (2 * MAX_OPTIONS) for number in range(MAX_OPTIONS)]
    candidates = dict.fromkeys([move.chosen, 0, *policy_choices, *evenly])
    return tuple(sorted(list(candidates)[:MAX_OPTIONS]))


def weigh_options(
    game: AnyGame, move: MatchMove, policy: Policy, name: Sequence[Label], playouts: int
) -> ChoiceEvaluation:
    """Compare the items of a menu by playouts (simulations of the rest). `playouts` is divided among the items."""
    items = select_items(game, move, policy, name)
    each = max(2, playouts // len(items))
    halves = {item: _halves_of_item(game, move, policy, name, item, each) for item in items}
    most, chosen = 2 * (move.seats - 1), halves[move.chosen]
    options = tuple(
        EstimatedMenuItem(
            item=item,
            action=msgspec.Raw(encode(move.menu[item])),
            share=str(Fraction(sum(left), most * each)),
            margin=str(_margin_of_difference(left, chosen, most)) if item != move.chosen else "0",
        )
        for item, left in halves.items()
    )
    best, worst = (_cross_validated_difference(halves, move.chosen, sign) / most for sign in (1, -1))
    return ChoiceEvaluation(
        menu=len(move.menu), playouts=each, chosen=move.chosen, options=options, cost=str(best), stake=str(best - worst)
    )


def _halves_of_item(
    game: AnyGame, move: MatchMove, policy: Policy, name: Sequence[Label], item: int, playouts: int
) -> list[int]:
    """Return twice the opponents finished behind the seat in each playout of an item. Every item has the same luck."""
    position = Position(game=game, state=move.before, seats=move.seats, first_move=(move.seat, item))
    return [left_behind(places)[move.seat] for places in play_out(position, policy, name, range(playouts))]


def _margin_of_difference(one: Sequence[int], other: Sequence[int], most: int) -> Fraction:
    """Return the half-width of the 95% interval of the mean difference between two items with the same luck."""
    shifted = [most + a - b for a, b in zip(one, other, strict=True)]
    return 2 * margin(len(shifted), sum(shifted), sum(number * number for number in shifted), 2 * most)


def _cross_validated_difference(lefts: dict[int, list[int]], chosen: int, sign: int) -> Fraction:
    """Return by how much the best (sign 1) or worst (sign -1) item differs from the chosen item, cross-validated.

    One half of the playouts selects the item and the other half measures the difference, then vice versa.
    """
    total = Fraction(0)
    for half in (0, 1):
        half_sums = {item: Fraction(sum(left[half::2]), len(left[half::2])) for item, left in lefts.items()}
        other_sums = {
            item: Fraction(sum(left[1 - half :: 2]), len(left[1 - half :: 2])) for item, left in lefts.items()
        }
        best_item = max(half_sums, key=lambda item: (sign * half_sums[item], item == chosen, -item))
        total += other_sums[best_item] - other_sums[chosen]
    return total / 2
