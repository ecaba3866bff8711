"""Checks of rounds by the rules of each league format, to verify old leagues (version 0 of the league rules)."""
# They share no code with `ftk_core.league.formats`. Rounds of newer leagues are drawn again and compared
# (`ftk_core.league.event_audit`).

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import inf
from typing import NamedTuple

from ftk_core.league.event_fields import TableSeating
from ftk_core.league.league_facts import RoundPaired
from ftk_core.league.pairing_checks.format_independent_round_checks import (
    flaws_of_meetings,
    flaws_of_order,
    flaws_of_presence,
    flaws_of_sizes,
)
from ftk_core.league.pairing_checks.league_history import LeagueHistory, Pair
from ftk_core.league.pairing_checks.swiss import flaws_of_a_swiss_round


def _finishing_order(past: LeagueHistory, drawn: RoundPaired, table: TableSeating) -> list[int]:
    """Rank a table's bots by points, game scores and seeds; withdrawn bots come last."""
    worth, scores = Counter[int](), Counter[int]()
    for (round_, number, _), result in past.counted.items():
        if (round_, number) == (drawn.round, table.number):
            for entry, gain, score in zip(result.seating, past.worth(result.places), result.scores, strict=False):
                worth[entry] += gain
                scores[entry] += score
    remaining = {entry for entry in past.seeds if entry not in past.gone}
    seeds = {entry: seed for seed, entry in enumerate(past.seeds)}
    return sorted(table.seating, key=lambda e: (e not in remaining, -worth[e], -scores[e], seeds.get(e, len(seeds))))


