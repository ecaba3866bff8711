"""Consistency of match ids in a league's stream."""

from __future__ import annotations

from ftk_core.league.acts import MatchReplaced, MatchVoided
from ftk_core.league.deals import turned
from ftk_core.league.facts import ResultRecorded
from ftk_core.league.state import Key, LeagueState, NotNow

LogFact = ResultRecorded | MatchReplaced | MatchVoided


class MatchIds:
    """Match ids seen so far."""

    def __init__(self) -> None:
        self._current: dict[Key, str] = {}
        self._known: set[str] = set()

    def take(self, fact: LogFact) -> None:
        """Process a fact that names matches; raise NotNow if an id is unexpected or used twice."""
        key = fact.round, fact.table, fact.game
        named, new = (fact.old, fact.new) if isinstance(fact, MatchReplaced) else (fact.match, "")
        current = self._current.get(key)
        if current is None:
            self._add(named)
        elif named != current:
            raise NotNow(f"it names match {named}, where match {current} is played")
        if new:
            self._add(new)
        self._current[key] = new or named

    def _add(self, match: str) -> None:
        if not match or match in self._known:
            raise NotNow(f"it names match {match!r}, which is another match of the league")
        self._known.add(match)


def check_result(league: LeagueState, result: ResultRecorded) -> None:
    """Raise NotNow for a result that is impossible at its table."""
    drawn = turned(league.table_of((result.round, result.table, result.game)), result.game)
    places, seats = result.places, len(drawn)
    if result.seating != drawn:
        raise NotNow(f"it seats {result.seating}, where {drawn} were drawn")
    if len(places) != seats or any(place != 1 + sum(other < place for other in places) for place in places):
        raise NotNow(f"places {places} cannot be: {seats} seats share the places from 1, as 1, 2, 2, 4")
    if len(result.scores) != seats or len(result.excuses) not in (0, seats):
        raise NotNow(
            f"it has {len(result.scores)} scores and {len(result.excuses)} counts of excuses for {seats} seats"
        )
