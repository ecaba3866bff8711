"""Choice of a round's table sizes and of the bots that get a bye."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set as AbstractSet
from heapq import heappop, heappush
from itertools import islice, product

from ftk_core.i18n import Message
from ftk_core.league.pairing.pairing_input_and_output import ImpossiblePairingError, PairingCandidate

MAX_REST_ALTERNATIVES = 64
"""Maximum number of other sets of byes that are tried if the fairest set leads to a forbidden pair.

As many more are tried with early byes, byes of bots whose turn it is not.
"""
MAX_EXAMINED_SETS = 10_000
"""Maximum number of sets that the search for sets with early byes examines."""


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


def list_rest_candidates(
    order: Sequence[PairingCandidate], rests: int, tables: int, forbidden: AbstractSet[frozenset[int]]
) -> Iterator[frozenset[int]]:
    """Yield possible sets of bots that get a bye, the fairest set first.

    In the last sets, bots get a bye before their turn, so that the pairs in `forbidden` do not meet.
    """
    # The fairest set has the bots with the fewest byes so far; among these, the lowest in the standings. In each of the
    # next sets, the last bot is replaced by another with as many byes.
    ranked = [*reversed(order)]
    ranked.sort(key=lambda candidate: candidate.rests)  # a stable sort
    chosen = [candidate.entry for candidate in ranked[:rests]]
    tried = {frozenset(chosen)}
    yield from tried
    if not rests:
        return
    others = [candidate for candidate in ranked[rests:] if candidate.rests == ranked[rests - 1].rests]
    for other in others[:MAX_REST_ALTERNATIVES]:
        tried.add(away := frozenset((*chosen[:-1], other.entry)))
        yield away
    early = _list_sets_with_early_byes(ranked, rests, tables, forbidden)
    yield from islice((away for away in early if away not in tried), MAX_REST_ALTERNATIVES)


def _list_sets_with_early_byes(
    ranked: Sequence[PairingCandidate], rests: int, tables: int, forbidden: AbstractSet[frozenset[int]]
) -> Iterator[frozenset[int]]:
    """Yield sets of bots with byes that include early byes: a bot gets a bye to avoid a forbidden pair.

    The bots of the first sets had the fewest byes so far. `ranked` has all bots, the next to get a bye first.
    """
    # Best-first search: a step puts a bot of a pair that is still seated in the place of one whose turn it is. Sets
    # with the same number of extra byes are ordered by the number of pairs that are still seated. At a single table all
    # pairs meet, so that each of them must be separated: one after the other.
    byes = {candidate.entry: candidate.rests for candidate in ranked}
    due = tuple(byes)[:rests]
    pairs = sorted((pair for pair in forbidden if pair <= byes.keys()), key=sorted)
    restricted = frozenset[int]().union(*pairs)
    # (byes had in addition to those of the bots whose turn it is, pairs still seated, number of the set, set)
    queue, known = [(0, len(pairs), 0, frozenset(due))], {frozenset(due)}
    while queue:
        extra, _count, _number, away = heappop(queue)
        unseparated = [pair for pair in pairs if not pair & away]
        if tables > 1 or not unseparated:
            yield away
        movable = frozenset[int]().union(*(unseparated[:1] if tables == 1 else unseparated))
        replaceable = _list_replaceable([entry for entry in due if entry in away], restricted)
        for entry, replaced in product((entry for entry in byes if entry in movable), replaceable):
            further = away - {replaced} | {entry}
            if further not in known and len(known) < MAX_EXAMINED_SETS:
                known.add(further)
                count = sum(not pair & further for pair in pairs)
                heappush(queue, (extra + byes[entry] - byes[replaced], count, len(known), further))


def _list_replaceable(due: Sequence[int], restricted: AbstractSet[int]) -> list[int]:
    """Return the bots in `due` that can give their bye to another bot.

    `due` lists the bots with a bye, the next to get a bye first. `restricted` holds the bots that have a forbidden
    opponent.
    """
    # These are all bots in `restricted`, and one other bot. Bots without a forbidden opponent can take any seat, so
    # that the last of them, which has the most byes, stands for all.
    free = [entry for entry in due if entry not in restricted]
    return [entry for entry in reversed(due) if entry in restricted or entry in free[-1:]]
