"""Knockout: the better half of each table advances until one table is left; ties go by score, then by lot.

Tables of two form a bracket: the surplus over a power of two is eliminated in a preliminary round, in which the first
seeds rest. At larger tables the seeds are spread evenly over the tables. Entries without a place at a table rest in
turn. As many advance as the game's shortest table needs, so that any sufficient number of entries leads to one last
table.

An entry that is absent when a round is drawn is out, and its opponent advances without a match. If too few are left for
a table, the best eliminated entries take the free seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ftk_core.league.facts import RoundPaired
from ftk_core.league.formats.outcome import ranked
from ftk_core.league.formats.seating import barred_among, numbered, rest
from ftk_core.league.pairing.rests import sizes_of
from ftk_core.league.plans import Stage
from ftk_core.league.progress import Over, Progress, Round, Step, Wait

grouped = False
counted = False
takes_late = False
foreseen = False
fixed = "the seeds of a knockout say who meets whom"

AWAY = 500
"""Level of an entry that advanced but played no further: below all that went equally far, above the others."""


def next_round(progress: Progress) -> Step:
    """Return the next round of the remaining entries by seed; over once the last table has played."""
    left = _left(progress)
    if len(left) < 2 or (progress.drawn and _is_last(progress, progress.drawn[-1])):
        return Over()
    playing = _playing(progress, left)
    if len(playing) < progress.terms.least:
        if progress.rules and progress.drawn:
            return Over()
        return Wait(f"{len(playing)} of those who are left can play, which is no table of {progress.terms.least}")
    spared, seatings = (_bracket if progress.terms.seats == 2 else _tables)(progress, playing)
    if meeting := barred_among(progress, seatings):
        one, other = sorted(meeting)
        return Wait(f"entries {one} and {other} are to meet, which is forbidden; withdraw one of them or end the stage")
    return Round(
        tables=numbered(map(progress.chance.at("seats", progress.number).shuffled, seatings)),
        rests=rest(progress, spared, "seeded"),
    )


def planned(progress: Progress) -> int:
    """Return the number of rounds if nobody withdraws."""
    rounds, left = len(progress.drawn), len(_left(progress))
    if progress.drawn and len(progress.drawn) == progress.closed and isinstance(next_round(progress), Over):
        return rounds
    while left > 1:
        rounds += 1
        if left <= progress.terms.seats:
            break
        left = _after(progress.terms, left)
    return rounds


def levels(progress: Progress) -> Mapping[int, int]:
    """Return how far each entry came: the more rounds, the higher; the winner of the last table is highest."""
    level, reached = dict.fromkeys(progress.seeds, 0), dict[int, int]()
    for number, paired in enumerate(progress.drawn[: progress.closed], 1):
        for table in paired.tables:
            on = _on(progress, paired, len(table.seating))
            for place, entry in enumerate(ranked(progress, paired, table)):
                level[entry] = (number - 1) * 1000 + (1000 if place < on else 0) - place
                reached[entry] = number if place < on else 0
        spared = [rest.entry for rest in paired.rests if rest.why == "seeded" or not progress.rules]
        level.update(dict.fromkeys(spared, number * 1000))
        reached.update(dict.fromkeys(spared, number))
    if progress.rules:
        for entry, number in reached.items():
            if number and (number < progress.closed or entry not in progress.present):
                level[entry] -= AWAY
    return level


def _left(progress: Progress) -> list[int]:
    """Return the remaining entries by seed."""
    left = [entry for entry in progress.seeds if entry in progress.present | progress.excused]
    for paired in progress.drawn[-1:] if progress.rules else progress.drawn:
        on = {one.entry for one in paired.rests if one.why == "seeded"}
        for table in paired.tables:
            on.update(ranked(progress, paired, table)[: _on(progress, paired, len(table.seating))])
        left = [entry for entry in left if entry in on]
    return left


def _playing(progress: Progress, left: Sequence[int]) -> list[int]:
    """Return the entries of the next round by seed, including eliminated ones if a table needs them."""
    playing, least = [entry for entry in left if entry in progress.present], progress.terms.least
    if not progress.rules or not progress.drawn or not 1 < len(playing) < least:
        return playing
    level, order = levels(progress), progress.chance.at("filled", progress.number).shuffled(progress.seeds)
    out = [entry for entry in order if entry in progress.present and entry not in left]
    out.sort(key=lambda entry: (-level[entry], -progress.points[entry]))
    filled = {*playing, *out[: least - len(playing)]}
    return [entry for entry in progress.seeds if entry in filled]


def _is_last(progress: Progress, paired: RoundPaired) -> bool:
    """Return whether a round is the last: it has one table and nobody rests."""
    resting = [one for one in paired.rests if one.why == "seeded"] if progress.rules else paired.rests
    return len(paired.tables) == 1 and not resting


def _on(progress: Progress, paired: RoundPaired, seats: int) -> int:
    """Return how many entries of a table advance: one from the last table."""
    if _is_last(progress, paired):
        return 1
    spared = sum(one.why == "seeded" for one in paired.rests)
    return _going_on(progress.terms, seats, spared, len(paired.tables))


def _going_on(terms: Stage, seats: int, spared: int, tables: int) -> int:
    """Return how many entries of a table advance: half, or more if the next round's shortest table needs them."""
    return max(1, seats // 2, -(-(terms.least - spared) // tables))


def _after(terms: Stage, left: int) -> int:
    """Return how many entries are left after a round with more than one table."""
    if terms.seats == 2:
        full = 1 << (left.bit_length() - 1)
        return full if left > full else full // 2
    spared, sizes = sizes_of(left, terms.seats, terms.least)
    return spared + sum(_going_on(terms, size, spared, len(sizes)) for size in sizes)


def _spared(progress: Progress, playing: Sequence[int], count: int) -> tuple[list[int], list[int]]:
    """Split into entries that rest, the first seeds among those with fewest rests, and entries that play."""
    before = Counter(one.entry for paired in progress.drawn for one in paired.rests if one.why == "seeded")
    order = sorted(playing, key=before.__getitem__) if progress.rules else playing
    resting = order[:count]
    return list(resting), [entry for entry in playing if entry not in resting]


def _bracket(progress: Progress, playing: Sequence[int]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the entries that rest, and the pairs: first seed against last, and so on inwards."""
    full = 1 << (len(playing).bit_length() - 1)
    spared, here = _spared(progress, playing, 2 * full - len(playing) if len(playing) > full else 0)
    return spared, [(here[n], here[-1 - n]) for n in range(len(here) // 2)]


def _tables(progress: Progress, playing: Sequence[int]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the entries that rest, and tables of equal size, dealt to and fro in the order of the seeds."""
    count, sizes = sizes_of(len(playing), progress.terms.seats, progress.terms.least)
    spared, here = _spared(progress, playing, count)
    tables: list[list[int]] = [[] for _ in sizes]
    for number, entry in enumerate(here):
        lap, place = divmod(number, len(sizes))
        tables[place if lap % 2 == 0 else len(sizes) - 1 - place].append(entry)
    return spared, [tuple(table) for table in tables]
