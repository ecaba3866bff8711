"""Computation of a round's certificate, which `ftk_core.league.checking` recounts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from ftk_core.league.pairing.bounds import counted, witness
from ftk_core.league.pairing.field import Candidate, Field
from ftk_core.league.pairing.seats import gaps, least_gap
from ftk_core.league.plans import Weighed

Table = Sequence[Candidate]
"""Entries by seat."""


class Bound(NamedTuple):
    """Minimum possible number of repeats."""

    fewest: int
    witness: tuple[int, ...] | None = None
    """Entries that prove it; None if it is known by counting."""


def weigh(field: Field, tables: Sequence[Table], resting: Sequence[Candidate]) -> Weighed:
    """Compute the certificate of a round."""
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    repeats = sum(one.met.get(other.entry, 0) > 0 for one, other in pairs)
    bound = _bound(field, tables) if repeats else Bound(0)
    return Weighed(
        repeats=repeats,
        fewest=bound.fewest,
        known="counting" if bound.witness is None else "matching",
        witness=bound.witness or (),
        siblings=sum(one.author == other.author != "" for one, other in pairs),
        floaters=sum(max(c.points for c in table) - one.points > 0 for table in tables for one in table),
        seats=max(
            (gaps(one, len(table), field.games)[seat] for table in tables for seat, one in enumerate(table)),
            default=0,
        ),
        seats_least=max((least_gap(table, field.games) for table in tables), default=0),
        rested=max((one.rests for one in resting), default=0),
    )


def _bound(field: Field, tables: Sequence[Table]) -> Bound:
    seated = [one for table in tables for one in table]
    index = {one.entry: number for number, one in enumerate(seated)}
    barred: dict[int, set[int]] = {one.entry: {one.entry} for one in seated}
    for pair in field.forbidden:
        for entry in pair:
            barred.setdefault(entry, set()).update(pair)
    everybody = frozenset(index.values())
    new = [
        everybody
        - {index[entry] for entry in barred[one.entry] if entry in index}
        - {index[entry] for entry, times in one.met.items() if times and entry in index}
        for one in seated
    ]
    bound = Bound(counted(new, [len(table) for table in tables]))
    if max(len(table) for table in tables) > 2:
        return bound
    fewest, proof = witness(new)
    return Bound(fewest, tuple(seated[number].entry for number in proof)) if fewest > bound.fewest else bound
