"""What a ladder's stream says: which matches count on it, where in its order, and how they ended."""

from __future__ import annotations

import msgspec

from ftk_core.facts import Fact
from tournaments.models import ALL_TIME


class Change(msgspec.Struct, frozen=True):
    """What one match did to one rating."""

    name: str
    """The rated one: a bot's slug."""
    before: int
    """In thousandths of a point."""
    delta: int
    """In thousandths of a point; the deltas of a match add up to zero."""


class MatchRated(Fact, frozen=True):
    """A match was applied to a ladder at its end, as it was done before ladders had an order of their own."""

    match: str
    places: tuple[int, ...]
    changes: tuple[Change, ...]
    """By seat."""


class MatchCounted(Fact, frozen=True, kw_only=True):
    """A match counts on a ladder, from its place in the order of league, round, table and game on."""

    match: str
    league: int
    """The league's id; from 1."""
    round: int
    table: int
    game: int
    names: tuple[str, ...]
    """By seat, the bots' slugs."""
    places: tuple[int, ...]
    """By seat."""


class BoutCounted(Fact, frozen=True, kw_only=True):
    """A match outside all leagues counts on a ladder that has no others, in the order of their numbers."""

    match: str
    number: int
    """From 1."""
    names: tuple[str, ...]
    """By seat, the bots' slugs."""
    places: tuple[int, ...]
    """By seat."""


class ResultCorrected(Fact, frozen=True):
    """A match that counts on a ladder ended otherwise than was said before."""

    match: str
    places: tuple[int, ...]
    """By seat; empty where its result is taken away."""
    why: str


LadderFact = MatchRated | MatchCounted | BoutCounted | ResultCorrected
_decoder: msgspec.json.Decoder[LadderFact] = msgspec.json.Decoder(LadderFact)


def read(line: bytes) -> LadderFact:
    """Return the fact of a ladder's line."""
    return _decoder.decode(line)


def stream_of(game: str, season: str = ALL_TIME) -> str:
    """Return the name of the stream of a game's ladder: that of all time, or that of a season."""
    return f"ladder/{game}/{season}" if season else f"ladder/{game}"


def ladder_of(stream: str) -> tuple[str, str]:
    """Return the game and the season of a ladder's stream.

    >>> ladder_of("ladder/go/2026"), ladder_of("ladder/go")
    (('go', '2026'), ('go', ''))
    """
    game, _, season = stream.removeprefix("ladder/").partition("/")
    return game, season
