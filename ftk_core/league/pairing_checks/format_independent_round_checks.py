"""Checks for rounds of any league format, such as legal table sizes and byes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import combinations

from ftk_core.league.league_facts import RoundPaired
from ftk_core.league.pairing_checks.league_history import LeagueHistory, resting_entries

REST_VALUES = {"win": Fraction(1), "half": Fraction(1, 2), "none": Fraction(0)}
"""Value of a bye in a stage's terms -> points per match of the round, as a fraction of a win."""


def flaws_of_order(past: LeagueHistory, drawn: RoundPaired, *, ahead: bool = False) -> Iterator[str]:
    """Yield a sentence if a round begins too early, or if the round or its tables are numbered wrongly.

    With `ahead`, a round may begin while the previous round is played.
    """
    if drawn.round != past.rounds + 1:
        yield f"it comes after {past.rounds} others"
    if past.rounds - past.closed > (ahead and bool(past.drawn)):
        yield f"it begins while round {past.closed + 1} is played"
    if [table.number for table in drawn.tables] != list(range(1, len(drawn.tables) + 1)):
        yield "its tables are not numbered from 1"


def flaws_of_presence(
    past: LeagueHistory, drawn: RoundPaired, *, often: Collection[int] = (), out: bool = False
) -> Iterator[str]:
    """Yield a sentence for each bot that is missing, appears twice, or has a wrong bye.

    Bots in `often` may sit at several tables, such as challengers in a gauntlet. If `out` is True, bots may be
    missing, as a knockout eliminates losers.
    """
    times = Counter(entry for table in drawn.tables for entry in table.seating)
    twice = {entry for table in drawn.tables for entry in table.seating if table.seating.count(entry) > 1}
    times.update(resting_entries(drawn))
    excused = past.excused[past.rounds + 1] & set(past.seeds) - past.gone
    absent = {rest.entry for rest in drawn.rests if rest.why == "absent"}
    for entry in sorted(past.playing | set(times) | twice):
        if entry not in past.playing | (excused & absent):
            yield f"entry {entry} is drawn, but does not play"
        elif (times[entry] != 1 and entry not in often and not (out and not times[entry])) or entry in twice:
            yield f"entry {entry} is drawn {times[entry]}x"
    for rest in drawn.rests:
        worth = past.stage.absence if rest.why == "absent" else past.stage.rest
        if past.opened.rules >= 2 and past.stage.format == "groups" and (rest.why, rest.points) == ("alone", "0"):
            continue  # the entry's group has no meeting left
        if past.units(rest.points) != REST_VALUES[worth] * past.stage.games * past.unit:
            yield f"entry {rest.entry} has a bye for {rest.points} points, where that is worth a {worth}"


def flaws_of_sizes(past: LeagueHistory, drawn: RoundPaired, *, uneven: bool = False) -> Iterator[str]:
    """Yield a sentence if tables are too small or too large, or differ too much.

    `uneven` permits sizes that differ by more than one.
    """
    sizes, full, least = sorted(len(table.seating) for table in drawn.tables), past.stage.seats, past.stage.least
    if not sizes or sizes[0] < least or sizes[-1] > full or (sizes[-1] - sizes[0] > 1 and not uneven):
        yield f"its tables are of {sizes}, where {least} to {full} may sit down and lengths differ by 1 at most"


def flaws_of_meetings(past: LeagueHistory, drawn: RoundPaired) -> Iterator[str]:
    """Yield a sentence for each pair of bots that meets although an organiser has forbidden it."""
    # Only bans count that existed when the round was paired, which may be before it began.
    for table in drawn.tables:
        for pair in combinations(sorted(table.seating), 2):
            if frozenset(pair) in past.barred:
                yield f"entries {pair[0]} and {pair[1]} meet, which is forbidden"
