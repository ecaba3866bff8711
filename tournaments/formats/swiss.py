"""Swiss pairing for tables of any size: the standings so far, handed to `ftk_core.league.pairing`.

All luck is drawn from the league's published seal, so that anybody can repeat it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import lcm

from ftk_core.league.facts import RoundPaired, TablePlan
from ftk_core.league.pairing import Candidate, Field
from ftk_core.league.pairing import pair as drawn
from ftk_core.league.standings import points_in
from ftk_core.league.state import WIN, LeagueState
from ftk_core.rng import Chance
from tournaments.formats.history import history_of


def pair(league: LeagueState) -> RoundPaired:
    """Return the next round's tables and rests; raises ValueError when too few entries are left for one table."""
    number = len(league.rounds) + 1
    paired = drawn(field_of(league), Chance(bytes.fromhex(league.header.secret_seal)).at("pairing", number))
    tables = tuple(TablePlan(table, seating) for table, seating in enumerate(paired.tables, 1))
    return RoundPaired(number, tables, paired.rests, paired.weighed)


def field_of(
    league: LeagueState, forbidden: frozenset[frozenset[int]] = frozenset(), authors: Mapping[int, str] | None = None
) -> Field:
    """Return who is to be paired next, and what they have behind them; authors by entry, as far as they are known."""
    points = points_in(league)
    unit = lcm(*(value.denominator for value in points.values()))
    history = history_of(league)
    met, seats, left = defaultdict[int, dict[int, int]](dict), defaultdict[int, dict[int, int]](dict), history.left
    for pair_, times in history.meetings.items():
        one, other = sorted(pair_)
        met[one][other] = met[other][one] = times
    for (entry, seat), times in history.seats.items():
        seats[entry][seat] = times
    candidates = tuple(
        Candidate(
            entry=entrant.entry,
            author=(authors or {}).get(entrant.entry, ""),
            points=int(points[entrant.entry] * unit),
            met=met[entrant.entry],
            seats=seats[entrant.entry],
            left={other: left[entrant.entry, other] for other in met[entrant.entry]},
            short=history.short[entrant.entry],
            rests=history.byes[entrant.entry],
        )
        for entrant in league.entrants
        if not entrant.withdrawn
    )
    header = league.header
    win = int(WIN * header.games * unit)
    return Field(
        candidates=candidates,
        full=header.seats,
        least=header.least,
        games=header.games,
        win=win,
        forbidden=forbidden,
    )
