"""Consistency checks of the match ids and results in a league's event stream."""

from __future__ import annotations

from ftk_core.league.intervention_facts import MatchReplaced, MatchVoided
from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.league_state import CommandRejected, LeagueState, MatchKey
from ftk_core.league.match_seating_and_random_seeds import derive_match_id, rotate_seating

LogFact = ResultRecorded | MatchReplaced | MatchVoided


class MatchIdRegister:
    """Register of the match ids that the events of a stream have used so far."""

    def __init__(self) -> None:
        self._current: dict[MatchKey, str] = {}
        self._known: set[str] = set()

    def take(self, league: LeagueState, fact: LogFact) -> None:
        """Register the match ids in an event of a league.

        Raises CommandRejected if the event names a match by an outdated id, or if a new id is empty or already used.
        Since version 4 of the league rules, a new id must be that of `derive_match_id`.
        """
        # If a match is replaced, the new id becomes the current one, and the old one is outdated.
        key = fact.round, fact.table, fact.game
        named, new = (fact.old, fact.new) if isinstance(fact, MatchReplaced) else (fact.match, "")
        current = self._current.get(key)
        if current is None:
            self._add(league, key, named)
        elif named != current:
            raise CommandRejected(f"it names match {named}, where match {current} is played")
        if new:
            self._add(league, key, new, 1 + league.voids.get(key, 0))
        self._current[key] = new or named

    def _add(self, league: LeagueState, key: MatchKey, match: str, replays: int = 0) -> None:
        if not match or match in self._known:
            raise CommandRejected(f"it names match {match!r}, which is another match of the league")
        if league.header.rules >= 4 and match != (derived := derive_match_id(league, key, replays)):
            raise CommandRejected(f"it names match {match!r}, where the id {derived} follows from the round")
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
