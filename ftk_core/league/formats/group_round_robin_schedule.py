"""Round-robin schedules for one group or several, shared by the formats `round_robin` and `groups`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ftk_core.i18n import Message
from ftk_core.league.event_fields import EntrantBye, TableSeating
from ftk_core.league.formats.round_tables_and_byes import make_rests
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.league.pairing.pairing_input_and_output import ImpossiblePairingError
from ftk_core.league.stage_progress import (
    CannotPairDecision,
    NextRoundDecision,
    NextStep,
    StageFinishedDecision,
    StageProgress,
)
from ftk_core.random_streams import MatchRandomness

if TYPE_CHECKING:
    from ftk_core.league.pairing.round_robin_schedules import RoundRobinSchedule

Group = tuple[int, ...]
"""Bots of a group, or of a table."""


def deal_groups(progress: StageProgress) -> list[Group]:
    """Divide the bots into groups of about equal strength."""
    # Snake order: from the first group to the last, then back, and so on.
    count = min(progress.terms.groups, len(progress.seeds))
    groups: list[list[int]] = [[] for _ in range(count)]
    for number, entry in enumerate(progress.seeds):
        lap, place = divmod(number, count)
        groups[place if lap % 2 == 0 else count - 1 - place].append(entry)
    return [tuple(group) for group in groups]


def next_rotation_round(progress: StageProgress) -> NextStep:
    """Return the next round of the round robin in all groups, or the decision that the stage is over."""
    groups = deal_groups(progress)
    try:
        schedules = [_schedule(progress, number) for number in range(len(groups))]
    except ImpossiblePairingError as error:
        return CannotPairDecision(error.args[0])
    number, group_rounds = _next_number(progress, schedules), _list_group_rounds(progress, schedules)
    while number < max(group_rounds):
        drawn = _round(progress, schedules, number)
        if drawn.tables:
            return drawn
        if not progress.rules:
            return CannotPairDecision(
                Message("no entry of this round has an opponent that can play; give the stage fewer rounds")
            )
        number += 1
    return StageFinishedDecision()


def _round(progress: StageProgress, schedules: Sequence[RoundRobinSchedule], number: int) -> NextRoundDecision:
    """Return one scheduled round of all groups, without absent bots."""
    # If too many bots are absent, the round has no tables.
    tables, rests = list[TableSeating](), _rests_of_finished_groups(progress, schedules, number)
    finished = {rest.entry for rest in rests}
    group_rounds = _list_group_rounds(progress, schedules)
    for group, (schedule, rounds) in enumerate(zip(schedules, group_rounds, strict=True), 1):
        if number >= rounds:
            continue
        lap, scheduled = divmod(number, len(schedule.rounds))
        seatings, odd = schedule.rounds[scheduled]
        # Otherwise bots that sit first once more often than second would do so in every repetition of the schedule.
        # Before version 2 of the league rules, all repetitions have the same seats.
        shift = lap if progress.rules >= 2 else 0
        rests += make_rests(progress, [entry for entry in odd if entry in progress.present], absent=False)
        for seating in seatings:
            sit, alone = _split_present(progress, rotate_seating(seating, shift))
            rests += make_rests(progress, alone, "alone", absent=False)
            if sit:
                tables.append(TableSeating(len(tables) + 1, sit, group if len(schedules) > 1 else 0))
    away = (rest for rest in make_rests(progress, ()) if rest.entry not in finished)
    return NextRoundDecision(tables=tuple(tables), rests=(*rests, *away))


def _rests_of_finished_groups(
    progress: StageProgress, schedules: Sequence[RoundRobinSchedule], number: int
) -> list[EntrantBye]:
    """Return a bye without points for each bot whose group has played all its rounds."""
    groups = zip(deal_groups(progress), _list_group_rounds(progress, schedules), strict=True)
    finished = [entry for group, rounds in groups if number >= rounds for entry in group]
    return [EntrantBye(entry, "0", "alone") for entry in finished if entry in progress.present | progress.excused]


def _next_number(progress: StageProgress, schedules: Sequence[RoundRobinSchedule]) -> int:
    """Return the number, from 0, of the next round in the groups' schedules."""
    # A scheduled round without tables, because too many bots are absent, is skipped but keeps its number.
    if not progress.rules:
        return len(progress.drawn)
    number = 0
    for paired in progress.drawn:
        first, last = number, number + max(len(schedule.rounds) for schedule in schedules)
        number = next((n for n in range(first, last) if _is_from_round(schedules, n, paired.tables[0])), first) + 1
    return number


