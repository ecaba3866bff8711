"""Facts in the stream ``bouts/<game>`` of a continuous ladder: its settings, called bouts, and their ends.

The results count in its ladder's stream (`tournaments.ladder_facts`).
"""

from __future__ import annotations

import msgspec

from ftk_core.facts import Fact, encode


class LadderSet(Fact, frozen=True, kw_only=True):
    """Staff changed the settings of a game's continuous ladder."""

    rate: int
    """Bouts an hour; 0 is off."""
    sizes: tuple[int, ...]
    """Table sizes, used in turn."""
    options: str
    """The game's options as JSON; empty for the default rules."""
    move_ms: int
    bank_ms: int
    by: str
    at: int
    """In seconds since 1970 (UTC), as in all of these."""


class BoutCalled(Fact, frozen=True, kw_only=True):
    """A bout was called."""

    number: int
    """From 1."""
    match: str
    versions: tuple[int, ...]
    """Keys of the versions, by seat."""
    at: int


class BoutEnded(Fact, frozen=True, kw_only=True):
    """A match of the ladder ended; a void one does not count."""

    number: int
    match: str
    counted: bool
    versions: tuple[int, ...]
    """Versions with a known outcome: all, or, in a void match, the one to blame, if any."""
    crashed: tuple[bool, ...]
    """True if it crashed in the match, by position in `versions`."""
    at: int


class VersionBenched(Fact, frozen=True, kw_only=True):
    """A version was excluded from further bouts."""

    version: int
    name: str
    why: str
    at: int


class VersionReturned(Fact, frozen=True, kw_only=True):
    """A benched version was readmitted."""

    version: int
    name: str
    by: str
    at: int


BoutFact = LadderSet | BoutCalled | BoutEnded | VersionBenched | VersionReturned
_decoder: msgspec.json.Decoder[BoutFact] = msgspec.json.Decoder(BoutFact)


def read(line: bytes) -> BoutFact:
    """Decode the fact of a line."""
    return _decoder.decode(line)


def write(fact: BoutFact) -> bytes:
    """Encode a fact as a line."""
    return encode(fact) + b"\n"


def stream_of(game: str) -> str:
    """Return the name of the stream of a game's continuous ladder."""
    return f"bouts/{game}"
