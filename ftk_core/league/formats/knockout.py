"""Knockout: of each table the better half goes on, until one table is left; equals are told apart by score, then seed.

Tables of two are a bracket: seeds that a full one has no place for are met in a round before it, while the first ones
rest. At larger tables the remaining sit down so that every table has as good a share of the seeds as the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ftk_core.league.facts import RoundPaired
from ftk_core.league.formats.outcome import ranked
from ftk_core.league.formats.seating import barred_among, numbered, rest
from ftk_core.league.progress import Over, Progress, Round, Step, Wait

grouped = False
counted = False
takes_late = False
foreseen = False
fixed = "the seeds of a knockout say who meets whom"


def next_round(progress: Progress) -> Step:
    """Return the next round among those who are left, by their seeds; over once one table has played for the end."""
    left = _left(progress)
    if len(left) < 2 or (progress.drawn and len(progress.drawn[-1].tables) == 1 and not progress.drawn[-1].rests):
        return Over()
    playing = [entry for entry in left if entry in progress.present]
    if len(playing) < progress.terms.least:
        return Wait(f"{len(playing)} of those who are left can play, which is no table of {progress.terms.least}")
    spared, seatings = _bracket(playing) if progress.terms.seats == 2 else ([], _tables(progress, playing))
    if meeting := barred_among(progress, seatings):
        one, other = sorted(meeting)
        return Wait(f"entries {one} and {other} are to meet, which is forbidden; a knockout cannot help it")
    return Round(
        tables=numbered(map(progress.chance.at("seats", progress.number).shuffled, seatings)),
        rests=rest(progress, spared, "seeded"),
    )


def planned(progress: Progress) -> int:
    """Return how many rounds it will have, if nobody withdraws."""
    rounds, left = len(progress.drawn), len(_left(progress))
    if progress.drawn and len(progress.drawn) == progress.closed and isinstance(next_round(progress), Over):
        return rounds
    while left > 1:
        rounds += 1
        if left <= progress.terms.seats:
            break
        left = _after(progress, left)
    return rounds


def levels(progress: Progress) -> Mapping[int, int]:
    """Return how far each entry came: the more rounds, the higher; of the last table the first came furthest."""
    level = dict.fromkeys(progress.seeds, 0)
    for number, paired in enumerate(progress.drawn[: progress.closed], 1):
        for table in paired.tables:
            on = _on(paired, table.seating)
            for place, entry in enumerate(ranked(progress, paired, table)):
                level[entry] = (number - 1) * 1000 + (1000 if place < on else 0) - place
        level.update({rest.entry: number * 1000 for rest in paired.rests})
    return level


def _left(progress: Progress) -> list[int]:
    """Return who is still in it, by seed."""
    left = [entry for entry in progress.seeds if entry in progress.present | progress.excused]
    for paired in progress.drawn:
        on = {one.entry for one in paired.rests if one.why == "seeded"}
        for table in paired.tables:
            on.update(ranked(progress, paired, table)[: _on(paired, table.seating)])
        left = [entry for entry in left if entry in on]
    return left


def _on(paired: RoundPaired, seating: Sequence[int]) -> int:
    """Return how many of a table go on: one of the last one."""
    return 1 if len(paired.tables) == 1 and not paired.rests else max(1, len(seating) // 2)


def _after(progress: Progress, left: int) -> int:
    if progress.terms.seats == 2:
        full = 1 << (left.bit_length() - 1)
        return full if left > full else full // 2
    tables = -(-left // progress.terms.seats)
    return sum(max(1, (left // tables + (table < left % tables)) // 2) for table in range(tables))


def _bracket(playing: Sequence[int]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return who rests, and the pairs: the first seed meets the last, and so on inwards."""
    full = 1 << (len(playing).bit_length() - 1)
    spared = 2 * full - len(playing) if len(playing) > full else 0
    here = playing[spared:]
    return list(playing[:spared]), [(here[n], here[-1 - n]) for n in range(len(here) // 2)]


def _tables(progress: Progress, playing: Sequence[int]) -> list[tuple[int, ...]]:
    """Return tables as equal as can be, dealt to and fro in the order of the seeds."""
    count = -(-len(playing) // progress.terms.seats)
    tables: list[list[int]] = [[] for _ in range(count)]
    for number, entry in enumerate(playing):
        lap, place = divmod(number, count)
        tables[place if lap % 2 == 0 else count - 1 - place].append(entry)
    return [tuple(table) for table in tables]
