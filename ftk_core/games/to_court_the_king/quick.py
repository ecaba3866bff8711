"""Fast policy for playouts of To Court the King: collect the most frequent face, take the dearest character."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.facts import Action
from ftk_core.games.to_court_the_king.facts import Acquire, Roll, SetAside
from ftk_core.games.to_court_the_king.state import Table
from ftk_core.rng import Draw


def quick(table: Table, _seat: int, menu: Sequence[Action], _draw: Draw) -> int:
    """Choose an item: roll while possible, set aside the most frequent face, use no character."""
    if isinstance(menu[0], Roll):
        return 0
    if isinstance(menu[-1], Roll):
        return len(menu) - 1
    if table.result is not None:
        return int(isinstance(menu[1], Acquire))
    active, aside = table.active, table.aside
    if table.using is not None or not active:
        return 0
    face = max(range(1, 7), key=lambda face: (active.count(face) + aside.count(face), face))
    kept = (face,) * active.count(face) or active[-1:]
    return menu.index(SetAside(kept))
