"""Types of the entries in the log of a match: opening, choices, facts of the game, and end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from ftk_core.facts import encode, kind_of

Excuse = Literal["timeout", "crash", "nonsense"]
"""Reason why menu[0] was played for a seat: no answer in time, no running process, or no valid answer."""


class Line(msgspec.Struct, frozen=True, tag=kind_of, tag_field="kind"):
    """Base class of all entries of a match."""

    seq: int
    """Sequence number: counts from 0 without gaps."""


class Clock(msgspec.Struct, frozen=True):
    """Thinking time of a bot."""

    move_ms: int = 1000
    """Free time for each decision, in milliseconds."""
    bank_ms: int = 10_000
    """Extra time for the whole match in milliseconds, used when a decision takes longer than `move_ms`."""


class Opened(Line, frozen=True, kw_only=True):
    """First entry: the match began."""

    match: str
    """Name of the stream. It prevents passing one log off as another."""
    game: str
    version: int
    build: str
    """Version of the core and digest of the game's code, needed to rerun the log."""
    players: tuple[str, ...]
    """Names of the players by seat."""
    seal: str
    """SHA-256 of the seed, which `Closed` reveals."""
    clock: Clock
    cage: str = "none"
    """Sandbox backend in which the bots ran."""
    options: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """Options that the organiser chose, in the game's own format. Omitted if they are the defaults of the rule book."""


def options_of(opened: Opened) -> str:
    """Return the options of a match as JSON; empty for the defaults of the rule book."""
    return "" if isinstance(opened.options, msgspec.UnsetType) else bytes(opened.options).decode()


class Chose(Line, frozen=True, kw_only=True):
    """Choice of a seat from a menu with more than one item."""

    seat: int
    action: msgspec.Raw
    """The chosen action, in the format of the game."""
    excuse: Excuse | None = None
    """Set when the seat gave no valid answer and menu[0] was played for it."""
    charged_us: int = 0
    """Time charged for the decision, in microseconds."""
    bank_ms: int = 0
    """Time left in the bank after the decision, in milliseconds."""
    idle_us: int | msgspec.UnsetType = msgspec.UNSET
    """Time asleep. Like the next two fields it is only written for metered processes, to explain lost time."""
    wall_us: int | msgspec.UnsetType = msgspec.UNSET
    queued_us: int | msgspec.UnsetType = msgspec.UNSET
    """Time in which the bot or the worker waited for a CPU."""


class Happened(Line, frozen=True):
    """Fact of the game."""

    fact: msgspec.Raw


class Closed(Line, frozen=True):
    """Last entry: the match ended by its rules."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    seed: str
    """The seed in hexadecimal. Its SHA-256 is the seal."""


class Voided(Line, frozen=True):
    """Last entry: the match was abandoned for a reason that is not the players' fault."""

    reason: str
    seat: int | msgspec.UnsetType = msgspec.UNSET
    """Seat whose answer was due when the workers that played the match were lost. Omitted if unknown."""


Entry = Opened | Chose | Happened | Closed | Voided

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Entry)


def stream_of(match_id: str) -> str:
    """Return the name of a match's stream."""
    return f"match/{match_id}"


def is_chose(line: bytes) -> bool:
    """Return whether a log line is a choice. The line is not decoded: the kind is its first field."""
    return line.startswith(b'{"kind":"chose"')


def choices_of(lines: Iterable[bytes]) -> Iterator[Chose]:
    """Yield the choices in lines of a log."""
    for line in lines:
        if is_chose(line):
            entry = read(line)
            assert isinstance(entry, Chose)
            yield entry


def is_happened(line: bytes) -> bool:
    """Return whether a log line is a fact of the game, without decoding it."""
    return line.startswith(b'{"kind":"happened"')


def is_closed(line: bytes) -> bool:
    """Return whether a log line is the regular end of a match, without decoding it."""
    return line.startswith(b'{"kind":"closed"')


def write(entry: Entry) -> bytes:
    """Return an entry as one canonical line, including its newline."""
    return encode(entry) + b"\n"


def read(line: bytes) -> Entry:
    """Decode an entry; raise msgspec.ValidationError or DecodeError with the reason."""
    entry: Entry = _decoder.decode(line)
    return entry
