"""How many tables there are, how long each is, and who rests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ftk_core.league.pairing.field import Candidate, NoTables

INSTEAD = 64
"""So many others are tried as the last to rest, where a forbidden pair leaves no table."""


def sizes_of(entries: int, full: int, least: int) -> tuple[int, list[int]]:
    """Return how many rest, as few as can be, and the table sizes, as equal as can be, the longest first.

    Raises NoTables when too few are left for one table.
    """
    for rests in range(entries):
        playing = entries - rests
        tables = -(-playing // full)
        if playing // tables >= least:
            longer = playing % tables
            return rests, [playing // tables + 1] * longer + [playing // tables] * (tables - longer)
    raise NoTables(f"{entries} entries do not fill a table of {least}")


def resting(order: Sequence[Candidate], rests: int) -> Iterator[frozenset[int]]:
    """Yield who may rest, the fairest choice first: whoever has rested least, among them the lowest in the order.

    Each further choice lets another one of those who have rested as little be the last to rest.
    """
    ranked = sorted(range(len(order)), key=lambda index: (order[index].rests, -index))
    chosen = [order[index].entry for index in ranked[:rests]]
    yield frozenset(chosen)
    if not rests:
        return
    last = order[ranked[rests - 1]].rests
    others = [order[index] for index in ranked[rests:] if order[index].rests == last]
    for other in others[:INSTEAD]:
        yield frozenset((*chosen[:-1], other.entry))
