"""Reader and decoder for the output of a local bot that plays on a server."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgspec

from ftk_core.kit.protocol.protocol_lines import ANSWER_BYTES

MAX_FAULTY_CHARACTERS = 200
"""Maximum number of characters of a malformed line that are sent to the arena, which shows them to the author."""


async def read_line(stream: asyncio.StreamReader) -> bytes:
    """Return the next line that a bot prints; return empty bytes at the end of its output.

    Shorten a line that exceeds the stream's limit.
    """
    first = b""
    while True:
        try:
            line = await stream.readuntil()
        except asyncio.IncompleteReadError as error:
            line = error.partial
        except asyncio.LimitOverrunError as error:
            skipped = await stream.readexactly(error.consumed)
            first = first or skipped[: 2 * ANSWER_BYTES]
            continue
        return first or line


def decode_answer(line: bytes) -> Any:
    """Return the JSON value of a bot's line.

    If the line is too long or not JSON, return the beginning of its text. The server then reports a fault.
    """
    # The server decodes JSON with msgspec, too. It closes the connection if a message contains NaN or a lone surrogate.
    if len(line) <= ANSWER_BYTES + 1:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return msgspec.json.decode(line)
    return line.decode(errors="replace").strip()[:MAX_FAULTY_CHARACTERS]
