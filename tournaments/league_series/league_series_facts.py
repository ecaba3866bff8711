"""Events in the stream of a series of leagues."""

from __future__ import annotations

import msgspec

from ftk_core.facts import Fact, encode


class SeriesOpened(Fact, frozen=True, kw_only=True):
    """Event: an organiser opened a series."""

    slug: str
    name: str
    game: str
    drops: int
    """Number of each bot's worst leagues that do not count."""
    points: tuple[int, ...]
    """Points by place, first place first. If empty, a bot gets 100 times the share of bots that finish behind it."""
    by: str
    at: int
    """Time in seconds since 1970 (UTC), as in all facts of this module."""


class LeagueJoinedSeries(Fact, frozen=True, kw_only=True):
    """Event: a league became part of the series."""

    league: int
    """Primary key of the league."""
    slug: str
    by: str
    at: int


class LeagueLeftSeries(Fact, frozen=True, kw_only=True):
    """Event: a league stopped being part of the series."""

    league: int
    slug: str
    by: str
    at: int


SeriesFact = SeriesOpened | LeagueJoinedSeries | LeagueLeftSeries
_decoder: msgspec.json.Decoder[SeriesFact] = msgspec.json.Decoder(SeriesFact)


def read_fact(line: bytes) -> SeriesFact:
    """Decode a line of a series' event stream."""
    return _decoder.decode(line)


def write_fact(fact: SeriesFact) -> bytes:
    """Encode an event as a line of a series' event stream."""
    return encode(fact) + b"\n"
