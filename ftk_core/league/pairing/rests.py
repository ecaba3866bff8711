"""Number and sizes of tables, and the entries that rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ftk_core.league.pairing.field import Candidate, NoTables

INSTEAD = 64
"""Number of alternatives tried as the last to rest, if a forbidden pair leaves no table."""


def sizes_of(entries: int, full: int, least: int) -> tuple[int, list[int]]:
    """Return the smallest number of rests, and table sizes as equal as possible, the longest first.

    Raise NoTables if there are too few entries for one table.
    """
    for rests in range(entries):
        playing = entries - rests
        tables = -(-playing // full)
        if playing // tables >= least:
            longer = playing % tables
            return rests, [playing // tables + 1] * longer + [playing // tables] * (tables - longer)
    raise NoTables(f"{entries} entries do not fill a table of {least}")


def resting(order: Sequence[Candidate], rests: int) -> Iterator[frozenset[int]]:
    """Yield possible sets of resting entries, the fairest first: fewest rests so far, then lowest in the order.

    Further choices replace the last to rest by another entry with equally few rests.
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
