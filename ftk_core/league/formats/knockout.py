"""Knockout format: the better half of each table advances to the next round, until a single table plays the final.

Absent bots are out. Tables of two form a bracket; if needed, the best seeds get byes in its first round.
"""
# Bots with equal points at a table are ranked by score, then at random. Each larger table gets both strong and weak
# seeds. If not all bots can be seated, those with the fewest byes so far get one. More than half of a table advance if
# the next round would otherwise have too few bots. If too few are left for a table, the best eliminated bots fill it.

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from ftk_core.i18n import Message
from ftk_core.league.event_fields import EntrantBye, StageSettings
from ftk_core.league.formats import LeagueFormat
from ftk_core.league.formats.ranking_within_table import rank_table
from ftk_core.league.formats.round_tables_and_byes import forbidden_pair_among, make_rests, number_tables
from ftk_core.league.league_facts import RoundPaired
from ftk_core.league.pairing.bye_selection import table_sizes
from ftk_core.league.stage_progress import (
    CannotPairDecision,
    NextRoundDecision,
    NextStep,
    StageFinishedDecision,
    StageProgress,
)

ABSENT_LEVEL = 500
"""Deduction from the level of a bot that was absent from a round: it ranks below those that played this round.

Before version 2 of the league rules, bots that were absent from the first round have level 0, above its losers.
"""


def next_round(progress: StageProgress) -> NextStep:
    """Return the next round of the bots not yet eliminated, or the end of the stage."""
    left = _remaining_entries(progress)
    if len(left) < 2 or (progress.drawn and _is_last(progress, progress.drawn[-1])):
        return StageFinishedDecision()
    playing = _next_entries(progress, left)
    if len(playing) < progress.terms.least:
        if progress.rules and progress.drawn:
            return StageFinishedDecision()
        return CannotPairDecision(
            Message(
                "only %(count)s of the remaining entries can play; a table needs at least %(least)s",
                count=len(playing),
                least=progress.terms.least,
            )
        )
    spared, seatings = (_bracket if progress.terms.seats == 2 else _tables)(progress, playing)
    if meeting := forbidden_pair_among(progress, seatings):
        one, other = sorted(meeting)
        return CannotPairDecision(
            Message(
                "entries %(one)s and %(other)s are to meet, which is forbidden; withdraw one of them or end the stage",
                one=one,
                other=other,
            )
        )
    return NextRoundDecision(
        tables=number_tables(map(progress.chance.at("seats", progress.number).shuffled, seatings)),
        rests=_make_rests_of_remaining(progress, spared, left),
    )


def _make_rests_of_remaining(
    progress: StageProgress, spared: Sequence[int], left: Collection[int]
) -> tuple[EntrantBye, ...]:
    """Return the byes of a round: for the bots in `spared`, then for the excused bots.

    A bot in `spared` advances without a match. Only bots in `left` (not yet eliminated) get a bye.
    """
    # Before version 2 of the league rules, eliminated bots that are excused get a bye, too.
    rests = make_rests(progress, spared, "seeded")
    return tuple(one for one in rests if progress.rules < 2 or one.entry in left)


def planned(progress: StageProgress) -> int:
    """Return the total number of rounds if nobody withdraws from now on."""
    rounds, left = len(progress.drawn), len(_remaining_entries(progress))
    if (
        progress.drawn
        and len(progress.drawn) == progress.closed
        and isinstance(next_round(progress), StageFinishedDecision)
    ):
        return rounds
    while left > 1:
        rounds += 1
        if left <= progress.terms.seats:
            break
        left = _entries_after_round(progress.terms, left)
    return rounds


def levels(progress: StageProgress) -> Mapping[int, int]:
    """Return the level that each bot reached: the more rounds survived, the higher."""
    level, reached = dict.fromkeys(progress.seeds, 0), dict[int, int]()
    for number, paired in enumerate(progress.drawn[: progress.closed], 1):
        for table in paired.tables:
            on = _advancing_count(progress, paired, len(table.seating))
            for place, entry in enumerate(rank_table(progress, paired, table)):
                level[entry] = (number - 1) * 1000 + (1000 if place < on else 0) - place
                reached[entry] = number if place < on else 0
        spared = [rest.entry for rest in paired.rests if rest.why == "seeded" or not progress.rules]
        level.update(dict.fromkeys(spared, number * 1000))
        reached.update(dict.fromkeys(spared, number))
    if progress.rules:
        for entry, number in reached.items():
            if number and (number < progress.closed or entry not in progress.present):
                level[entry] -= ABSENT_LEVEL
    if progress.rules >= 2 and progress.closed:
        level.update(dict.fromkeys(set(progress.seeds) - reached.keys(), -ABSENT_LEVEL))
    return level


