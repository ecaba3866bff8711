"""Lines of the bot protocol as they are sent over a pipe."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Self

import msgspec

from ftk_core.players import Ask

ANSWER_BYTES = 4096
"""Maximum length of an answer line."""


class BadReply(ValueError):
    """Raised for an invalid answer line; the message explains it to the bot's author."""


Small = Annotated[int, msgspec.Meta(ge=-(1 << 31), lt=1 << 31)]
"""A 32-bit integer, which error messages can show in full."""


class Reply(msgspec.Struct, forbid_unknown_fields=True):
    """A bot's answer."""

    id: Small
    choose: Small
    note: str = ""


class AskLine(msgspec.Struct, frozen=True, tag="ask", tag_field="type", kw_only=True):
    """A question as a protocol line."""

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
    """The end of a match as a protocol line."""

    places: Sequence[int]


_replies = msgspec.json.Decoder(Reply)


def _once(pairs: list[tuple[str, object]]) -> None:
    """Raise BadReply for a duplicate key, because parsers differ about which value counts."""
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise BadReply(f"a key stands there twice: {', '.join(keys)[:80]}")


def read_reply(line: bytes) -> Reply:
    """Parse an answer line; raises BadReply.

    Strict: no NaN, no floats or booleans for integers, no unknown or duplicate keys, no NUL, no lone surrogates.
    """
    if len(line) > ANSWER_BYTES:
        raise BadReply(f"an answer is longer than {ANSWER_BYTES} bytes")
    try:
        reply = _replies.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadReply(f"{line[:80]!r}: {error}") from error
    json.loads(line, object_pairs_hook=_once)  # safe from deep nesting: the strict decoder above accepted the line
    if "\0" in reply.note:
        raise BadReply("a note holds the character NUL")
    return reply
