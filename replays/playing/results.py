"""Closing of a match: the results of each seat from the log, and the notes for its author."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
from django.db import connection
from django.utils import timezone

from ftk_core.entries import Chose
from ftk_core.game import Result
from ftk_core.kit.trial import kept_notes, printable
from replays.models import Match, MatchSeat
from replays.playing.leases import Lease, LeaseLost
from replays.playing.seating import SeatedPlayer


class Tally:
    """Sums over all choices of the log: excuses of each seat, and its use of the clock."""

    def __init__(self, match: Match, seats: int) -> None:
        self._move_ms = match.move_ms
        self._used, self._allowed_ms = [0] * seats, [match.bank_ms] * seats
        self.missed = [Counter[str]() for _ in range(seats)]
        """By seat and reason."""

    def add(self, choices: Iterable[Chose]) -> None:
        """Add choices, whichever worker stored them."""
        for chose in choices:
            if chose.excuse:
                self.missed[chose.seat][chose.excuse] += 1
            self._used[chose.seat] += chose.charged_us
            self._allowed_ms[chose.seat] += self._move_ms

    @property
    def spent(self) -> list[float]:
        """Share of the clock that each seat used."""
        return [us / 1000 / ms if ms else 0.0 for us, ms in zip(self._used, self._allowed_ms, strict=True)]


class SeatResult(msgspec.Struct, kw_only=True):
    """Result columns of a seat."""

    id: int
    place: int
    score: int
    role: str
    missed: dict[str, int]
    spent: float
    excuses: int
    memory: int | None
    reproducible: bool
    faults: list[str]
    notes: list[str]
    stderr: str


COLUMNS = [name for name in SeatResult.__struct_fields__ if name != "id"]
TYPES = "place int, score int, role text, missed jsonb, spent float8, excuses int, memory bigint, reproducible bool"
CLOSED = f"""
WITH closed AS (
    UPDATE replays_match SET status = 'closed', closed_at = %s, lease_until = NULL
    WHERE id = %s AND holder = %s AND status = 'playing' RETURNING id
), written AS (
    UPDATE replays_matchseat AS seat SET {", ".join(f"{name} = new.{name}" for name in COLUMNS)}
    FROM closed, jsonb_to_recordset(%s::jsonb) AS new (id bigint, {TYPES}, faults text[], notes text[], stderr text)
    WHERE seat.id = new.id
)
SELECT 1 FROM closed
"""  # noqa: S608 - of constants


def close(
    lease: Lease,
    seats: Sequence[MatchSeat],
    players: Sequence[SeatedPlayer],
    result: Result,
    tally: Tally,
    strays: set[int],
) -> None:
    """Close a match and store its results, which agree with the log, in one statement.

    Raises LeaseLost without writing anything if another worker holds the match.
    """
    spent = tally.spent
    rows = [
        SeatResult(
            id=seat.pk,
            place=result.places[seat.seat],
            score=result.scores[seat.seat],
            role=result.roles[seat.seat] if result.roles else "",
            missed=tally.missed[seat.seat],
            spent=spent[seat.seat],
            excuses=tally.missed[seat.seat].total(),
            memory=player.memory,
            reproducible=seat.seat not in strays,
            faults=[printable(f"question {number}: {detail}") for number, detail in player.faults],
            notes=kept_notes(player.notes),
            stderr=printable(player.stderr),
        )
        for seat, player in zip(seats, players, strict=True)
    ]
    with connection.cursor() as cursor:
        cursor.execute(CLOSED, [timezone.now(), lease.match_id, lease.holder, msgspec.json.encode(rows).decode()])
        if cursor.fetchone() is None:
            raise LeaseLost(f"match {lease.match_id} was taken over before its result was written")
