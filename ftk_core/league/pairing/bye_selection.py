"""Choice of the table sizes of a round and of the bots that rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ftk_core.i18n import Message
from ftk_core.league.pairing.pairing_input_and_output import ImpossiblePairingError, PairingCandidate

MAX_REST_ALTERNATIVES = 64
"""Maximum number of other sets of resting bots that are tried if the fairest set leads to a forbidden pair."""


def table_sizes(entries: int, full: int, least: int) -> tuple[int, list[int]]:
    """Return a pair (least number of resting bots, table sizes); the sizes are as equal as possible, largest first.

    `full` and `least` are the limits of a table size. Raise ImpossiblePairingError if there are too few bots for one
    table.
    """
    for rests in range(entries):
        playing = entries - rests
        tables = -(-playing // full)
        if playing // tables >= least:
            longer = playing % tables
            return rests, [playing // tables + 1] * longer + [playing // tables] * (tables - longer)
    raise ImpossiblePairingError(
        Message("%(entries)s entries do not fill a table of %(least)s", entries=entries, least=least)
    )


def list_rest_candidates(order: Sequence[PairingCandidate], rests: int) -> Iterator[frozenset[int]]:
    """Yield possible sets of `rests` resting bots, the fairest set first.

    The fairest set has the bots with the fewest rests so far; among these, the lowest in the standings. In each other
    set, the last bot chosen for the fairest set is replaced by another bot that has rested as often.
    """
    ranked = sorted(range(len(order)), key=lambda index: (order[index].rests, -index))
    chosen = [order[index].entry for index in ranked[:rests]]
    yield frozenset(chosen)
    if not rests:
        return
    last = order[ranked[rests - 1]].rests
    others = [order[index] for index in ranked[rests:] if order[index].rests == last]
    for other in others[:MAX_REST_ALTERNATIVES]:
        yield frozenset((*chosen[:-1], other.entry))