def _is_from_round(schedules: Sequence[RoundRobinSchedule], number: int, table: TableSeating) -> bool:
    """Return True if a played table belongs to this round of its group's schedule."""
    # Absent bots of the scheduled table may be missing.
    rounds = schedules[max(0, table.group - 1)].rounds
    return any(set(table.seating) <= set(seating) for seating in rounds[number % len(rounds)][0])


def _list_group_rounds(progress: StageProgress, schedules: Sequence[RoundRobinSchedule]) -> list[int]:
    """Return for each group the number of rounds in which it plays."""
    # Without an announced number, each group plays its schedule once. With several groups, each repeats its whole
    # schedule as often as the announced number allows, so that its members meet equally often. Before version 2 of the
    # league rules, all groups play the announced number of rounds, or the longest schedule.
    lengths, announced = [len(schedule.rounds) for schedule in schedules], progress.rounds
    if len(lengths) == 1 or progress.rules < 2:
        return [announced or max(lengths)] * len(lengths)
    return [announced // length * length or announced or length for length in lengths]


def repeats_part_of_a_schedule(before: StageProgress, after: StageProgress) -> bool:
    """Return True if another number of rounds makes a finished group repeat only a part of its schedule."""
    # Some of its bots would then meet more often than others.
    schedules = [_schedule(before, number) for number in range(len(deal_groups(before)))]
    played, rounds = _next_number(before, schedules), _list_group_rounds(before, schedules)
    return any(
        old < played and old < new and (new - played) % len(schedule.rounds)
        for schedule, old, new in zip(schedules, rounds, _list_group_rounds(after, schedules), strict=True)
    )


def planned_rotation_rounds(progress: StageProgress) -> int:
    """Return the stage's total number of rounds, or 0 if it has too few bots."""
    try:
        schedules = [_schedule(progress, number) for number in range(len(deal_groups(progress)))]
        return max(_list_group_rounds(progress, schedules))
    except (ImpossiblePairingError, ValueError):
        return 0


def _schedule(progress: StageProgress, group: int) -> RoundRobinSchedule:
    terms = progress.terms
    entries, seed = deal_groups(progress)[group], progress.opening.seed
    return _draw_schedule(entries, terms.seats, terms.least, seed, group, progress.budget)


@lru_cache(maxsize=256)
def _draw_schedule(entries: Group, seats: int, least: int, seed: bytes, group: int, budget: int) -> RoundRobinSchedule:
    # folding and verifying a league must work without numpy
    from ftk_core.league.pairing.round_robin_schedules import BUDGET, draw_schedule

    draw = MatchRandomness(seed).at("schedule", group)
    return draw_schedule(entries, seats, least, draw, budget or BUDGET)


def _split_present(progress: StageProgress, seating: Group) -> tuple[Group, list[int]]:
    """Divide the present bots of a scheduled table into those that play and those with a bye."""
    # A bot gets a bye if it must not meet a better seed at the table. If too few bots are left for a table, all get
    # byes.
    sit: list[int] = []
    alone: list[int] = []
    for entry in sorted(seating, key=progress.seeds.index):
        if entry in progress.present:
            barred = any(frozenset((entry, other)) in progress.forbidden for other in sit)
            (alone if barred else sit).append(entry)
    if len(sit) < progress.terms.least:
        return (), [*sit, *alone]
    return tuple(entry for entry in seating if entry in sit), alone
