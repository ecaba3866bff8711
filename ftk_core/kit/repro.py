"""A bundle: one file with the questions to a seat in a match up to its fault, which anybody can ask again.

The format is JSON Lines: a heading, the greeting, then each question with its choice. It needs neither the match's
log nor its seed, and contains nothing that the seat was not told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import msgspec

from ftk_core.entries import Clock, Excuse
from ftk_core.facts import encode
from ftk_core.kit.lines import AskLine
from ftk_core.players import Ask, Hello
from ftk_core.questions import opening_of, questions

SCHEMA: Literal["ftk.repro/1"] = "ftk.repro/1"
T = TypeVar("T")


class BadBundle(ValueError):
    """Raised for an invalid bundle; the message names the line."""


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """The match's rules, bot and sandbox."""

    schema: Literal["ftk.repro/1"] = SCHEMA
    build: str
    """Build of the rules."""
    bot: str
    """Name of the seat's bot in the match."""
    cage: str
    """The sandbox of the bot."""


class KeptLine(AskLine, frozen=True, tag="ask", tag_field="type", kw_only=True):
    """A question's line, with its parts as the original bytes."""

    view: msgspec.Raw
    news: msgspec.Raw
    menu: tuple[msgspec.Raw, ...]


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A question with its choice."""

    entry: int
    """Number of the answer's entry in the match's log."""
    ask: KeptLine
    chosen: int
    """Index into the menu."""
    excuse: Excuse | None = None
    """Reason why item 0 was played instead of an answer, if it was."""


class Bundle(msgspec.Struct, frozen=True):
    """Contents of a bundle file."""

    heading: Heading
    hello: Hello
    steps: tuple[Step, ...]


class KeptAsk(Ask):
    """A question of an earlier match, to be asked again."""

    __slots__ = ("_line",)

    def __init__(self, line: Any, hello: Hello) -> None:
        """Wrap an `AskLine` without decoding its parts."""
        self._line = line
        self.id, self.seat, self.menu = line.id, hello.seat, line.menu
        self.clock, self.bank_ms = Clock(hello.move_ms, hello.bank_ms), line.bank_ms

    @property
    def view(self) -> Any:
        """Everything that the seat is allowed to know."""
        return self._line.view

    @property
    def news(self) -> Any:
        """Events since the seat's last question."""
        return self._line.news


def bundle_of(log: Sequence[bytes], seat: int, *, to_fault: bool = True) -> Bundle:
    """Collect the questions to a seat in a match up to its first fault, or to the end if there was none.

    Raises ValueError for an invalid seat or log, UnknownGame for unknown rules.
    """
    opened, steps = opening_of(log), list[Step]()
    for question in questions(log, seat):
        excuse = question.chose.excuse
        line = msgspec.json.decode(encode(AskLine.of(question.ask)), type=KeptLine)
        steps.append(Step(entry=question.entry, ask=line, chosen=question.chosen, excuse=excuse))
        if to_fault and excuse:
            break
    hello = Hello(
        game=opened.game, version=opened.version, seat=seat, seats=len(opened.players), match=opened.match,
        move_ms=opened.clock.move_ms, bank_ms=opened.clock.bank_ms,
    )  # fmt: skip
    return Bundle(Heading(build=opened.build, bot=opened.players[seat], cage=opened.cage), hello, tuple(steps))


def written(bundle: Bundle) -> bytes:
    """Serialize a bundle."""
    return b"".join(encode(part) + b"\n" for part in (bundle.heading, bundle.hello, *bundle.steps))


def is_bundle(file: bytes) -> bool:
    """Return True if a file begins like a bundle."""
    return file.startswith(b'{"schema":"ftk.repro/')


def read_bundle(file: bytes) -> Bundle:
    """Parse a bundle; raises BadBundle."""
    lines = enumerate(file.splitlines(), 1)

    def read(kind: type[T]) -> T:
        number, line = next(lines, (0, b""))
        try:
            return msgspec.json.decode(line, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BadBundle(f"line {number or 'missing'}: this is no bundle ({SCHEMA}): {error}") from error

    heading, hello = read(Heading), read(Hello)
    return Bundle(heading, hello, tuple(read(Step) for _ in range(file.count(b"\n") - 2)))
