"""Files that store the questions to one seat in a match, so that a bot can be asked them again."""
# Called bundles, in JSON Lines: a heading, the greeting, then each question with its choice. Asking again needs neither
# the match's log nor its seed. A bundle contains only information that the seat could receive.

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext
from typing import Any, Literal, TypeVar

import msgspec

from ftk_core.facts import encode
from ftk_core.kit.protocol.protocol_lines import CompleteMatchStateLine, QuestionLine
from ftk_core.log_entries import Excuse, TimeControl
from ftk_core.logged_decisions import opening_of, questions
from ftk_core.players import HelloMessage, QuestionToSeat

SCHEMA: Literal["ftk.repro/1"] = "ftk.repro/1"
T = TypeVar("T")


class InvalidRecordedQuestionsError(ValueError):
    """Raised for an invalid file of stored questions. The message names the line."""


class RecordedQuestionsHeader(msgspec.Struct, frozen=True, kw_only=True):
    """First line of a file of recorded questions: the bot, its sandbox, and the version of the rules."""

    schema: Literal["ftk.repro/1"] = SCHEMA
    build: str
    """Version of the core and digest of the game's code."""
    bot: str
    """Name of the seat's bot in the match."""
    cage: str
    """Name of the sandbox backend in which the bot ran, as in the match's log."""


class RawQuestionLine(QuestionLine, frozen=True, tag="ask", tag_field="type", kw_only=True):
    """Protocol line with a question, whose view, news and menu stay undecoded JSON."""

    # The types of view, news and menu depend on the game.

    view: msgspec.Raw
    news: msgspec.Raw
    menu: tuple[msgspec.Raw, ...]


class RecordedQuestionAndChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A stored question, with the choice that the bot made in the match."""

    entry: int
    """Number of the answer's entry in the match's log."""
    ask: RawQuestionLine
    chosen: int
    """Index of the choice in the menu."""
    excuse: Excuse | None = None
    """Reason why item 0 was played for the bot; None if the bot gave a valid answer."""
    world: msgspec.Raw = msgspec.Raw(b"null")
    """Complete state of the match that the bot could request for its search; null if there was none, or not stored."""


class RecordedQuestions(msgspec.Struct, frozen=True):
    """Contents of a file with the questions that one bot was asked in a match, and its answers."""

    heading: RecordedQuestionsHeader
    hello: HelloMessage
    steps: tuple[RecordedQuestionAndChoice, ...]


class RerunQuestion(QuestionToSeat):
    """A stored question from an earlier match, in the form in which players are asked."""

    __slots__ = ("_line", "_world")

    def __init__(self, step: RecordedQuestionAndChoice, hello: HelloMessage) -> None:
        """Wrap a stored question. The bot gets the same JSON bytes as in the match."""
        line: Any = step.ask
        self._line, self._world = line, step.world
        self.id, self.seat, self.menu = line.id, hello.seat, line.menu
        self.clock, self.bank_ms = TimeControl.of(hello), line.bank_ms

    @property
    def view(self) -> Any:
        """Everything that the seat is allowed to know."""
        return self._line.view

    @property
    def news(self) -> Any:
        """Events of the match since the seat's previous question, as far as the seat may know them."""
        return self._line.news

    @property
    def world(self) -> Any:
        """State of the match as JSON, with random values for all that the seat does not know."""
        return self._world


def bundle_of(log: Sequence[bytes], seat: int, *, to_fault: bool = True) -> RecordedQuestions:
    """Return the questions to one seat in a match's log, each with its choice.

    With `to_fault`, end with the first question without a valid answer. Raises ValueError for an invalid seat or log,
    UnknownGameError.
    """
    opened, steps = opening_of(log), list[RecordedQuestionAndChoice]()
    for question in questions(log, seat):
        excuse = question.chose.excuse
        line = msgspec.json.decode(encode(QuestionLine.of(question.ask)), type=RawQuestionLine)
        world, chosen = CompleteMatchStateLine.of(question.ask).state, question.chosen
        steps.append(
            RecordedQuestionAndChoice(entry=question.entry, ask=line, chosen=chosen, excuse=excuse, world=world)
        )
        if to_fault and excuse:
            break
    heading = RecordedQuestionsHeader(build=opened.build, bot=opened.players[seat], cage=opened.cage)
    return RecordedQuestions(heading, HelloMessage.of(opened, seat), tuple(steps))


def encode_bundle(bundle: RecordedQuestions) -> bytes:
    """Serialize stored questions as the contents of a file."""
    return b"".join(encode(part) + b"\n" for part in (bundle.heading, bundle.hello, *bundle.steps))


def is_bundle(file: bytes) -> bool:
    """Return True if the contents of a file begin like stored questions."""
    return file.startswith(b'{"schema":"ftk.repro/')


def read_bundle(file: bytes) -> RecordedQuestions:
    """Parse a file of stored questions. Raises InvalidRecordedQuestionsError."""
    lines = enumerate(file.splitlines(), 1)

    def read(kind: type[T]) -> T:
        number, line = next(lines, (0, b""))
        try:
            return msgspec.json.decode(line, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise InvalidRecordedQuestionsError(
                gettext("line {number}: this is not a bundle ({schema}): {error}").format(
                    number=number or "missing", schema=SCHEMA, error=error
                )
            ) from error

    heading, hello = read(RecordedQuestionsHeader), read(HelloMessage)
    steps = tuple(read(RecordedQuestionAndChoice) for _ in range(max(1, file.count(b"\n") - 2)))
    if not file.endswith(b"\n"):
        raise InvalidRecordedQuestionsError(
            gettext("line {number}: the bundle is cut off; copy the whole file").format(number=file.count(b"\n") + 1)
        )
    return RecordedQuestions(heading, hello, steps)
