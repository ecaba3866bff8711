"""Finding the answer to a question among the lines that a bot has written."""

from __future__ import annotations

from ftk_core.kit.lines import ANSWER_BYTES, BadReply, Reply, read_reply
from ftk_core.kit.wire import Wire
from ftk_core.players import Ask


class Nonsense(ValueError):
    """Raised for what is no answer; the message begins with a word that docs/bot-protocol.md explains."""


def leave_behind(wire: Wire, ask: Ask) -> None:
    """Drop what was said before a question is asked; raises Nonsense for an answer to it, or Flooded."""
    for line in wire.forget().split(b"\n")[:-1]:
        try:
            reply = read_reply(line)
        except BadReply:
            continue
        if reply.id >= ask.id:
            raise Nonsense(f"malformed: question {reply.id} was not yet asked")


def take_answer(wire: Wire, ask: Ask) -> Reply | None:
    """Return the answer to a question if it has come, dropping answers to earlier ones; raises Nonsense."""
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
