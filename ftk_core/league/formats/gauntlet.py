"""Gauntlet: each of the first seeds (one per group of the stage) meets everybody else in every round.

A challenger can sit at several tables of a round; all others sit at no more than one with the same challenger. If the
game's shortest table leaves an entry without a place, those who met a challenger least come first. A stage without
announced rounds ends when everybody has met every challenger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ftk_core.league.formats.history import History, history_of
from ftk_core.league.formats.seating import barred_among, numbered, rest
from ftk_core.league.pairing.field import NoTables
from ftk_core.league.pairing.rests import sizes_of
from ftk_core.league.plans import Stage
from ftk_core.league.progress import Over, Progress, Round, Step, Wait

grouped = True
counted = False
takes_late = False
foreseen = False
fixed = "everybody meets the challengers of a gauntlet"


def next_round(progress: Progress) -> Step:
    """Return a round in which each challenger meets all others, or as many as find a place."""
    if len(progress.drawn) >= planned(progress):
        return Over()
    terms = progress.terms
    here = [entry for entry in progress.seeds if entry in progress.present]
    challengers = [entry for entry in progress.seeds[: terms.groups] if entry in progress.present]
    others = [entry for entry in here if entry not in challengers]
    seatings = list(_seatings(progress, challengers, others))
    if not seatings:
        return Wait(f"{len(others)} entries beside {len(challengers)} challengers make no table of {terms.least}")
    if meeting := barred_among(progress, seatings):
        one, other = sorted(meeting)
        return Wait(f"entries {one} and {other} share a challenger's table, which is forbidden; excuse one of them")
    alone = [entry for entry in here if not any(entry in seating for seating in seatings)]
    return Round(tables=numbered(seatings), rests=rest(progress, alone, "alone"))


def planned(progress: Progress) -> int:
    """Return the total number of rounds: as announced, or until everybody has met every challenger."""
    if progress.rounds:
        return progress.rounds
    terms, others = progress.terms, len(progress.seeds) - progress.terms.groups
    try:
        resting, _ = sizes_of(others, terms.seats - 1, terms.least - 1)
    except NoTables:
        return 1
    return -(-others // (others - resting))


def fewest(terms: Stage) -> int:
    """Return the minimum number of entries: the challengers, and a table for them."""
    return terms.groups + terms.least - 1


def _seatings(progress: Progress, challengers: Sequence[int], others: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the tables: each challenger with all others that it may meet and that find a place."""
    draw, table, history = progress.chance.at("pairing", progress.number), 0, history_of(progress)
    for challenger in challengers:
        met = [other for other in others if frozenset((challenger, other)) not in progress.forbidden]
        for opponents in _parts(progress, history, challenger, draw.shuffled(met)):
            yield _seated(progress, challenger, opponents, table)
            table += 1


def _parts(progress: Progress, history: History, challenger: int, others: Sequence[int]) -> list[tuple[int, ...]]:
    """Split the others into the fewest and most equal parts, without those who find no place."""
    terms = progress.terms
    try:
        resting, sizes = sizes_of(len(others), terms.seats - 1, terms.least - 1)
    except NoTables:
        return []
    if resting:
        others = sorted(others, key=lambda other: history.met(challenger, other))[: len(others) - resting]
    return [tuple(others[part :: len(sizes)]) for part in range(len(sizes))]


def _seated(progress: Progress, challenger: int, opponents: tuple[int, ...], table: int) -> tuple[int, ...]:
    """Return a table's seats: the challenger moves on by one from table to table and from round to round."""
    seat = (table + len(progress.drawn)) % (len(opponents) + 1)
    seated = list(opponents)
    seated.insert(seat, challenger)
    return tuple(seated)
