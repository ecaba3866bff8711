"""Database queries for the host of a match and the outcome of a league."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tests.support.prepared_leagues import HasDatabase, query_database, read_outcome

PAIRED_AT = re.compile(rb'^(\{"kind":"round_paired",.*),"at":\d+\}$')
"""Pattern of a log entry for a paired round, up to its time. The times of pairings are the only parts of all logs that
depend on how long matches took, so comparisons of logs ignore them."""
HELD = """
    SELECT m.id, s.length FROM replays_match m JOIN replays_stream s ON s.id = 'match/' || m.id
    WHERE m.status = 'playing' AND m.holder LIKE '{host}:%' AND s.length > {entries} ORDER BY s.length
"""
HOLDER = "SELECT split_part(holder, ':', 1), status FROM replays_match WHERE id = '{match}'"


@dataclass(frozen=True, slots=True)
class MatchInProgress:
    """A match in progress and the length of its log in entries."""

    match: str
    entries: int


def find_match_of_host(arena: HasDatabase, host: str, entries: int = 0) -> MatchInProgress | None:
    """Return a match that a host is playing and whose log has more than `entries` entries, or None."""
    rows = query_database(arena, HELD.format(host=host, entries=entries))
    return MatchInProgress(*rows[0]) if rows else None


def find_host_of_match(arena: HasDatabase, match: str) -> tuple[str, str]:
    """Return the host that played a match last, and the match's status.

    Both are empty if the match does not exist.
    """
    rows = query_database(arena, HOLDER.format(match=match))
    return (str(rows[0][0]), str(rows[0][1])) if rows else ("", "")


def comparable_outcome(arena: HasDatabase, *, build: tuple[str, str] = ("", "")) -> dict[str, Any]:
    """Return a league's outcome in a form that can be compared between runs.

    The keys are `standings`, `ratings`, `tables` (one row for each seat of each match) and `logs`. After an upgrade,
    `build` must contain the build identifiers (later, earlier). The returned logs then contain only the earlier one.
    """
    # Times of pairings are left out.
    found = read_outcome(arena)
    later, earlier = (f'"build":"{name}"'.encode() for name in build)
    found["logs"] = {stream: _timeless(body, later, earlier) for stream, body in found["logs"].items()}
    return found


def _timeless(body: bytes | list[bytes], later: bytes, earlier: bytes) -> bytes | list[bytes]:
    if isinstance(body, bytes):
        return body.replace(later, earlier, 1) if later != earlier else body
    return sorted(PAIRED_AT.sub(rb"\1}", line) for line in body)
