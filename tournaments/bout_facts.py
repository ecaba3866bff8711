"""What the stream of a continuous ladder says, ``bouts/<game>``: how it is set, who was called, what came of that.

What its matches are worth is said by its ladder's stream (`tournaments.ladder_facts`).
"""

from __future__ import annotations

import msgspec

from ftk_core.facts import Fact, encode


class LadderSet(Fact, frozen=True, kw_only=True):
    """Staff set how a game's continuous ladder goes on."""

    rate: int
    """Bouts an hour; 0 is off."""
    sizes: tuple[int, ...]
    """Of its tables, which it takes in turn."""
    options: str
    """The game's own, as JSON; empty as the rule book has it."""
    move_ms: int
    bank_ms: int
    by: str
    at: int
    """In seconds since 1970 (UTC), as in all of these."""


class BoutCalled(Fact, frozen=True, kw_only=True):
    """A table was called together."""

    number: int
    """From 1."""
    match: str
    versions: tuple[int, ...]
    """By seat, the keys of the versions."""
    at: int


class BoutEnded(Fact, frozen=True, kw_only=True):
    """A match of the ladder ended; the void ones are counted for nobody."""

    number: int
    match: str
    counted: bool
    versions: tuple[int, ...]
    """Of whom something was learnt: everybody, or, of a void match, whoever was to blame, if anybody was."""
    crashed: tuple[bool, ...]
    """Whether it crashed in the match, by the place in `versions`."""
    at: int


class VersionBenched(Fact, frozen=True, kw_only=True):
    """A version is not called any more."""

    version: int
    name: str
    why: str
    at: int


class VersionReturned(Fact, frozen=True, kw_only=True):
    """A version that was benched is called again."""

    version: int
    name: str
    by: str
    at: int


BoutFact = LadderSet | BoutCalled | BoutEnded | VersionBenched | VersionReturned
_decoder: msgspec.json.Decoder[BoutFact] = msgspec.json.Decoder(BoutFact)


def read(line: bytes) -> BoutFact:
    """Return the fact of a line."""
    return _decoder.decode(line)


def write(fact: BoutFact) -> bytes:
    """Return the line of a fact."""
    return encode(fact) + b"\n"


def stream_of(game: str) -> str:
    """Return the name of the stream of a game's continuous ladder."""
    return f"bouts/{game}"
