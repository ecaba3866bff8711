"""Check of a round in a format that determines the tables completely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

from ftk_core.league.checking.past import Pair, Past
from ftk_core.league.checking.presence import flaws_of_meetings, flaws_of_order, flaws_of_presence, flaws_of_sizes
from ftk_core.league.facts import RoundPaired
from ftk_core.league.plans import TablePlan


def flaws_of_a_fixed_round(past: Past, drawn: RoundPaired) -> Iterator[str]:
    """Yield the flaws of a round in such a format."""
    often = past.seeds if past.stage.format == "gauntlet" else ()
    presence = flaws_of_presence(past, drawn, often=often, out=past.stage.format == "knockout")
    uneven = past.stage.format in ("round_robin", "groups")  # a withdrawn entry leaves a shorter table
    found = [*flaws_of_order(past, drawn), *presence, *flaws_of_sizes(past, drawn, uneven=uneven)]
    yield from found
    if drawn.round in past.by_hand:
        yield "somebody changed it, where nobody may"
    if not found:
        yield from flaws_of_meetings(past, drawn)
        yield from LAWS.get(past.stage.format, _no_law)(past, drawn)


def _no_law(past: Past, _drawn: RoundPaired) -> Iterator[str]:
    yield f"there is no format {past.stage.format!r}"


def _finish(past: Past, drawn: RoundPaired, table: TablePlan) -> list[int]:
    """Rank the entries of a table by points of its matches, then scores, then seeds."""
    worth, scores = Counter[int](), Counter[int]()
    for (round_, number, _), result in past.counted.items():
        if (round_, number) == (drawn.round, table.number):
            for entry, gain, score in zip(result.seating, past.worth(result.places), result.scores, strict=False):
                worth[entry] += gain
                scores[entry] += score
    here = {entry for entry in past.seeds if entry not in past.gone}
    seeds = {entry: seed for seed, entry in enumerate(past.seeds)}
    return sorted(table.seating, key=lambda e: (e not in here, -worth[e], -scores[e], seeds.get(e, len(seeds))))


def _flaws_of_a_knockout(past: Past, drawn: RoundPaired) -> Iterator[str]:
    left = set(past.seeds)
    for before in past.drawn:
        seeded = {rest.entry for rest in before.rests if rest.why == "seeded"}
        last = len(before.tables) == 1 and not before.rests
        left &= seeded.union(*(_winners(past, before, table, last=last) for table in before.tables))
    here = [entry for entry in past.seeds if entry in left & past.playing]
    drawn_here = {entry for table in drawn.tables for entry in table.seating}
    spared = [entry for entry in here if entry not in drawn_here]
    if sorted(spared) != sorted(rest.entry for rest in drawn.rests if rest.why == "seeded"):
        yield f"entries {spared} are in it and do not play, and are not the ones that are spared"
    for entry in sorted(drawn_here - set(here)):
        yield f"entry {entry} plays, and was out"
    if past.stage.seats > 2:
        yield from _flaws_of_dealing(past, drawn, here)
        return
    if spared != here[: len(spared)]:
        yield f"entries {spared} are spared, where the first seeds are {here[: len(spared)]}"
    full, playing = 1 << (len(here).bit_length() - 1), here[len(spared) :]
    if len(spared) != (2 * full - len(here) if len(here) > full else 0):
        yield f"{len(spared)} of {len(here)} are spared, after which no bracket of {full} is left"
    wanted = {frozenset((playing[n], playing[-1 - n])) for n in range(len(playing) // 2)}
    if {frozenset(table.seating) for table in drawn.tables} != wanted:
        yield "the first seed does not meet the last, and so on inwards"


def _flaws_of_dealing(past: Past, drawn: RoundPaired, here: list[int]) -> Iterator[str]:
    """Yield an error unless the seeds are dealt to and fro over the fewest possible tables."""
    count = max(1, -(-len(here) // past.stage.seats))
    laps = [here[start : start + count] for start in range(0, len(here), count)]
    ways = [lap if number % 2 == 0 else [*[0] * (count - len(lap)), *reversed(lap)] for number, lap in enumerate(laps)]
    wanted = {frozenset(way[table] for way in ways if table < len(way) and way[table]) for table in range(count)}
    if {frozenset(table.seating) for table in drawn.tables} != wanted:
        yield "the seeds are not dealt to and fro over the tables"


def _winners(past: Past, drawn: RoundPaired, table: TablePlan, *, last: bool) -> set[int]:
    return set(_finish(past, drawn, table)[: 1 if last else max(1, len(table.seating) // 2)])


def _flaws_of_a_gauntlet(past: Past, drawn: RoundPaired) -> Iterator[str]:
    challengers = {entry for entry in past.seeds[: past.stage.groups] if entry in past.playing}
    others = past.playing - challengers
    met: Counter[Pair] = Counter()
    for table in drawn.tables:
        here = challengers & set(table.seating)
        if len(here) != 1:
            yield f"at table {table.number} sit {len(here)} challengers"
        met.update(frozenset((one, other)) for one in here for other in table.seating if other != one)
    for one in sorted(challengers):
        lawful = {other for other in others if frozenset((one, other)) not in past.barred}
        wanted = lawful if len(lawful) >= past.stage.least - 1 else set()
        for other in sorted(others):
            if met[frozenset((one, other))] != (other in wanted):
                yield f"challenger {one} meets entry {other} {met[frozenset((one, other))]}x"
    seated = {entry for table in drawn.tables for entry in table.seating}
    alone = sorted(rest.entry for rest in drawn.rests if rest.why == "alone")
    if alone != sorted(past.playing - seated):
        yield f"entries {alone} rest alone, where entries {sorted(past.playing - seated)} sit at no table"


def _flaws_of_a_ladder(past: Past, drawn: RoundPaired) -> Iterator[str]:
    order = list(past.seeds)
    for before in past.drawn:
        tables = [_finish(past, before, table) for table in before.tables]
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
            here, wanted = sorted(table.seating), sorted(division)
            yield f"at table {table.number} sit entries {here}, of that division are {wanted}"


def _flaws_of_a_rotation(past: Past, drawn: RoundPaired) -> Iterator[str]:
    """Yield an error unless groups are separate and no pair meets again before a group of pairs has finished."""
    count = min(past.stage.groups, len(past.seeds))
    group = {entry: n % count if n // count % 2 == 0 else count - 1 - n % count for n, entry in enumerate(past.seeds)}
    shortest = min(Counter(group.values()).values(), default=0)
    for table in drawn.tables:
        if len({group.get(entry) for entry in table.seating}) != 1:
            yield f"at table {table.number} sit entries of different groups"
        if (
            past.stage.seats == 2
            and len(past.drawn) < shortest + shortest % 2 - 1
            and past.met[frozenset(table.seating)]
        ):
            yield f"entries {sorted(table.seating)} meet again before all have met"


LAWS: dict[str, Callable[[Past, RoundPaired], Iterator[str]]] = {
    "knockout": _flaws_of_a_knockout,
    "gauntlet": _flaws_of_a_gauntlet,
    "ladder": _flaws_of_a_ladder,
    "round_robin": _flaws_of_a_rotation,
    "groups": _flaws_of_a_rotation,
}
