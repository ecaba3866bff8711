"""The lines of a match's log: what was opened, chosen, what happened, and how it closed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from ftk_core.facts import encode, kind_of

Excuse = Literal["timeout", "crash", "nonsense"]
"""Why menu[0] was played for a seat: no answer in time, no process left, or no valid answer."""


class Line(msgspec.Struct, frozen=True, tag=kind_of, tag_field="kind"):
    """The base of all entries of a match."""

    seq: int
    """Counts from 0 without a gap."""


class Clock(msgspec.Struct, frozen=True):
    """How much thinking a bot is given."""

    move_ms: int = 1000
    """Free for each decision."""
    bank_ms: int = 10_000
    """For the whole match, spent where a decision takes longer than `move_ms`."""


class Opened(Line, frozen=True, kw_only=True):
    """The match began."""

    match: str
    """The stream's name, so that one log cannot pass for another."""
    game: str
    version: int
    build: str
    """The core's version and the digest of the game's code, for whoever reruns the log."""
    players: tuple[str, ...]
    """Their names by seat."""
    seal: str
    """SHA-256 of the seed, which `Closed` reveals."""
    clock: Clock
    cage: str = "none"
    """How the bots were contained."""
    options: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """What the organiser chose, in the game's own terms; left out where it is as the rule book has it."""


def options_of(opened: Opened) -> str:
    """Return the options of a match as JSON, empty as the rule book has it."""
    return "" if isinstance(opened.options, msgspec.UnsetType) else bytes(opened.options).decode()


class Chose(Line, frozen=True, kw_only=True):
    """A seat answered a question with more than one item on its menu."""

    seat: int
    action: msgspec.Raw
    """What was chosen, in the game's vocabulary."""
    excuse: Excuse | None = None
    """Set when the seat gave no valid answer and menu[0] was played for it."""
    charged_us: int = 0
    """Time charged for the decision, in microseconds."""
    bank_ms: int = 0
    """What is left of the bank after it."""
    idle_us: int | msgspec.UnsetType = msgspec.UNSET
    """Time asleep; like the next two only written for metered processes, so that a time lost can be explained."""
    wall_us: int | msgspec.UnsetType = msgspec.UNSET
    queued_us: int | msgspec.UnsetType = msgspec.UNSET
    """Time in which the bot or the worker waited for a processor."""


class Happened(Line, frozen=True):
    """A fact of the game."""

    fact: msgspec.Raw


class Closed(Line, frozen=True):
    """The match ended by its rules."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    seed: str
    """The seed, in hexadecimal; its SHA-256 is the seal."""


class Voided(Line, frozen=True):
    """The match was given up for a reason that is not the players'."""

    reason: str
    seat: int | msgspec.UnsetType = msgspec.UNSET
    """Whose answer was due when those who played it were lost; left out where that cannot be said."""


Entry = Opened | Chose | Happened | Closed | Voided

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Entry)


def stream_of(match_id: str) -> str:
    """Return the name of a match's stream."""
    return f"match/{match_id}"


def is_chose(line: bytes) -> bool:
    """Tell whether a line of a log is a choice, without reading it: the kind is its first field."""
    return line.startswith(b'{"kind":"chose"')


def choices_of(lines: Iterable[bytes]) -> Iterator[Chose]:
    """Yield the choices in lines of a log."""
    for line in lines:
        if is_chose(line):
            entry = read(line)
            assert isinstance(entry, Chose)
            yield entry


def is_happened(line: bytes) -> bool:
    """Tell whether a line of a log is a fact of the game, without reading it."""
    return line.startswith(b'{"kind":"happened"')


def is_closed(line: bytes) -> bool:
    """Tell whether a line of a log is its regular end, without reading it."""
    return line.startswith(b'{"kind":"closed"')


def write(entry: Entry) -> bytes:
    """Return the entry as one canonical line, newline included."""
    return encode(entry) + b"\n"


def read(line: bytes) -> Entry:
    """Return the entry in a line; raises msgspec.ValidationError or DecodeError naming what is wrong."""
    entry: Entry = _decoder.decode(line)
    return entry
