"""Matching of the lines that a bot writes to the questions it was asked."""

from __future__ import annotations

from ftk_core.kit.lines import ANSWER_BYTES, BadReply, Reply, read_reply
from ftk_core.kit.wire import Wire
from ftk_core.players import Ask


class Nonsense(ValueError):
    """Raised for an invalid answer.

    The message begins with a word that docs/bot-protocol.md explains.
    """


def leave_behind(wire: Wire, ask: Ask) -> None:
    """Discard the lines that a bot wrote before this question.

    Raises Nonsense if one of them answers this question or a later one, or Flooded.
    """
    for line in wire.forget().split(b"\n")[:-1]:
        try:
            reply = read_reply(line)
        except BadReply:
            continue
        if reply.id >= ask.id:
            raise Nonsense(f"malformed: question {reply.id} was not yet asked")


def take_answer(wire: Wire, ask: Ask) -> Reply | None:
    """Return the answer to a question, or None if it has not arrived; discard answers to earlier questions.

    Raises Nonsense.
    """
    while (line := wire.line()) is not None:
        try:
            reply = read_reply(line)
        except BadReply as error:
            raise Nonsense(f"malformed: {error}") from error
        if reply.id > ask.id:
            raise Nonsense(f"malformed: question {reply.id} was not yet asked")
        if reply.id == ask.id:
            return _on_the_menu(reply, ask)
    if wire.skip_beyond(ANSWER_BYTES):
        raise Nonsense(f"malformed: an answer is longer than {ANSWER_BYTES} bytes")
    return None


def _on_the_menu(reply: Reply, ask: Ask) -> Reply:
    if not 0 <= reply.choose < len(ask.menu):
        raise Nonsense(f"refused: choose is {reply.choose}, the menu has items 0 to {len(ask.menu) - 1}")
    return reply
