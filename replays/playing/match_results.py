"""Storage of a match's result, and of details for the bots' authors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
from django.db import connection
from django.utils import timezone

from ftk_core.game import MatchResult
from ftk_core.kit.protocol.answer_note_parsing import format_numbered
from ftk_core.kit.protocol.protocol_lines import strip_control_characters
from ftk_core.kit.trial_match import stored_notes
from ftk_core.log_entries import ChoiceMade
from people.account_erasure import TOMBSTONE_NAME
from replays.models import Match, MatchSeat
from replays.playing.match_leases import MatchLease, MatchLeaseLost
from replays.playing.match_players import PlayerWithBotDiagnostics


class TimeAndMissedAnswersBySeat:
    """Sums over all choices in the log of a match, by seat: missing answers and time used."""

    def __init__(self, match: Match, seats: int) -> None:
        self._clock = match.clock
        self._used_us, self._decisions = [0] * seats, [0] * seats
        self.missed = [Counter[str]() for _ in range(seats)]
        """Numbers of missing or invalid answers: a list with one Counter by reason for each seat."""

    def add(self, choices: Iterable[ChoiceMade]) -> None:
        """Add choices to the sums. The sums must include the choices that an earlier worker has logged."""
        for chose in choices:
            if chose.excuse:
                self.missed[chose.seat][chose.excuse] += 1
            self._used_us[chose.seat] += chose.charged_us
            self._decisions[chose.seat] += 1

    @property
    def spent(self) -> list[float]:
        """Time that each seat used, as a share of its allowed time. The value 1 is all of it."""
        allowed_ms = map(self._clock.allowed_ms, self._decisions)
        return [us / 1000 / ms if ms else 0.0 for us, ms in zip(self._used_us, allowed_ms, strict=True)]


class StoredSeatResult(msgspec.Struct, kw_only=True):
    """Values of the columns of `MatchSeat` that are stored when a match is closed."""

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


RESULT_COLUMNS = [name for name in StoredSeatResult.__struct_fields__ if name != "id"]
TEXT_COLUMNS = {"faults": "'{}'", "notes": "'{}'", "stderr": "''"}
"""Columns with texts for the bot's authors, with the empty value that is stored if its authors have left."""
NEW_VALUES = {name: f"new.{name}" for name in RESULT_COLUMNS} | {
    name: f"CASE WHEN erased.id IS NULL THEN new.{name} ELSE {empty} END" for name, empty in TEXT_COLUMNS.items()
}
COLUMN_TYPES = (
    "place int, score int, role text, missed jsonb, spent float8, excuses int, memory bigint, reproducible bool"
)
CLOSE_SQL = f"""
WITH closed AS (
    UPDATE replays_match SET status = 'closed', closed_at = %s, lease_until = NULL
    WHERE id = %s AND holder = %s AND status = 'playing' RETURNING id
), written AS (
    UPDATE replays_matchseat AS seat SET {", ".join(f"{name} = {value}" for name, value in NEW_VALUES.items())}
    FROM closed, jsonb_to_recordset(%s::jsonb)
        AS new (id bigint, {COLUMN_TYPES}, faults text[], notes text[], stderr text),
        bots_bot AS bot LEFT JOIN auth_user AS erased ON erased.id = bot.owner_id AND erased.username = %s
    WHERE seat.id = new.id AND bot.id = seat.bot_id
)
SELECT 1 FROM closed
"""  # noqa: S608 - made of constants


def close_match(
    lease: MatchLease,
    seats: Sequence[MatchSeat],
    players: Sequence[PlayerWithBotDiagnostics],
    result: MatchResult,
    tally: TimeAndMissedAnswersBySeat,
    diverged_seats: set[int],
) -> None:
    """Close a match and store the results of its seats. Raises MatchLeaseLost if another worker has it."""
    # `diverged_seats` are the seats whose bots answered a repeated question of a resumed match in another way.
    spent = tally.spent
    rows = [
        StoredSeatResult(
            id=seat.pk,
            place=result.places[seat.seat],
            score=result.scores[seat.seat],
            role=result.roles[seat.seat] if result.roles else "",
            missed=tally.missed[seat.seat],
            spent=spent[seat.seat],
            excuses=tally.missed[seat.seat].total(),
            memory=player.memory,
            reproducible=seat.seat not in diverged_seats,
            faults=[format_numbered(number, detail) for number, detail in player.faults],
            notes=stored_notes(player.notes),
            stderr=strip_control_characters(player.stderr),
        )
        for seat, player in zip(seats, players, strict=True)
    ]
    with connection.cursor() as cursor:
        results = msgspec.json.encode(rows).decode()
        cursor.execute(CLOSE_SQL, [timezone.now(), lease.match_id, lease.holder, results, TOMBSTONE_NAME])
        if cursor.fetchone() is None:
            raise MatchLeaseLost(f"match {lease.match_id} was taken over before its result was written")
