"""Lines of the bot protocol, each one JSON object, as they are sent over a pipe."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from gettext import gettext
from typing import Annotated, Self

import msgspec

from ftk_core.facts import encode
from ftk_core.players import QuestionToSeat

ANSWER_BYTES = 4096
"""Maximum length of an answer line in bytes."""


def strip_control_characters(text: str) -> str:
    """Return a text without unprintable characters, except newlines and tabs."""
    # Such characters can change the state of a terminal, and PostgreSQL does not accept NUL.
    return "".join(c for c in text if c in "\n\t" or c.isprintable())


class InvalidBotAnswerError(ValueError):
    """Raised for an invalid answer line. The message explains the fault to the bot's author."""

    def __init__(self, message: str) -> None:
        super().__init__(strip_control_characters(message))


Int32 = Annotated[int, msgspec.Meta(ge=-(1 << 31), lt=1 << 31)]
"""A 32-bit integer. The range is limited so that error messages can show every number in full."""


class BotAnswerLine(msgspec.Struct, forbid_unknown_fields=True):
    """A bot's answer: id of the question, index of the chosen menu item, and an optional note."""

    id: Int32
    choose: Int32
    note: str = ""


class QuestionLine(msgspec.Struct, frozen=True, tag="ask", tag_field="type", kw_only=True):
    """Protocol line that asks a bot to choose an item of a menu."""

    id: int
    view: object
    news: object
    menu: object
    bank_ms: int

    @classmethod
    def of(cls, ask: QuestionToSeat) -> Self:
        """Build the protocol line for the question `ask`."""
        return cls(id=ask.id, view=ask.view, news=ask.news, menu=ask.menu, bank_ms=ask.bank_ms)


class StateRequestLine(msgspec.Struct, forbid_unknown_fields=True):
    """Line with which a bot requests a complete state of the match (`CompleteMatchStateLine`) before its answer."""

    id: Int32
    world: bool


class CompleteMatchStateLine(msgspec.Struct, frozen=True, tag="world", tag_field="type", kw_only=True):
    """A complete state of the match, with random values for all that the seat does not know."""

    id: int
    state: msgspec.Raw
    """JSON; null if there is no such state, or if the game's states cannot be encoded as JSON."""

    @classmethod
    def of(cls, ask: QuestionToSeat) -> Self:
        """Build the line with the state of the match at the question `ask`."""
        world = ask.world
        try:
            return cls(id=ask.id, state=msgspec.Raw(encode(world)))
        except (TypeError, ValueError, RecursionError):  # the state of a plug-in's game may hold any Python objects
            return cls(id=ask.id, state=msgspec.Raw(b"null"))


class MatchOverLine(msgspec.Struct, frozen=True, tag="over", tag_field="type"):
    """Last protocol line of a match, with the final ranks of all seats (1 is the best)."""

    places: Sequence[int]


_replies = msgspec.json.Decoder(BotAnswerLine)
_requests = msgspec.json.Decoder(StateRequestLine)
_HALF_PAIR = re.compile(rb"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]")
"""Pattern of a lone UTF-16 surrogate (half of a surrogate pair), escaped in JSON."""


def _reject_duplicate_keys(pairs: list[tuple[str, object]]) -> None:
    """Raise InvalidBotAnswerError for a duplicate key, because parsers differ about which value counts."""
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise InvalidBotAnswerError(gettext("a key stands there twice: {keys}").format(keys=", ".join(keys)[:80]))


def _describe_flaw(line: bytes) -> str:
    """Describe the fault of a line that is empty or has half of a UTF-16 surrogate pair; return "" for other lines."""
    # The JSON decoder's messages about these two would mislead.
    if not line.strip():
        return gettext("the line is empty")
    return gettext("a text contains half of a surrogate pair") if _HALF_PAIR.search(line) else ""


def read_reply(line: bytes) -> BotAnswerLine:
    """Parse an answer line of a bot strictly. Raises InvalidBotAnswerError."""
    # Strict: no NaN, no floats or booleans for integers, no unknown or duplicate keys, no NUL, no lone surrogates.
    if len(line) > ANSWER_BYTES:
        raise InvalidBotAnswerError(
            gettext("an answer is longer than {answer_bytes} bytes").format(answer_bytes=ANSWER_BYTES)
        )
    try:
        reply = _replies.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidBotAnswerError(f"{line[:80]!r}: {_describe_flaw(line) or error}") from error
    json.loads(
        line, object_pairs_hook=_reject_duplicate_keys
    )  # no RecursionError from deep nesting: the strict decoder above accepted the line
    if "\0" in reply.note:
        raise InvalidBotAnswerError(gettext("a note holds the character NUL"))
    return reply


def is_state_request(line: bytes) -> bool:
    """Return whether a line of a bot must be parsed as a request for a state of the match, not as an answer."""
    return len(line) <= ANSWER_BYTES and b'"world"' in line and b'"choose"' not in line


def read_reply_or_request(line: bytes) -> BotAnswerLine | StateRequestLine:
    """Parse a line of a bot strictly: an answer, or a request for a `CompleteMatchStateLine`.

    Raises InvalidBotAnswerError.
    """
    if is_state_request(line):
        try:
            request = _requests.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise InvalidBotAnswerError(f"{line[:80]!r}: {error}") from error
        json.loads(line, object_pairs_hook=_reject_duplicate_keys)
        if not request.world:
            raise InvalidBotAnswerError(gettext("in a request for the world, the value of `world` must be true"))
        return request
    return read_reply(line)
