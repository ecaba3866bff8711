"""A league as a fold over its facts; nothing here knows a database or a clock."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from ftk_core.facts import encode
from ftk_core.league.facts import (
    BotEntered,
    BotWithdrew,
    LeagueClosed,
    LeagueFact,
    LeagueOpened,
    LeagueSigned,
    ResultRecorded,
    RoundClosed,
    RoundPaired,
    RoundSigned,
)

WIN = Fraction(1)
"""The points of a match in which all opponents were left behind; a tie with one counts half of them."""


class Entrant(msgspec.Struct, frozen=True):
    """One entry of a league."""

    entry: int
    version: int
    name: str
    withdrawn: bool = False


class LeagueState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is known of a league."""

    opened: LeagueOpened | None = None
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[RoundPaired, ...] = ()
    results: tuple[ResultRecorded, ...] = ()
    closed_rounds: int = 0
    closed: bool = False
    signed: tuple[RoundSigned | LeagueSigned, ...] = ()

    @property
    def header(self) -> LeagueOpened:
        """How it was announced; raises ValueError for a stream that does not begin with that."""
        if self.opened is None:
            raise ValueError("the stream does not begin with an opened league")
        return self.opened

    def entrant(self, entry: int) -> Entrant:
        """Return one entry."""
        return self.entrants[entry - 1]

    def result_of(self, round_: int, table: int, game: int) -> ResultRecorded | None:
        """Return the result of one match, if it is there."""
        wanted = (round_, table, game)
        return next((r for r in self.results if (r.round, r.table, r.game) == wanted), None)

    def missing(self) -> list[tuple[int, int]]:
        """Return (table, game) of the last round's matches that have no result."""
        if not self.rounds:
            return []
        last = self.rounds[-1]
        games = range(self.header.games)
        return [(t.number, g) for t in last.tables for g in games if self.result_of(last.round, t.number, g) is None]


class NotNow(Exception):
    """Raised for a command that does not fit the state of the league; the message says why."""


def apply(league: LeagueState, fact: LeagueFact) -> LeagueState:
    """Return the league after a fact."""
    put = msgspec.structs.replace
    match fact:
        case LeagueOpened():
            return put(league, opened=fact)
        case BotEntered():
            return put(league, entrants=(*league.entrants, Entrant(fact.entry, fact.version, fact.name)))
        case BotWithdrew():
            gone = [put(e, withdrawn=e.withdrawn or e.entry == fact.entry) for e in league.entrants]
            return put(league, entrants=tuple(gone))
        case RoundPaired():
            return put(league, rounds=(*league.rounds, fact))
        case ResultRecorded():
            return put(league, results=(*league.results, fact))
        case RoundClosed() | LeagueClosed() | RoundSigned() | LeagueSigned():
            return _apply_end(league, fact)


def _apply_end(league: LeagueState, fact: RoundClosed | LeagueClosed | RoundSigned | LeagueSigned) -> LeagueState:
    """Return the league after something in it came to its end."""
    match fact:
        case RoundClosed():
            return msgspec.structs.replace(league, closed_rounds=fact.round)
        case LeagueClosed():
            return msgspec.structs.replace(league, closed=True)
        case RoundSigned() | LeagueSigned():
            return msgspec.structs.replace(league, signed=(*league.signed, fact))


def fold(facts: Iterable[LeagueFact]) -> LeagueState:
    """Return the league that a list of facts makes."""
    league = LeagueState()
    for fact in facts:
        league = apply(league, fact)
    return league


_decoder: msgspec.json.Decoder[LeagueFact] = msgspec.json.Decoder(LeagueFact)


def write(fact: LeagueFact) -> bytes:
    """Return the fact as one line of the stream."""
    return encode(fact) + b"\n"


def read(line: bytes) -> LeagueFact:
    """Return the fact in a line."""
    return _decoder.decode(line)


def enter(league: LeagueState, version: int, name: str) -> tuple[LeagueFact, ...]:
    """Return the facts of a bot's entry; raises NotNow once the first round is paired or if it is in already."""
    if league.rounds:
        raise NotNow(f"{league.header.name} has begun; enter the next league")
    if any(e.version == version for e in league.entrants):
        raise NotNow(f"{name} has entered already")
    return (BotEntered(len(league.entrants) + 1, version, name),)


def record(league: LeagueState, result: ResultRecorded) -> tuple[LeagueFact, ...]:
    """Return the facts of a result: itself, and the end of the round if it was the last; nothing if it is known."""
    if league.result_of(result.round, result.table, result.game) is not None:
        return ()
    after = apply(league, result)
    if after.missing() or after.closed_rounds >= result.round:
        return (result,)
    return (result, RoundClosed(result.round))
