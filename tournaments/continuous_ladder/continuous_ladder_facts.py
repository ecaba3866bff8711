"""Events in the stream of a continuous ladder: changed settings, and started and finished matches.

Ratings are stored in another stream (`tournaments.ladders.ladder_event_types`).
"""

from __future__ import annotations

import msgspec

from ftk_core.facts import Fact, encode


class LadderSettingsChanged(Fact, frozen=True, kw_only=True, tag="ladder_set"):
    """Event: staff changed the settings of a game's continuous ladder."""

    rate: int
    """Bouts an hour; 0 if the ladder is off."""
    sizes: tuple[int, ...]
    """Numbers of seats at a table; consecutive bouts use them in turn."""
    options: str
    """The game's options as JSON; empty for the default rules."""
    move_ms: int
    bank_ms: int
    by: str
    at: int
    """Time in seconds since 1970 (UTC), as in all facts of this module."""


class BoutOrdered(Fact, frozen=True, kw_only=True, tag="bout_called"):
    """Event: the server created a ladder match."""

    number: int
    """Number of the bout on its ladder, from 1."""
    match: str
    versions: tuple[int, ...]
    """Ids of the bot versions, by seat."""
    at: int


class BoutEnded(Fact, frozen=True, kw_only=True):
    """Event: a ladder match ended."""

    number: int
    match: str
    counted: bool
    """True if the bout was played to its end and is rated; false if it is void."""
    versions: tuple[int, ...]
    """Ids of all bot versions in the bout; for a void bout, at most one id: that of the version at fault."""
    crashed: tuple[bool, ...]
    """For each version in `versions`, True if it crashed in the match."""
    at: int


class BotVersionExcluded(Fact, frozen=True, kw_only=True, tag="version_benched"):
    """Event: a bot version crashed repeatedly, and is not chosen for further matches of the continuous ladder."""

    version: int
    name: str
    why: str
    at: int


class BotVersionReadmitted(Fact, frozen=True, kw_only=True, tag="version_returned"):
    """Event: a bot version that was excluded from the continuous ladder may play on it again."""

    version: int
    name: str
    by: str
    at: int


BoutFact = LadderSettingsChanged | BoutOrdered | BoutEnded | BotVersionExcluded | BotVersionReadmitted
_decoder: msgspec.json.Decoder[BoutFact] = msgspec.json.Decoder(BoutFact)


def read(line: bytes) -> BoutFact:
    """Decode a line of a continuous ladder's event stream."""
    return _decoder.decode(line)


def write(fact: BoutFact) -> bytes:
    """Encode an event as a line of a continuous ladder's event stream."""
    return encode(fact) + b"\n"


def stream_of(game: str) -> str:
    """Return the name of the event stream of a game's continuous ladder."""
    return f"bouts/{game}"
