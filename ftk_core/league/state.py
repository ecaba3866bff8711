"""A league as a fold over its facts; nothing here knows a database or a clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import groupby
from typing import cast

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
    recorded: frozenset[tuple[int, int]] = frozenset()
    """(table, game) of the last round's matches that have a result."""
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

    @property
    def due(self) -> bool:
        """Whether the next round is to be paired: the last one is closed, and it was not the league's last."""
        return bool(self.rounds) and self.closed_rounds == len(self.rounds) < self.header.rounds


NOTHING = LeagueState()
"""A league before its first fact."""


class NotNow(Exception):
    """Raised for a command that does not fit the state of the league; the message says why."""


def apply(league: LeagueState, fact: LeagueFact) -> LeagueState:
    """Return the league after a fact."""
    put = msgspec.structs.replace
    match fact:
        case LeagueOpened():
            return put(league, opened=fact)
        case BotEntered():
            return _entered(league, (fact,))
        case BotWithdrew():
            gone = [put(e, withdrawn=e.withdrawn or e.entry == fact.entry) for e in league.entrants]
            return put(league, entrants=tuple(gone))
        case RoundPaired():
            return put(league, rounds=(*league.rounds, fact), recorded=frozenset())
        case ResultRecorded():
            return _recorded(league, (fact,))
        case RoundClosed() | LeagueClosed() | RoundSigned() | LeagueSigned():
            return _apply_end(league, fact)


def _entered(league: LeagueState, facts: Sequence[BotEntered]) -> LeagueState:
    more = (Entrant(fact.entry, fact.version, fact.name) for fact in facts)
    return msgspec.structs.replace(league, entrants=(*league.entrants, *more))


def _recorded(league: LeagueState, facts: Sequence[ResultRecorded]) -> LeagueState:
    here = {(fact.table, fact.game) for fact in facts if fact.round == len(league.rounds)}
    return msgspec.structs.replace(league, results=(*league.results, *facts), recorded=league.recorded | here)


def _apply_end(league: LeagueState, fact: RoundClosed | LeagueClosed | RoundSigned | LeagueSigned) -> LeagueState:
    """Return the league after something in it came to its end."""
    match fact:
        case RoundClosed():
            return msgspec.structs.replace(league, closed_rounds=fact.round)
        case LeagueClosed():
            return msgspec.structs.replace(league, closed=True)
        case RoundSigned() | LeagueSigned():
            return msgspec.structs.replace(league, signed=(*league.signed, fact))


def fold(facts: Iterable[LeagueFact], league: LeagueState = NOTHING) -> LeagueState:
    """Return the league that a list of facts makes, or that it makes of a league."""
    for kind, alike in groupby(facts, type):
        # what comes in hundreds is applied together, or each would copy all that came before
        if kind is ResultRecorded:
            league = _recorded(league, cast("Sequence[ResultRecorded]", tuple(alike)))
        elif kind is BotEntered:
            league = _entered(league, cast("Sequence[BotEntered]", tuple(alike)))
        else:
            league = reduce(apply, alike, league)
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


def record(league: LeagueState, *results: ResultRecorded) -> tuple[LeagueFact, ...]:
    """Return the facts of results: those that the last round lacks, and its end if it lacks no more."""
    found = {(r.table, r.game): r for r in results if r.round == len(league.rounds)}
    new = tuple(result for match, result in found.items() if match not in league.recorded)
    if not new or len(league.recorded) + len(new) < len(league.rounds[-1].tables) * league.header.games:
        return new
    return (*new, RoundClosed(len(league.rounds)))
