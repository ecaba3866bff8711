"""Entry types of a match's log: start, choices of players, events of the game, and end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, Self

import msgspec

from ftk_core.facts import encode, kind_of

Excuse = Literal["timeout", "crash", "nonsense"]
"""Reason why the referee played menu[0] for a seat: no answer in time, no running process, or no valid answer."""


class LogEntry(msgspec.Struct, frozen=True, tag=kind_of, tag_field="kind"):
    """Base class of all log entries of a match."""

    seq: int
    """Sequence number of the entry in its log: counts from 0 without gaps."""


class TimeControl(msgspec.Struct, frozen=True):
    """Limits on a seat's thinking time in one match."""

    move_ms: int = 1000
    """Free time for each decision, in milliseconds."""
    bank_ms: int = 10_000
    """Extra time for the whole match in milliseconds, used when a decision takes longer than `move_ms`."""

    @classmethod
    def of(cls, holder: object) -> Self:
        """Copy the time limits from an object that has attributes with the same names."""
        return cls(**{part: getattr(holder, part) for part in cls.__struct_fields__})

    @property
    def parts(self) -> dict[str, Any]:
        """Dict of the time limits (field name -> value), for use as keyword arguments."""
        return {part: getattr(self, part) for part in self.__struct_fields__}

    @property
    def free_us(self) -> int:
        """Free time for each decision, in microseconds. Only longer decisions use extra time."""
        return 1000 * self.move_ms

    def limit_ms(self, bank_ms: int) -> int:
        """Return the maximum length of a decision in milliseconds, given the remaining extra time."""
        return self.move_ms + bank_ms

    def charge(self, bank_ms: int, charged_us: int) -> int:
        """Return the milliseconds of extra time that remain after a decision of `charged_us` microseconds.

        A decision of 100.001 ms counts as 101 ms. With 100 ms free, it uses 1 ms of extra time:

        >>> TimeControl(move_ms=100, bank_ms=500).charge(500, 100_001)
        499
        """
        return max(0, bank_ms - max(0, -(-charged_us // 1000) - self.move_ms))

    def allowed_ms(self, decisions: int) -> int:
        """Return the milliseconds that a seat may use for `decisions` decisions, with all extra time."""
        return self.bank_ms + decisions * self.move_ms


DEFAULT_CLOCK = TimeControl()


class MatchOpened(LogEntry, frozen=True, kw_only=True, tag="opened"):
    """First log entry, written when the match begins."""

    match: str
    """Name of the match's log stream. Audits compare it, so that the log cannot be swapped with another match's."""
    game: str
    version: int
    """Version of the game's rules."""
    build: str
    """Version of the core and digest of the game's code, needed to rerun the log."""
    players: tuple[str, ...]
    """Names of the players by seat."""
    seal: str
    """SHA-256 of the secret seed in hexadecimal. `MatchFinished` reveals the seed."""
    clock: TimeControl
    """Time limits of every seat."""
    cage: str = "none"
    """Sandbox backend in which the bots ran."""
    options: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """Options that the organiser chose, in the game's own format. Omitted if they are the defaults of the rule book."""


def options_of(opened: MatchOpened) -> str:
    """Return the game options in the first log entry as JSON text, which is empty for default options."""
    return "" if isinstance(opened.options, msgspec.UnsetType) else bytes(opened.options).decode()


class ChoiceMade(LogEntry, frozen=True, kw_only=True, tag="chose"):
    """Log entry for a seat's choice from a menu of several actions."""

    seat: int
    action: msgspec.Raw
    """The chosen action, in the format of the game."""
    excuse: Excuse | None = None
    """Set when the seat gave no valid answer and menu[0] was played for it."""
    charged_us: int = 0
    """Time charged to the seat's clock for the decision, in microseconds."""
    bank_ms: int = 0
    """Time left of the seat's extra time (`TimeControl.bank_ms`) after the decision, in milliseconds."""
    idle_us: int | msgspec.UnsetType = msgspec.UNSET
    """Time that the bot slept, in microseconds.

    Measured bot processes have all of `idle_us`, `wall_us` and `queued_us`. Remote bots and people have only `wall_us`,
    other players none.
    """
    wall_us: int | msgspec.UnsetType = msgspec.UNSET
    """Time from the question to the answer, in microseconds."""
    queued_us: int | msgspec.UnsetType = msgspec.UNSET
    """Time in which the bot or the worker waited for a CPU, in microseconds."""


class GameFactRecorded(LogEntry, frozen=True, tag="happened"):
    """Log entry for an event of the game, such as a placed card."""

    fact: msgspec.Raw


class MatchFinished(LogEntry, frozen=True, tag="closed"):
    """Last log entry of a match that ended by its rules."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    seed: str
    """Seed of the match in hexadecimal. Its SHA-256 must equal `MatchOpened.seal`."""


class MatchAbandoned(LogEntry, frozen=True, tag="voided"):
    """Last log entry of a match that was abandoned for a reason beyond the players' control."""

    reason: str
    seat: int | msgspec.UnsetType = msgspec.UNSET
    """Seat whose answer was due when the workers that played the match were lost. Omitted if unknown."""


Entry = MatchOpened | ChoiceMade | GameFactRecorded | MatchFinished | MatchAbandoned

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Entry)


def stream_of(match_id: str) -> str:
    """Return the name of the stream that holds a match's log."""
    return f"match/{match_id}"


def is_choice_line(line: bytes) -> bool:
    """Return whether a log line records a choice; look only at its beginning, without decoding it."""
    return line.startswith(b'{"kind":"chose"')


def choices_of(lines: Iterable[bytes]) -> Iterator[ChoiceMade]:
    """Decode the log lines that record choices, and yield these choices."""
    for line in lines:
        if is_choice_line(line):
            entry = read(line)
            assert isinstance(entry, ChoiceMade)
            yield entry


def is_fact_line(line: bytes) -> bool:
    """Return whether a log line records an event of the game."""
    # It compares bytes instead of decoding the line, which would be slower.
    return line.startswith(b'{"kind":"happened"')


def is_end_line(line: bytes) -> bool:
    """Return whether a log line is the regular end of a match, without decoding it."""
    return line.startswith(b'{"kind":"closed"')


def write(entry: Entry) -> bytes:
    """Encode an entry as one log line: canonical JSON and a newline."""
    return encode(entry) + b"\n"


def read(line: bytes) -> Entry:
    """Decode a log line; raise msgspec.ValidationError or DecodeError with the reason if it is no valid entry."""
    entry: Entry = _decoder.decode(line)
    return entry