def _flaws_of_a_knockout(past: LeagueHistory, drawn: RoundPaired) -> Iterator[str]:
    left = set(past.seeds)
    for before in past.drawn:
        seeded = {rest.entry for rest in before.rests if rest.why == "seeded"}
        last = len(before.tables) == 1 and not before.rests
        left &= seeded.union(*(_winners(past, before, table, last=last) for table in before.tables))
    expected_entries = [entry for entry in past.seeds if entry in left & past.playing]
    drawn_here = {entry for table in drawn.tables for entry in table.seating}
    spared = [entry for entry in expected_entries if entry not in drawn_here]
    if sorted(spared) != sorted(rest.entry for rest in drawn.rests if rest.why == "seeded"):
        yield f"entries {spared} are in it and do not play, and are not the ones that are spared"
    for entry in sorted(drawn_here - set(expected_entries)):
        yield f"entry {entry} plays, and was out"
    if past.stage.seats > 2:
        yield from _flaws_of_dealing(past, drawn, expected_entries)
        return
    if spared != expected_entries[: len(spared)]:
        yield f"entries {spared} are spared, where the first seeds are {expected_entries[: len(spared)]}"
    full, playing = 1 << (len(expected_entries).bit_length() - 1), expected_entries[len(spared) :]
    if len(spared) != (2 * full - len(expected_entries) if len(expected_entries) > full else 0):
        yield f"{len(spared)} of {len(expected_entries)} are spared, after which no bracket of {full} is left"
    expected_pairs = {frozenset((playing[n], playing[-1 - n])) for n in range(len(playing) // 2)}
    if {frozenset(table.seating) for table in drawn.tables} != expected_pairs:
        yield "the first seed does not meet the last, and so on inwards"


def _flaws_of_dealing(past: LeagueHistory, drawn: RoundPaired, entries: list[int]) -> Iterator[str]:
    """Yield a sentence if a knockout round does not spread the seeds over its tables."""
    # Snake order over as few tables as possible: from the first table to the last, then back, and so on.
    count = max(1, -(-len(entries) // past.stage.seats))
    laps = [entries[start : start + count] for start in range(0, len(entries), count)]
    ways = [lap if number % 2 == 0 else [*[0] * (count - len(lap)), *reversed(lap)] for number, lap in enumerate(laps)]
    expected_tables = {
        frozenset(way[table] for way in ways if table < len(way) and way[table]) for table in range(count)
    }
    if {frozenset(table.seating) for table in drawn.tables} != expected_tables:
        yield "the seeds are not dealt to and fro over the tables"


def _winners(past: LeagueHistory, drawn: RoundPaired, table: TableSeating, *, last: bool) -> set[int]:
    return set(_finishing_order(past, drawn, table)[: 1 if last else max(1, len(table.seating) // 2)])


def _flaws_of_a_gauntlet(past: LeagueHistory, drawn: RoundPaired) -> Iterator[str]:
    challengers = {entry for entry in past.seeds[: past.stage.groups] if entry in past.playing}
    others = past.playing - challengers
    met: Counter[Pair] = Counter()
    for table in drawn.tables:
        seated_challengers = challengers & set(table.seating)
        if len(seated_challengers) != 1:
            yield f"at table {table.number} sit {len(seated_challengers)} challengers"
        met.update(frozenset((one, other)) for one in seated_challengers for other in table.seating if other != one)
    for one in sorted(challengers):
        lawful = {other for other in others if frozenset((one, other)) not in past.barred}
        expected_opponents = lawful if len(lawful) >= past.stage.least - 1 else set()
        for other in sorted(others):
            if met[frozenset((one, other))] != (other in expected_opponents):
                yield f"challenger {one} meets entry {other} {met[frozenset((one, other))]}x"
    seated = {entry for table in drawn.tables for entry in table.seating}
    alone = sorted(rest.entry for rest in drawn.rests if rest.why == "alone")
    if alone != sorted(past.playing - seated):
        yield f"entries {alone} have a bye alone, where entries {sorted(past.playing - seated)} sit at no table"


def _flaws_of_a_ladder(past: LeagueHistory, drawn: RoundPaired) -> Iterator[str]:
    order = list(past.seeds)
    for before in past.drawn:
        tables = [_finishing_order(past, before, table) for table in before.tables]
        for upper, lower in pairwise(tables):
            upper[-1], lower[0] = lower[0], upper[-1]
        after = [entry for table in tables for entry in table]
        rungs = sorted(order.index(entry) for entry in after if entry in order)
        for rung, entry in zip(rungs, after, strict=False):
            order[rung] = entry
    left = [entry for entry in order if entry in past.playing]
    for table in drawn.tables:
        division, left = left[: len(table.seating)], left[len(table.seating) :]
        if set(table.seating) != set(division):
            seated_entries, division_entries = sorted(table.seating), sorted(division)
            yield f"at table {table.number} sit entries {seated_entries}, of that division are {division_entries}"


def _flaws_of_a_rotation(past: LeagueHistory, drawn: RoundPaired) -> Iterator[str]:
    """Yield a sentence for each table of a round robin that mixes groups or whose bots meet too often."""
    # Only tables of two can meet too often, see `_max_meetings`.
    count = min(past.stage.groups, len(past.seeds))
    group = {entry: n % count if n // count % 2 == 0 else count - 1 - n % count for n, entry in enumerate(past.seeds)}
    sizes = Counter(group.values())
    for table in drawn.tables:
        if len({group.get(entry) for entry in table.seating}) != 1:
            yield f"at table {table.number} sit entries of different groups"
        elif past.stage.seats == 2 and past.met[frozenset(table.seating)] >= _max_meetings(
            past, sizes, group[table.seating[0]]
        ):
            yield f"entries {sorted(table.seating)} meet again before all have met"


def _max_meetings(past: LeagueHistory, sizes: Counter[int], group: int) -> float:
    """Return the maximum number of meetings of two bots of a group, including the next round."""
    # At tables of two. Infinity: any number of meetings is allowed.
    rounds_to_meet_all = {number: size + size % 2 - 1 for number, size in sizes.items()}
    if past.opened.rules >= 2 and len(sizes) > 1:
        return max(1, (past.length or past.stage.rounds) // rounds_to_meet_all[group])
    return 1 if len(past.drawn) < min(rounds_to_meet_all.values()) else inf


def _flaws_of_an_unknown_format(past: LeagueHistory, _drawn: RoundPaired) -> Iterator[str]:
    yield f"there is no format {past.stage.format!r}"


class LeagueFormatRules(NamedTuple):
    """Rules of one format, by which its rounds and stages are checked."""

    own_check: Callable[[LeagueHistory, RoundPaired], Iterator[str]]
    """Check of the rules that only this format has."""
    fixed: bool = True
    """True if the rules determine the tables. Rounds then also undergo the checks for all formats, and organisers may
    not change a draft. If False, `own_check` alone checks a round."""
    scheduled: bool = False
    """True if all rounds are known when the stage begins: a round may be paired before the current one ends, and a
    bot that withdraws leaves a shorter table."""
    several_tables: bool = False
    """True if a bot may sit at several tables of a round."""
    eliminates: bool = False
    """True if bots that lose leave the stage."""
    counted: bool = False
    """True if a stage has the announced number of rounds."""
    levels: bool = False
    """True if bots rank by something else, such as the round they reached, before points."""


FORMAT_RULES = {
    "gauntlet": LeagueFormatRules(_flaws_of_a_gauntlet, several_tables=True),
    "groups": LeagueFormatRules(_flaws_of_a_rotation, scheduled=True, levels=True),
    "knockout": LeagueFormatRules(_flaws_of_a_knockout, eliminates=True, levels=True),
    "ladder": LeagueFormatRules(_flaws_of_a_ladder, counted=True, levels=True),
    "round_robin": LeagueFormatRules(_flaws_of_a_rotation, scheduled=True),
    "swiss": LeagueFormatRules(flaws_of_a_swiss_round, fixed=False, counted=True),
}


def rules_of(past: LeagueHistory) -> LeagueFormatRules:
    """Return the rules of the current stage's format."""
    return FORMAT_RULES.get(past.stage.format, LeagueFormatRules(_flaws_of_an_unknown_format))


def flaws_of_a_round(past: LeagueHistory, drawn: RoundPaired) -> Iterator[str]:
    """Yield a sentence for each way in which a round breaks the rules of its format."""
    rules = rules_of(past)
    if not rules.fixed:
        yield from rules.own_check(past, drawn)
        return
    often = past.seeds if rules.several_tables else ()
    flaws = [
        *flaws_of_order(past, drawn, ahead=rules.scheduled),
        *flaws_of_presence(past, drawn, often=often, out=rules.eliminates),
        *flaws_of_sizes(past, drawn, uneven=rules.scheduled),
    ]
    yield from flaws
    if drawn.round in past.by_hand:
        yield "somebody changed it, where nobody may"
    if not flaws:
        yield from flaws_of_meetings(past, drawn)
        yield from rules.own_check(past, drawn)
