"""Gauntlet: the first seeds, as many as the stage has groups, each meet everybody else in every round.

A challenger sits at as many tables of a round as it takes; nobody else sits at more than one with the same challenger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ftk_core.league.formats.seating import barred_among, numbered, rest
from ftk_core.league.progress import Over, Progress, Round, Step, Wait

grouped = True
counted = False
takes_late = False
foreseen = False
fixed = "everybody meets the challengers of a gauntlet"


def next_round(progress: Progress) -> Step:
    """Return a round in which each challenger meets all others."""
    if len(progress.drawn) >= planned(progress):
        return Over()
    terms = progress.terms
    here = [entry for entry in progress.seeds if entry in progress.present]
    challengers = [entry for entry in progress.seeds[: terms.groups] if entry in progress.present]
    others = [entry for entry in here if entry not in challengers]
    if not challengers or len(others) < terms.least - 1:
        return Wait(f"{len(others)} entries beside {len(challengers)} challengers make no table of {terms.least}")
    seatings = list(_seatings(progress, challengers, others))
    if meeting := barred_among(progress, seatings):
        one, other = sorted(meeting)
        return Wait(f"entries {one} and {other} share a challenger's table, which is forbidden; excuse one of them")
    alone = [entry for entry in here if not any(entry in seating for seating in seatings)]
    return Round(tables=numbered(seatings), rests=rest(progress, alone, "alone"))


def planned(progress: Progress) -> int:
    """Return how many rounds there are in all: one, where nothing else was announced."""
    return progress.rounds or 1


def _seatings(progress: Progress, challengers: Sequence[int], others: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the tables: each challenger with all others whom he may meet."""
    draw, table = progress.chance.at("pairing", progress.number), 0
    for challenger in challengers:
        met = [other for other in others if frozenset((challenger, other)) not in progress.forbidden]
        if len(met) < progress.terms.least - 1:
            continue
        for opponents in _parts(draw.shuffled(met), progress.terms.seats - 1):
            yield _seated(progress, challenger, opponents, table)
            table += 1


def _parts(others: tuple[int, ...], size: int) -> list[tuple[int, ...]]:
    """Return the others in as few parts as can be, as equal as can be."""
    count = -(-len(others) // size)
    return [others[part::count] for part in range(count)]


def _seated(progress: Progress, challenger: int, opponents: tuple[int, ...], table: int) -> tuple[int, ...]:
    """Return a table's seats: the challenger moves on by one from table to table and from round to round."""
    seat = (table + len(progress.drawn)) % (len(opponents) + 1)
    seated = list(opponents)
    seated.insert(seat, challenger)
    return tuple(seated)
