"""Rules for a round of any format: each entry once, legal table sizes, correct points for rests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import combinations

from ftk_core.league.checking.past import Past, resting
from ftk_core.league.facts import RoundPaired

FORESEEN = {"round_robin", "groups"}
"""Formats whose pairings do not depend on results: their next round may be paired before the current one ends."""
VALUES = {"win": Fraction(1), "half": Fraction(1, 2), "none": Fraction(0)}


def flaws_of_order(past: Past, drawn: RoundPaired) -> Iterator[str]:
    """Yield the flaws in the numbers of a round and its tables."""
    if drawn.round != past.rounds + 1:
        yield f"it comes after {past.rounds} others"
    ahead = past.rounds - past.closed
    if ahead > (past.stage.format in FORESEEN and bool(past.drawn)):
        yield f"it begins while round {past.closed + 1} is played"
    if [table.number for table in drawn.tables] != list(range(1, len(drawn.tables) + 1)):
        yield "its tables are not numbered from 1"


def flaws_of_presence(
    past: Past, drawn: RoundPaired, *, often: Collection[int] = (), out: bool = False
) -> Iterator[str]:
    """Yield missing entries unless they may be `out`, duplicates not listed in `often`, and rests with wrong points."""
    times = Counter(entry for table in drawn.tables for entry in table.seating)
    twice = {entry for table in drawn.tables for entry in table.seating if table.seating.count(entry) > 1}
    times.update(resting(drawn))
    excused = past.excused[past.rounds + 1] & set(past.seeds) - past.gone
    absent = {rest.entry for rest in drawn.rests if rest.why == "absent"}
    for entry in sorted(past.playing | set(times) | twice):
        if entry not in past.playing | (excused & absent):
            yield f"entry {entry} is drawn, but does not play"
        elif (times[entry] != 1 and entry not in often and not (out and not times[entry])) or entry in twice:
            yield f"entry {entry} is drawn {times[entry]}x"
    for rest in drawn.rests:
        worth = past.stage.absence if rest.why == "absent" else past.stage.rest
        if past.units(rest.points) != VALUES[worth] * past.stage.games * past.unit:
            yield f"entry {rest.entry} rests for {rest.points} points, where that is worth a {worth}"


def flaws_of_sizes(past: Past, drawn: RoundPaired, *, uneven: bool = False) -> Iterator[str]:
    """Yield tables that are too short, too long, or of too different sizes."""
    sizes, full, least = sorted(len(table.seating) for table in drawn.tables), past.stage.seats, past.stage.least
    if not sizes or sizes[0] < least or sizes[-1] > full or (sizes[-1] - sizes[0] > 1 and not uneven):
        yield f"its tables are of {sizes}, where {least} to {full} may sit down and lengths differ by 1 at most"


def flaws_of_meetings(past: Past, drawn: RoundPaired) -> Iterator[str]:
    """Yield forbidden pairs that meet. A ban after the round was drafted does not apply to it."""
    for table in drawn.tables:
        for pair in combinations(sorted(table.seating), 2):
            if frozenset(pair) in past.barred:
                yield f"entries {pair[0]} and {pair[1]} meet, which is forbidden"
