"""A bundle: one file with what a seat was asked in a match, up to its fault, so that anybody can ask it again.

JSON Lines: a heading, the greeting, then each question with what was chosen. It needs neither the match's log nor its
seed, and holds nothing that the seat was not told.
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
    """Raised for a file that is no bundle; the message names the line."""


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """What was played, by which rules."""

    schema: Literal["ftk.repro/1"] = SCHEMA
    build: str
    """Of the rules."""
    bot: str
    """The seat's, as the match called it."""
    cage: str
    """How it was contained."""


class KeptLine(AskLine, frozen=True, tag="ask", tag_field="type", kw_only=True):
    """A question's line, whose parts are kept as they were sent, byte for byte."""

    view: msgspec.Raw
    news: msgspec.Raw
    menu: tuple[msgspec.Raw, ...]


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A question with what was chosen."""

    entry: int
    """The number of the answer's entry in the match's log."""
    ask: KeptLine
    chosen: int
    """Into the menu."""
    excuse: Excuse | None = None
    """Why item 0 was played, if it was."""


class Bundle(msgspec.Struct, frozen=True):
    """What one file holds."""

    heading: Heading
    hello: Hello
    steps: tuple[Step, ...]


class KeptAsk(Ask):
    """A question as it was once put, to be put again."""

    __slots__ = ("_line",)

    def __init__(self, line: Any, hello: Hello) -> None:
        """Put an `AskLine` again, whose parts are sent on as they are."""
        self._line = line
        self.id, self.seat, self.menu = line.id, hello.seat, line.menu
        self.clock, self.bank_ms = Clock(hello.move_ms, hello.bank_ms), line.bank_ms

    @property
    def view(self) -> Any:
        """All that the seat may know."""
        return self._line.view

    @property
    def news(self) -> Any:
        """What happened since the seat was last asked."""
        return self._line.news


def bundle_of(log: Sequence[bytes], seat: int, *, to_fault: bool = True) -> Bundle:
    """Return what a seat was asked in a match, up to its first fault or, where there was none, to the end.

    Raises ValueError for a seat or a log that is none, UnknownGame for rules that are not on the shelf.
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
    """Return the file of a bundle."""
    return b"".join(encode(part) + b"\n" for part in (bundle.heading, bundle.hello, *bundle.steps))


def is_bundle(file: bytes) -> bool:
    """Tell whether a file wants to be a bundle."""
    return file.startswith(b'{"schema":"ftk.repro/')


def read_bundle(file: bytes) -> Bundle:
    """Return what a file holds; raises BadBundle."""
    lines = enumerate(file.splitlines(), 1)

    def read(kind: type[T]) -> T:
        number, line = next(lines, (0, b""))
        try:
            return msgspec.json.decode(line, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BadBundle(f"line {number or 'missing'}: this is no bundle ({SCHEMA}): {error}") from error

    heading, hello = read(Heading), read(Hello)
    return Bundle(heading, hello, tuple(read(Step) for _ in range(file.count(b"\n") - 2)))
