"""Choice of a round's table sizes and of the bots that get a bye."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ftk_core.i18n import Message
from ftk_core.league.pairing.pairing_input_and_output import ImpossiblePairingError, PairingCandidate

MAX_REST_ALTERNATIVES = 64
"""Maximum number of other sets of resting bots that are tried if the fairest set leads to a forbidden pair."""


def table_sizes(entries: int, full: int, least: int) -> tuple[int, list[int]]:
    """Return the smallest number of byes, and table sizes that are as equal as possible.

    Raises ImpossiblePairingError if there are too few bots for one table.
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
    """Yield possible sets of bots that get a bye, the fairest set first."""
    # The fairest set has the bots with the fewest byes so far; among these, the lowest in the standings. In each other
    # set, the last bot is replaced by another with as many byes.
    ranked = sorted(range(len(order)), key=lambda index: (order[index].rests, -index))
    chosen = [order[index].entry for index in ranked[:rests]]
    yield frozenset(chosen)
    if not rests:
        return
    last = order[ranked[rests - 1]].rests
    others = [order[index] for index in ranked[rests:] if order[index].rests == last]
    for other in others[:MAX_REST_ALTERNATIVES]:
        yield frozenset((*chosen[:-1], other.entry))