def _remaining_entries(progress: StageProgress) -> list[int]:
    """Return the bots that have not been eliminated, the best seed first."""
    left = [entry for entry in progress.seeds if entry in progress.present | progress.excused]
    for paired in progress.drawn[-1:] if progress.rules else progress.drawn:
        on = {one.entry for one in paired.rests if one.why == "seeded"}
        for table in paired.tables:
            on.update(rank_table(progress, paired, table)[: _advancing_count(progress, paired, len(table.seating))])
        left = [entry for entry in left if entry in on]
    return left


def _next_entries(progress: StageProgress, left: Sequence[int]) -> list[int]:
    """Return the bots of the next round, the best seed first."""
    # If too few bots are left for a table, the best eliminated bots play again.
    playing, least = [entry for entry in left if entry in progress.present], progress.terms.least
    if not progress.rules or not progress.drawn or not 1 < len(playing) < least:
        return playing
    level, order = levels(progress), progress.chance.at("filled", progress.number).shuffled(progress.seeds)
    out = [entry for entry in order if entry in progress.present and entry not in left]
    out.sort(key=lambda entry: (-level[entry], -progress.points[entry]))
    filled = {*playing, *out[: least - len(playing)]}
    return [entry for entry in progress.seeds if entry in filled]


def _is_last(progress: StageProgress, paired: RoundPaired) -> bool:
    """Return True if a round is the final: it has a single table, and no bot advances by a bye."""
    # Under version 0 of the league rules, no bot at all may have a bye in it.
    resting = [one for one in paired.rests if one.why == "seeded"] if progress.rules else paired.rests
    return len(paired.tables) == 1 and not resting


def _advancing_count(progress: StageProgress, paired: RoundPaired, seats: int) -> int:
    """Return the number of bots of a table that advance: one if the round is the final, otherwise about half."""
    if _is_last(progress, paired):
        return 1
    spared = sum(one.why == "seeded" for one in paired.rests)
    return _usual_advancing_count(progress.terms, seats, spared, len(paired.tables))


def _usual_advancing_count(terms: StageSettings, seats: int, spared: int, tables: int) -> int:
    """Return the number of bots of a table that advance: half of them, at least one."""
    # More if the next round would otherwise have too few bots for a table.
    return max(1, seats // 2, -(-(terms.least - spared) // tables))


def _entries_after_round(terms: StageSettings, left: int) -> int:
    """Return the number of bots left after a round with several tables."""
    if terms.seats == 2:
        full = 1 << (left.bit_length() - 1)
        return full if left > full else full // 2
    spared, sizes = table_sizes(left, terms.seats, terms.least)
    return spared + sum(_usual_advancing_count(terms, size, spared, len(sizes)) for size in sizes)


def _split_resting(progress: StageProgress, playing: Sequence[int], count: int) -> tuple[list[int], list[int]]:
    """Divide the bots into `count` that get a bye and those that play."""
    # Fewest byes so far first, best seeds first among equals.
    before = Counter(one.entry for paired in progress.drawn for one in paired.rests if one.why == "seeded")
    order = sorted(playing, key=before.__getitem__) if progress.rules else playing
    resting = order[:count]
    return list(resting), [entry for entry in playing if entry not in resting]


def _bracket(progress: StageProgress, playing: Sequence[int]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the bots with a bye, and the pairs: best seed against last, and so on."""
    full = 1 << (len(playing).bit_length() - 1)
    spared, paired_entries = _split_resting(progress, playing, 2 * full - len(playing) if len(playing) > full else 0)
    return spared, [(paired_entries[n], paired_entries[-1 - n]) for n in range(len(paired_entries) // 2)]


def _tables(progress: StageProgress, playing: Sequence[int]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the bots with a bye, and tables of nearly equal size and strength."""
    # Snake order: from the first table to the last and back.
    count, sizes = table_sizes(len(playing), progress.terms.seats, progress.terms.least)
    spared, seated_entries = _split_resting(progress, playing, count)
    tables: list[list[int]] = [[] for _ in sizes]
    for number, entry in enumerate(seated_entries):
        lap, place = divmod(number, len(sizes))
        tables[place if lap % 2 == 0 else len(sizes) - 1 - place].append(entry)
    return spared, [tuple(table) for table in tables]


FORMAT = LeagueFormat(
    next_round=next_round,
    planned=planned,
    levels=levels,
    eliminates=True,
    fixed="in a knockout, seeds decide who meets whom",
)
