"""Round-robin scheduling in one group or several, shared by the formats round robin and groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ftk_core.league.formats.seating import rest
from ftk_core.league.pairing.field import NoTables
from ftk_core.league.plans import Rest, TablePlan
from ftk_core.league.progress import Over, Progress, Round, Step, Wait
from ftk_core.rng import Chance

if TYPE_CHECKING:
    from ftk_core.league.pairing.designs import Schedule

Group = tuple[int, ...]


def groups_of(progress: Progress) -> list[Group]:
    """Deal the seeds to and fro over the groups, so that strong and weak entries are spread evenly."""
    count = min(progress.terms.groups, len(progress.seeds))
    groups: list[list[int]] = [[] for _ in range(count)]
    for number, entry in enumerate(progress.seeds):
        lap, place = divmod(number, count)
        groups[place if lap % 2 == 0 else count - 1 - place].append(entry)
    return [tuple(group) for group in groups]


def next_of(progress: Progress) -> Step:
    """Return the next round of all groups, until everybody in a group has met everybody else."""
    groups = groups_of(progress)
    try:
        schedules = [_schedule(progress, number) for number in range(len(groups))]
    except NoTables as error:
        return Wait(str(error))
    number, rounds = _next_number(progress, schedules), rounds_of(progress, schedules)
    while number < rounds:
        drawn = _round(progress, schedules, number)
        if drawn.tables:
            return drawn
        if not progress.rules:
            return Wait("nobody of this round has anybody left to meet; give the stage fewer rounds")
        number += 1
    return Over()


def _round(progress: Progress, schedules: Sequence[Schedule], number: int) -> Round:
    """Return round `number` (from 0) of the schedules with the entries that can play; possibly no table."""
    tables, rests = list[TablePlan](), list[Rest]()
    for group, schedule in enumerate(schedules, 1):
        seatings, odd = schedule.rounds[number % len(schedule.rounds)]
        rests += rest(progress, [entry for entry in odd if entry in progress.present], absent=False)
        for seating in seatings:
            sit, alone = _those_who_can(progress, seating)
            rests += rest(progress, alone, "alone", absent=False)
            if sit:
                tables.append(TablePlan(len(tables) + 1, sit, group if len(schedules) > 1 else 0))
    return Round(tables=tuple(tables), rests=(*rests, *rest(progress, ())))


def _next_number(progress: Progress, schedules: Sequence[Schedule]) -> int:
    """Return the number of the next round of the schedules, from 0; rounds without any table were skipped."""
    if not progress.rules:
        return len(progress.drawn)
    number = 0
    for paired in progress.drawn:
        first, last = number, number + max(len(schedule.rounds) for schedule in schedules)
        number = next((n for n in range(first, last) if _is_of(schedules, n, paired.tables[0])), first) + 1
    return number


def _is_of(schedules: Sequence[Schedule], number: int, table: TablePlan) -> bool:
    """Return whether a table was drawn from a round of the schedules."""
    rounds = schedules[max(0, table.group - 1)].rounds
    return any(set(table.seating) <= set(seating) for seating in rounds[number % len(rounds)][0])


def rounds_of(progress: Progress, schedules: Sequence[Schedule]) -> int:
    """Return the number of rounds: as announced, or until the longest schedule ends."""
    return progress.rounds or max(len(schedule.rounds) for schedule in schedules)


def planned(progress: Progress) -> int:
    """Return the total number of rounds; 0 if there are too few entries for a table."""
    try:
        return rounds_of(progress, [_schedule(progress, number) for number in range(len(groups_of(progress)))])
    except (NoTables, ValueError):
        return 0


def _schedule(progress: Progress, group: int) -> Schedule:
    terms = progress.terms
    return _drawn(groups_of(progress)[group], terms.seats, terms.least, progress.opening.seed, group)


@lru_cache(maxsize=256)
def _drawn(entries: Group, seats: int, least: int, seed: bytes, group: int) -> Schedule:
    # folding and verifying a league must work without numpy
    from ftk_core.league.pairing.designs import schedule

    return schedule(entries, seats, least, Chance(seed).at("schedule", group))


def _those_who_can(progress: Progress, seating: Group) -> tuple[Group, list[int]]:
    """Split a table into the entries that can play, in seat order, and those left alone by that."""
    sit: list[int] = []
    alone: list[int] = []
    for entry in sorted(seating, key=progress.seeds.index):
        if entry in progress.present:
            barred = any(frozenset((entry, other)) in progress.forbidden for other in sit)
            (alone if barred else sit).append(entry)
    if len(sit) < progress.terms.least:
        return (), [*sit, *alone]
    return tuple(entry for entry in seating if entry in sit), alone


def ranks(progress: Progress) -> Iterator[tuple[int, int]]:
    """Yield (entry, number of entries in its group with more points)."""
    points = progress.points
    for group in groups_of(progress):
        for entry in group:
            yield entry, sum(points[other] > points[entry] for other in group)
