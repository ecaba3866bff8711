"""What a fleet's database says: who plays what, and whether all ended as it would have on one machine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tests.support.prepared import Kept, asked, outcome

PAIRED_AT = re.compile(rb'^(\{"kind":"round_paired",.*),"at":\d+\}$')
"""When a later round was paired: the one thing in all logs that depends on how long matches took."""
HELD = """
    SELECT m.id, s.length FROM replays_match m JOIN replays_stream s ON s.id = 'match/' || m.id
    WHERE m.status = 'playing' AND m.holder LIKE '{host}:%' AND s.length > {entries} ORDER BY s.length
"""
HOLDER = "SELECT split_part(holder, ':', 1), status FROM replays_match WHERE id = '{match}'"


@dataclass(frozen=True, slots=True)
class Holding:
    """A match that is being played."""

    match: str
    entries: int


def held_by(arena: Kept, host: str, entries: int = 0) -> Holding | None:
    """Return a match that a host holds and has come so far with, if there is one."""
    rows = asked(arena, HELD.format(host=host, entries=entries))
    return Holding(*rows[0]) if rows else None


def holder_of(arena: Kept, match: str) -> tuple[str, str]:
    """Return the host that holds a match, or held it last, and the match's status."""
    rows = asked(arena, HOLDER.format(match=match))
    return (str(rows[0][0]), str(rows[0][1])) if rows else ("", "")


def compared(arena: Kept, *, build: tuple[str, str] = ("", "")) -> dict[str, Any]:
    """Return the outcome without the times at which rounds were paired; a `build` is called by the name beside it."""
    found = outcome(arena)
    later, earlier = (f'"build":"{name}"'.encode() for name in build)
    found["logs"] = {stream: _timeless(body, later, earlier) for stream, body in found["logs"].items()}
    return found


def _timeless(body: bytes | list[bytes], later: bytes, earlier: bytes) -> bytes | list[bytes]:
    if isinstance(body, bytes):
        return body.replace(later, earlier, 1) if later != earlier else body
    return sorted(PAIRED_AT.sub(rb"\1}", line) for line in body)
