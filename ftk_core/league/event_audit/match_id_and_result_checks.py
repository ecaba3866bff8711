"""Consistency checks of the match ids and results in a league's event stream."""

from __future__ import annotations

from ftk_core.league.intervention_facts import MatchReplaced, MatchVoided
from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.league_state import CommandRejected, LeagueState, MatchKey
from ftk_core.league.match_seating_and_random_seeds import rotate_seating

LogFact = ResultRecorded | MatchReplaced | MatchVoided


class MatchIdRegister:
    """Register of the match ids that the events of a stream have used so far."""

    def __init__(self) -> None:
        self._current: dict[MatchKey, str] = {}
        self._known: set[str] = set()

    def take(self, fact: LogFact) -> None:
        """Register the match ids in an event.

        Raises CommandRejected if the event names a match by an outdated id, or if a new id is empty or already used.
        """
        # If a match is replaced, the new id becomes the current one, and the old one is outdated.
        key = fact.round, fact.table, fact.game
        named, new = (fact.old, fact.new) if isinstance(fact, MatchReplaced) else (fact.match, "")
        current = self._current.get(key)
        if current is None:
            self._add(named)
        elif named != current:
            raise CommandRejected(f"it names match {named}, where match {current} is played")
        if new:
            self._add(new)
        self._current[key] = new or named

    def _add(self, match: str) -> None:
        if not match or match in self._known:
            raise CommandRejected(f"it names match {match!r}, which is another match of the league")
        self._known.add(match)


def check_result(league: LeagueState, result: ResultRecorded) -> None:
    """Raise CommandRejected if a match result does not fit the seats and bots that the pairing gave its table."""
    drawn = rotate_seating(league.table_of((result.round, result.table, result.game)).seating, result.game)
    places, seats = result.places, len(drawn)
    if result.seating != drawn:
        raise CommandRejected(f"it seats {result.seating}, where {drawn} were drawn")
    if len(places) != seats or any(place != 1 + sum(other < place for other in places) for place in places):
        raise CommandRejected(f"places {places} cannot be: {seats} seats share the places from 1, as 1, 2, 2, 4")
    if len(result.scores) != seats or len(result.excuses) not in (0, seats):
        raise CommandRejected(
            f"it has {len(result.scores)} scores and {len(result.excuses)} counts of excuses for {seats} seats"
        )
