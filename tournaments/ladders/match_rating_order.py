"""Order in which the matches of a ladder are rated, and Elo ratings in this order."""
# Matches are sorted by league, round, table and match at the table, so that ratings do not depend on when results
# arrive. No function here uses the database or the clock.

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tournaments.ladders.elo_ratings import START_RATING, compute_deltas, compute_k
from tournaments.ladders.ladder_event_types import (
    LadderFact,
    LeagueMatchRated,
    NonLeagueMatchRated,
    ResultCorrected,
)

PLACES_PER_LEAGUE = 1 << 32
"""Number of positions in the match order for each league; a league's first position is its id times this number."""

MAX_WIDE_ROUND = 255
"""Last round of a league with positions for 65,536 tables of 256 matches; in later rounds, for 512 tables of 16."""
MAX_LATE_ROUND_GAMES = 16
"""Maximum number of matches of a table in rounds after `MAX_WIDE_ROUND`."""
MAX_KEPT_MATCHES = 200
"""Number of a bot's latest matches that pages show, and that pruning keeps in the database tables."""


class BotEloAndMatchCounts(NamedTuple):
    """Elo rating of a bot, with its numbers of matches and wins, at one position of the rating order."""

    value: int = START_RATING
    """Rating in thousandths of a point."""
    matches: int = 0
    wins: int = 0


TOTALS = BotEloAndMatchCounts._fields[1:]
"""Names of the totals over a bot's matches: columns of `Rating` and `RatedMatchSeat`, and fields of the API."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderedLadderMatch:
    """One match of a ladder, with its position in the order in which matches are rated."""

    at: int
    """Position in the rating order."""
    match: str
    names: tuple[str, ...]
    """Slugs of the bots, by seat."""
    places: tuple[int, ...]
    """Places from 1, by seat; empty if the result was withdrawn."""


@dataclass(frozen=True, slots=True)
class MatchWithEloChange:
    """One match, with the Elo rating and match counts of each bot before and after it, by seat."""

    match: OrderedLadderMatch
    before: list[BotEloAndMatchCounts]
    after: list[BotEloAndMatchCounts]


def compute_match_position(fact: LeagueMatchRated | NonLeagueMatchRated) -> int:
    """Return the position of a match in the order in which matches are rated.

    Raises ValueError if the number of the league, round, table or match is out of range.

    >>> fact = LeagueMatchRated(match="m", league=3, round=2, table=7, game=1, names=(), places=())
    >>> later = LeagueMatchRated(match="n", league=3, round=10, table=1, game=0, names=(), places=())
    >>> compute_match_position(fact) < compute_match_position(later)
    True
    """
    if isinstance(fact, NonLeagueMatchRated):
        return PLACES_PER_LEAGUE + fact.number
    first = fact.league * PLACES_PER_LEAGUE
    tables = 1 << (15 if fact.round == MAX_WIDE_ROUND else 16)
    if fact.league > 0 and 0 <= fact.game < 1 << 8 and 0 <= fact.round <= MAX_WIDE_ROUND and 0 <= fact.table < tables:
        return first + (fact.round << 24) + (fact.table << 8) + fact.game
    # Positions were fixed before leagues could have so many rounds: the later ones share half of the last wide round.
    later = fact.round - MAX_WIDE_ROUND - 1
    if fact.league > 0 and 0 <= fact.game < MAX_LATE_ROUND_GAMES and 0 <= later < 1 << 10 and 0 <= fact.table < 1 << 9:
        return first + (MAX_WIDE_ROUND << 24) + (1 << 23) + (later << 13) + (fact.table << 4) + fact.game
    raise ValueError(f"no place on a ladder: {fact}")


def make_ladder_match(fact: LeagueMatchRated | NonLeagueMatchRated) -> OrderedLadderMatch:
    """Return the match of a ladder event, with its position in the rating order."""
    return OrderedLadderMatch(at=compute_match_position(fact), match=fact.match, names=fact.names, places=fact.places)


def sort_facts(facts: Iterable[LadderFact]) -> list[OrderedLadderMatch]:
    """Return all matches of a ladder's events in rating order, with corrected results."""
    matches: dict[str, OrderedLadderMatch] = {}
    for fact in facts:
        match fact:
            case LeagueMatchRated() | NonLeagueMatchRated():
                matches[fact.match] = make_ladder_match(fact)
            case ResultCorrected():
                matches[fact.match] = correct_match(matches[fact.match], fact.places)
    return sorted(matches.values(), key=lambda match: match.at)


def correct_match(match: OrderedLadderMatch, places: Sequence[int] | None) -> OrderedLadderMatch:
    """Return a copy of a match with another result.

    `places` are the new places by seat; None or an empty sequence removes the result. Raises ValueError for a wrong
    number of places.
    """
    if places and len(places) != len(match.names):
        raise ValueError(f"match {match.match} has {len(match.names)} seats; these are no places of it: {places}")
    return replace(match, places=tuple(places or ()))


def rate_matches_in_order(
    matches: Iterable[OrderedLadderMatch], states: dict[str, BotEloAndMatchCounts]
) -> Iterator[MatchWithEloChange]:
    """Yield each match, in rating order, with the bots' Elo ratings before and after it.

    `states` has the bots' ratings before the first match, by slug of the bot. This function updates them.
    """
    # A bot with several seats in a match is rated once for each seat.
    for match in matches:
        before = [states.get(name) or BotEloAndMatchCounts() for name in match.names]
        for name, delta, place in zip(match.names, _compute_deltas(match, before), match.places, strict=False):
            state = states.get(name) or BotEloAndMatchCounts()
            states[name] = BotEloAndMatchCounts(state.value + delta, state.matches + 1, state.wins + (place == 1))
        yield MatchWithEloChange(match, before, [states.get(name) or BotEloAndMatchCounts() for name in match.names])


def _compute_deltas(match: OrderedLadderMatch, before: Sequence[BotEloAndMatchCounts]) -> Sequence[int]:
    ks = [compute_k(state.matches) for state in before]
    return compute_deltas([state.value for state in before], match.places, ks) if match.places else ()


def drop_prunable_matches(rated_matches: Sequence[MatchWithEloChange], place: int) -> list[MatchWithEloChange]:
    """Return the matches whose rows the database must keep, in the same order.

    These are all matches from the position `place` on, and each bot's latest `MAX_KEPT_MATCHES` before it.
    """
    # Matches with a withdrawn result do not count towards this number, because pages do not show them.
    shown = Counter[str]()
    remaining = []
    for rated in reversed(rated_matches):
        names = rated.match.names
        if rated.match.at >= place or any(shown[name] < MAX_KEPT_MATCHES for name in names):
            remaining.append(rated)
        if rated.match.at < place and rated.match.places:
            shown.update(names)
    return remaining[::-1]
