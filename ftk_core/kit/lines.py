"""The lines of the bot protocol, as they go over a pipe."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

ANSWER_BYTES = 4096
"""An answer line may be this long."""


class BadReply(ValueError):
    """Raised for a line that is no answer; the message says why, for the bot's author."""


class Reply(msgspec.Struct):
    """What a bot answers."""

    id: int
    choose: int
    note: str = ""


class AskLine(msgspec.Struct, frozen=True, tag="ask", tag_field="type"):
    """A question as it goes over the line."""

    id: int
    view: object
    news: object
    menu: object
    bank_ms: int


class OverLine(msgspec.Struct, frozen=True, tag="over", tag_field="type"):
    """The end as it goes over the line."""

    places: Sequence[int]


_replies = msgspec.json.Decoder(Reply)


def read_reply(line: bytes) -> Reply:
    """Return the answer in a line; raises BadReply."""
    if len(line) > ANSWER_BYTES:
        raise BadReply(f"an answer is longer than {ANSWER_BYTES} bytes")
    try:
        return _replies.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadReply(f"{line[:80]!r}: {error}") from error
