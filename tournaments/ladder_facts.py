"""Facts in a ladder's stream: counted matches with their place in the order, and results."""

from __future__ import annotations

import msgspec

from ftk_core.facts import Fact
from tournaments.models import ALL_TIME


class Change(msgspec.Struct, frozen=True):
    """Effect of one match on one rating."""

    name: str
    """Slug of the bot."""
    before: int
    """In thousandths of a point."""
    delta: int
    """In thousandths of a point; the deltas of a match add up to zero."""


class MatchRated(Fact, frozen=True):
    """A match was rated when it ended, as before ladders had an order."""

    match: str
    places: tuple[int, ...]
    changes: tuple[Change, ...]
    """By seat."""


class MatchCounted(Fact, frozen=True, kw_only=True):
    """A match counts on a ladder at its place in the order of league, round, table and game."""

    match: str
    league: int
    """Id of the league; from 1."""
    round: int
    table: int
    game: int
    names: tuple[str, ...]
    """Slugs of the bots, by seat."""
    places: tuple[int, ...]
    """By seat."""


class BoutCounted(Fact, frozen=True, kw_only=True):
    """A match outside leagues counts on a separate ladder, ordered by number."""

    match: str
    number: int
    """From 1."""
    names: tuple[str, ...]
    """Slugs of the bots, by seat."""
    places: tuple[int, ...]
    """By seat."""


class ResultCorrected(Fact, frozen=True):
    """The result of a counted match was corrected."""

    match: str
    places: tuple[int, ...]
    """By seat; empty if the result is withdrawn."""
    why: str


LadderFact = MatchRated | MatchCounted | BoutCounted | ResultCorrected
_decoder: msgspec.json.Decoder[LadderFact] = msgspec.json.Decoder(LadderFact)


def read(line: bytes) -> LadderFact:
    """Decode the fact of a ladder's line."""
    return _decoder.decode(line)


def stream_of(game: str, season: str = ALL_TIME) -> str:
    """Return the name of the stream of a game's ladder, for all time or a season."""
    return f"ladder/{game}/{season}" if season else f"ladder/{game}"


def ladder_of(stream: str) -> tuple[str, str]:
    """Return the game and the season of a ladder's stream.

    >>> ladder_of("ladder/go/2026"), ladder_of("ladder/go")
    (('go', '2026'), ('go', ''))
    """
    game, _, season = stream.removeprefix("ladder/").partition("/")
    return game, season
