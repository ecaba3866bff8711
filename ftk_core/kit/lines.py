"""The lines of the bot protocol, as they go over a pipe."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Self

import msgspec

from ftk_core.players import Ask

ANSWER_BYTES = 4096
"""An answer line may be this long."""


class BadReply(ValueError):
    """Raised for a line that is no answer; the message says why, for the bot's author."""


Small = Annotated[int, msgspec.Meta(ge=-(1 << 31), lt=1 << 31)]
"""A number that a message about it can hold."""


class Reply(msgspec.Struct, forbid_unknown_fields=True):
    """What a bot answers."""

    id: Small
    choose: Small
    note: str = ""


class AskLine(msgspec.Struct, frozen=True, tag="ask", tag_field="type", kw_only=True):
    """A question as it goes over the line."""

    id: int
    view: object
    news: object
    menu: object
    bank_ms: int

    @classmethod
    def of(cls, ask: Ask) -> Self:
        """Return the line of a question."""
        return cls(id=ask.id, view=ask.view, news=ask.news, menu=ask.menu, bank_ms=ask.bank_ms)


class OverLine(msgspec.Struct, frozen=True, tag="over", tag_field="type"):
    """The end as it goes over the line."""

    places: Sequence[int]


_replies = msgspec.json.Decoder(Reply)


def _once(pairs: list[tuple[str, object]]) -> None:
    """Raise BadReply for a key that stands there twice: readers differ about which one counts."""
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise BadReply(f"a key stands there twice: {', '.join(keys)[:80]}")


def read_reply(line: bytes) -> Reply:
    """Return the answer in a line; raises BadReply.

    Strict: no NaN, no floats or booleans for integers, no unknown or doubled keys, no NUL, no lone surrogates.
    """
    if len(line) > ANSWER_BYTES:
        raise BadReply(f"an answer is longer than {ANSWER_BYTES} bytes")
    try:
        reply = _replies.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadReply(f"{line[:80]!r}: {error}") from error
    json.loads(line, object_pairs_hook=_once)  # what decoded above has no depth to get lost in
    if "\0" in reply.note:
        raise BadReply("a note holds the character NUL")
    return reply
