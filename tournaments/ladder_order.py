"""Order in which matches count on a ladder, and their effect on ratings; needs no clock and no database.

Ratings are a function of the set of matches, sorted by league, round, table and game: late and corrected matches count
from their place on. Matches rated before this order existed come before all others, in the order of their stream and
with their recorded deltas, unless something before them is corrected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tournaments.elo import FIRST, START, deltas, k_after
from tournaments.ladder_facts import BoutCounted, LadderFact, MatchCounted, MatchRated, ResultCorrected

LEAGUE = 1 << 32
"""A league's matches have places from its id times this; older matches have lower ones."""


KEPT = 200
"""How many of a bot's last matches are shown, and stay in the tables."""


class Stand(NamedTuple):
    """State of a bot at one place of a ladder's order."""

    value: int = START
    """In thousandths of a point."""
    matches: int = 0
    wins: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A match in a ladder's order."""

    at: int
    """Its place in the order."""
    match: str
    names: tuple[str, ...]
    """Slugs of the bots, by seat."""
    places: tuple[int, ...]
    """By seat; empty if its result was withdrawn."""
    recorded: tuple[tuple[int, int], ...] = ()
    """By seat, for matches from before the order: rating and delta, both in thousandths."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Effect of a match: the state of each seat's bot before and after it."""

    match: Counted
    before: list[Stand]
    after: list[Stand]


def place_of(fact: MatchCounted | BoutCounted) -> int:
    """Return the place of a match in the order of a ladder; raises ValueError for numbers out of range.

    >>> fact = MatchCounted(match="m", league=3, round=2, table=7, game=1, names=(), places=())
    >>> place_of(fact) < place_of(MatchCounted(match="n", league=3, round=10, table=1, game=0, names=(), places=()))
    True
    """
    if isinstance(fact, BoutCounted):
        return LEAGUE + fact.number
    if not (fact.league > 0 and 0 <= fact.round < 1 << 8 and 0 <= fact.table < 1 << 16 and 0 <= fact.game < 1 << 8):
        raise ValueError(f"no place on a ladder: {fact}")
    return fact.league * LEAGUE + (fact.round << 24) + (fact.table << 8) + fact.game


def counted_of(fact: MatchCounted | BoutCounted) -> Counted:
    """Return a match with its place."""
    return Counted(at=place_of(fact), match=fact.match, names=fact.names, places=fact.places)


def ordered(facts: Iterable[LadderFact]) -> list[Counted]:
    """Return the matches of a ladder in order, with their latest corrections."""
    found: dict[str, Counted] = {}
    for number, fact in enumerate(facts):
        match fact:
            case MatchRated():
                names = tuple(change.name for change in fact.changes)
                recorded = tuple((change.before, change.delta) for change in fact.changes)
                old = Counted(at=number, match=fact.match, names=names, places=fact.places, recorded=recorded)
                found[fact.match] = old
            case MatchCounted() | BoutCounted():
                found[fact.match] = counted_of(fact)
            case ResultCorrected():
                found[fact.match] = corrected(found[fact.match], fact.places)
    return sorted(found.values(), key=lambda match: match.at)


def corrected(match: Counted, places: Sequence[int] | None) -> Counted:
    """Return a match with a corrected or withdrawn result; raises ValueError for a wrong number of places."""
    if places and len(places) != len(match.names):
        raise ValueError(f"match {match.match} has {len(match.names)} seats; these are no places of it: {places}")
    return replace(match, places=tuple(places or ()), recorded=())


def replayed(matches: Iterable[Counted], stands: dict[str, Stand]) -> Iterator[Moved]:
    """Yield the effect of each match in order, and update `stands`, by name.

    A bot that sits in several seats of a match is rated once for each of them.
    """
    for match in matches:
        before = [stands.get(name) or Stand() for name in match.names]
        for name, delta, place in zip(match.names, _deltas(match, before), match.places, strict=False):
            was = stands.get(name) or Stand()
            stands[name] = Stand(was.value + delta, was.matches + 1, was.wins + (place == 1))
        yield Moved(match, before, [stands.get(name) or Stand() for name in match.names])


def _deltas(match: Counted, before: Sequence[Stand]) -> Sequence[int]:
    values = [stand.value for stand in before]
    if match.recorded and values == [value for value, _ in match.recorded]:
        return [delta for _, delta in match.recorded]
    ks = [FIRST if match.at < LEAGUE else k_after(stand.matches) for stand in before]
    return deltas(values, match.places, ks) if match.places else ()


def without_past(moved: Sequence[Moved], past: int) -> list[Moved]:
    """Return the matches from a place of the order on, and before it those that are among a bot's last `KEPT`.

    A match whose result was taken away is not shown, so it does not count as one of these.
    """
    shown = Counter[str]()
    found = []
    for one in reversed(moved):
        names = one.match.names
        if one.match.at >= past or any(shown[name] < KEPT for name in names):
            found.append(one)
        if one.match.at < past and one.match.places:
            shown.update(names)
    return found[::-1]


def changes_of(before: Mapping[str, Stand], after: Mapping[str, Stand]) -> dict[str, tuple[int, int]]:
    """Return the changed ratings by name: before and after, in thousandths."""
    names = sorted({*before, *after})
    pairs = {name: (before.get(name, Stand()).value, after.get(name, Stand()).value) for name in names}
    return {name: (was, is_now) for name, (was, is_now) in pairs.items() if was != is_now}
