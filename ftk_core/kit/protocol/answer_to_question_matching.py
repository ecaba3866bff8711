"""Matching of the lines that a bot writes to the questions it was asked."""

from __future__ import annotations

from gettext import gettext as _

from ftk_core.facts import encode
from ftk_core.kit.protocol.bot_pipes import BotPipes
from ftk_core.kit.protocol.protocol_lines import (
    ANSWER_BYTES,
    BotAnswerLine,
    CompleteMatchStateLine,
    InvalidBotAnswerError,
    read_reply_or_request,
)
from ftk_core.players import QuestionToSeat


class MalformedAnswerError(ValueError):
    """Raised for a line of a bot that is malformed or does not fit the question.

    The message begins with a word for the kind of fault, which docs/bot-protocol.md explains. This word is the same in
    every language, because programs read it.
    """

    def __init__(self, description: str, kind: str = "malformed") -> None:
        super().__init__(f"{kind}: {description}")


def discard_earlier_lines(wire: BotPipes, ask: QuestionToSeat) -> MalformedAnswerError | None:
    """Discard the lines that a bot wrote before a question, up to the first fault. Return this fault, or None.

    Raises BotOutputLimitExceeded if the bot has written too much.
    """
    # An answer to a question that the bot cannot have read yet is a fault. An invalid line is a fault, too, but not
    # before the bot's first question, when other output is allowed.
    is_first, wire.was_asked = not wire.was_asked, True
    for lines in wire.discard_output():
        # Stop at a fault: how much of a flood has arrived depends on the load of the machine, and the verdict must not.
        if fault := _find_fault(lines, ask, is_first):
            return fault
    return None


def _find_fault(lines: bytes, ask: QuestionToSeat, is_first: bool) -> MalformedAnswerError | None:
    for line in lines.split(b"\n")[:-1]:
        try:
            reply = read_reply_or_request(line)
        except InvalidBotAnswerError as error:
            if not is_first:
                return MalformedAnswerError(str(error))
            continue
        if reply.id >= ask.id:
            return MalformedAnswerError(_("question {id} was not yet asked").format(id=reply.id))
    return None


def take_answer(wire: BotPipes, ask: QuestionToSeat) -> BotAnswerLine | None:
    """Return the answer to a question, or None if it has not arrived. Raises MalformedAnswerError."""
    while (line := wire.line()) is not None:
        try:
            reply = read_reply_or_request(line)
        except InvalidBotAnswerError as error:
            raise MalformedAnswerError(str(error)) from error
        if reply.id > ask.id:
            raise MalformedAnswerError(_("question {id} was not yet asked").format(id=reply.id))
        if reply.id < ask.id:
            continue
        if isinstance(reply, BotAnswerLine):
            return _check_index(reply, ask)
        _send_world(wire, ask)
    if wire.skip_beyond(ANSWER_BYTES):
        raise MalformedAnswerError(_("an answer is longer than {answer_bytes} bytes").format(answer_bytes=ANSWER_BYTES))
    return None


def _send_world(wire: BotPipes, ask: QuestionToSeat) -> None:
    """Queue a complete state of the match for a bot that has requested it."""
    # A second request is an error: the bot is not charged for the time that creates a state.
    if wire.world_sent == ask.id:
        raise MalformedAnswerError(_("the world of question {id} was sent already").format(id=ask.id))
    wire.world_sent = ask.id
    wire.outbox += encode(CompleteMatchStateLine.of(ask)) + b"\n"


def _check_index(reply: BotAnswerLine, ask: QuestionToSeat) -> BotAnswerLine:
    if not 0 <= reply.choose < len(ask.menu):
        raise MalformedAnswerError(
            _("choose is {choose}, the menu has items 0 to {menu}").format(choose=reply.choose, menu=len(ask.menu) - 1),
            "refused",
        )
    return reply
