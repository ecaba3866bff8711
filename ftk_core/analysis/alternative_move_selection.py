"""Selection of the alternative actions that a match review tries by simulation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ftk_core.analysis.playouts import PlayoutPosition
from ftk_core.facts import Action
from ftk_core.match_moves import MatchMove

SMALL_MENU = 8
"""Maximum length of a menu of which all items are tried."""
MAX_OPTIONS = 24
"""Maximum number of items of a longer menu that are tried, the chosen one included."""
MAX_KIND = 12
"""If a menu has at most this number of items of a type of action, all items of the type are candidates."""
POLICY_TRIALS = 32
"""Number of times that the playouts' policy chooses from the menu, to find its most frequent choices."""
MAX_POLICY_ITEMS = 8
"""Maximum number of the policy's choices that are tried, the most frequent first."""
NEIGHBOURS = 2
"""Number of menu items before and after an item that are its neighbours, if they have the same kind of action."""
FIRST_ITEMS = 6
"""Number of candidates of each kind of action that are taken from the menu's beginning, such as the lowest bids."""


def select_items(move: MatchMove, playable: PlayoutPosition) -> tuple[int, ...]:
    """Return the sorted menu indices of the actions that a review tries.

    All actions of a short menu are tried. Of a longer menu, at most `MAX_OPTIONS` are tried, selected in this order:

    1. the chosen action
    2. item 0, which is played for a player that does not answer
    3. the actions that the strategy of the simulations chooses most often
    4. all actions of each type that has at most `MAX_KIND` items on the menu
    5. the neighbours of the chosen action, such as the next higher bid
    6. the first action of each kind (see `Game.variety`), then the second of each, up to `FIRST_ITEMS` of each
    """
    size = len(move.menu)
    if size <= SMALL_MENU:
        return tuple(range(size))
    kinds = [*map(playable.game.variety, move.menu)]
    trials = Counter(playable.policy_choice(move.seat, move.menu, trial) for trial in range(POLICY_TRIALS))
    favourites = [item for item, _ in trials.most_common(MAX_POLICY_ITEMS)]
    candidates = dict.fromkeys(
        [move.chosen, 0, *favourites, *_list_small_kinds(move.menu), *list_neighbours(kinds, move.chosen)]
    )
    candidates |= dict.fromkeys(_list_first_items(kinds))
    return tuple(sorted(list(candidates)[:MAX_OPTIONS]))


def list_neighbours(kinds: Sequence[object], item: int) -> list[int]:
    """Return the menu items close to `item` that have the same kind of action, the nearest first.

    `kinds` has the kind of action of each menu item (see `Game.variety`).
    """
    near = range(max(0, item - NEIGHBOURS), min(len(kinds), item + NEIGHBOURS + 1))
    same_kind = [other for other in near if other != item and kinds[other] == kinds[item]]
    return sorted(same_kind, key=lambda other: abs(other - item))


def _list_small_kinds(menu: Sequence[Action]) -> list[int]:
    """Return the menu items whose type of action has at most `MAX_KIND` items on this menu."""
    counts = Counter(map(type, menu))
    return [item for item, action in enumerate(menu) if counts[type(action)] <= MAX_KIND]


def _list_first_items(kinds: Sequence[object]) -> list[int]:
    """Return the first menu item of every kind of action, then the second of each, up to `FIRST_ITEMS` of each."""
    earlier, seen = list[int](), Counter[object]()
    for kind in kinds:
        earlier.append(seen[kind])
        seen[kind] += 1
    first = [item for item, number in enumerate(earlier) if number < FIRST_ITEMS]
    return sorted(first, key=earlier.__getitem__)
