"""Computation of counts that show the quality of a round's pairing."""
# `ftk_core.league.pairing_checks` checks them independently.

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from ftk_core.league.event_fields import PairingQualityCertificate
from ftk_core.league.pairing.pairing_input_and_output import PairingCandidate, PairingInput
from ftk_core.league.pairing.repeated_meeting_lower_bounds import bound_by_counting, prove_by_matching
from ftk_core.league.pairing.seat_assignment import least_gap, seat_gaps_of

Table = Sequence[PairingCandidate]
"""Candidates at a table, by seat."""


class MinimumRepeatedMeetings(NamedTuple):
    """Lower bound on the number of repeated meetings in a round, with its proof."""

    fewest: int
    witness: tuple[int, ...] | None = None
    """Bots that prove the bound if removed from the graph of new meetings; None if counting proves it."""


def compute_round_certificate(
    problem: PairingInput, tables: Sequence[Table], resting: Sequence[PairingCandidate]
) -> PairingQualityCertificate:
    """Count the flaws of a drawn round, such as repeated meetings or pairs of one author."""
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    repeats = sum(one.met.get(other.entry, 0) > 0 for one, other in pairs)
    bound = _bound_repeats(problem, tables) if repeats else MinimumRepeatedMeetings(0)
    return PairingQualityCertificate(
        repeats=repeats,
        fewest=bound.fewest,
        known="counting" if bound.witness is None else "matching",
        witness=bound.witness or (),
        siblings=sum(one.author == other.author != "" for one, other in pairs),
        floaters=sum(max(c.points for c in table) - one.points > 0 for table in tables for one in table),
        seats=max(
            (seat_gaps_of(one, len(table), problem.games)[seat] for table in tables for seat, one in enumerate(table)),
            default=0,
        ),
        seats_least=max((least_gap(table, problem.games) for table in tables), default=0),
        rested=max((one.rests for one in resting), default=0),
    )


def _bound_repeats(problem: PairingInput, tables: Sequence[Table]) -> MinimumRepeatedMeetings:
    seated = [one for table in tables for one in table]
    index = {one.entry: number for number, one in enumerate(seated)}
    barred: dict[int, set[int]] = {one.entry: {one.entry} for one in seated}
    for pair in problem.forbidden:
        for entry in pair:
            barred.setdefault(entry, set()).update(pair)
    everybody = frozenset(index.values())
    new = [
        everybody
        - {index[entry] for entry in barred[one.entry] if entry in index}
        - {index[entry] for entry, times in one.met.items() if times and entry in index}
        for one in seated
    ]
    bound = MinimumRepeatedMeetings(bound_by_counting(new, [len(table) for table in tables]))
    if max(len(table) for table in tables) > 2:
        return bound
    fewest, proof = prove_by_matching(new)
    return (
        MinimumRepeatedMeetings(fewest, tuple(seated[number].entry for number in proof))
        if fewest > bound.fewest
        else bound
    )
