"""Commands on matches: order matches for workers to play, make them public, verify their logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import connection, transaction

from bots.models import BotVersion
from bots.remote_bots import runs_outside_server
from foundation.celery_task_messages import MAX_ENQUEUED, enqueue_missing
from ftk_core.games import game
from ftk_core.kit.verify.match_log_verification import VerifiedMatchLog, verify_lines
from ftk_core.log_entries import TimeControl, stream_of
from ftk_core.match_log_file import dump_pages
from ftk_core.match_state_from_log import check_options, read_options
from replays import match_tracing, result_totals_by_seat
from replays.event_stream_storage import pages_of
from replays.models import Match, new_id

# One array parameter per column: Django would bind eleven parameters per seat, because some columns are arrays.
INSERT_SEATS_SQL = """
INSERT INTO replays_matchseat (match_id, seat, version_id, role, excuses, reproducible, faults, notes, stderr)
SELECT new.match_id, new.seat, new.version_id, '', 0, true, '{}', '{}', ''
FROM unnest(%s::text[], %s::int[], %s::bigint[]) AS new (match_id, seat, version_id)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRequest:
    """Order of a match: game, bot versions, rules and time limits."""

    game: str
    versions: Sequence[BotVersion]
    """Bot versions that play, in seat order."""
    seed: bytes
    clock: TimeControl
    options: str = ""
    """Options of the rules as JSON, in the game's own format; empty for the default rules."""
    pace_ms: int = 0
    """Minimum milliseconds between choices, for spectators; 0 is as fast as possible."""
    released: bool = True
    """True if everybody may see the whole match; if False, only its result is public until it is released."""
    hand_ms: int | None = None
    """Milliseconds that a person who plays by hand has for each choice; None is unlimited."""
    asked_by: User | None = None
    """Person who orders a friendly match or a challenge; None if a league or a ladder orders the match."""
    on_ladder: bool = False
    """True if a continuous ladder, which rates bots outside leagues, orders the match."""
    match_id: str = ""
    """Id of the new match; empty for a random one."""


def order_matches(orders: Iterable[MatchRequest]) -> list[Match]:
    """Create matches that wait for a worker, and enqueue them after the commit.

    Raises UnknownGameError, or ValueError for seats or options with which the game cannot be played.
    """
    # Two statements create all matches and seats.
    orders = list(orders)
    for name, options, seats in {(order.game, order.options, len(order.versions)) for order in orders}:
        rules = game(name)
        check_options(rules, seats, read_options(rules, options or "{}"))
    matches = Match.objects.bulk_create(_new_match(order) for order in orders)
    rows = [
        (match.pk, seat, version.pk)
        for order, match in zip(orders, matches, strict=True)
        for seat, version in enumerate(order.versions)
    ]
    with connection.cursor() as cursor:
        cursor.execute(INSERT_SEATS_SQL, [list(column) for column in zip(*rows, strict=True)] or [[], [], []])
    match_tracing.trace_order(
        {match: [v.pk for v in order.versions] for order, match in zip(orders, matches, strict=True)}
    )
    transaction.on_commit(lambda: _enqueue_for([match.queue for match in matches[:MAX_ENQUEUED]]))
    return matches


def _new_match(order: MatchRequest) -> Match:
    return Match(
        id=order.match_id or new_id(),
        game=order.game,
        seed=order.seed,
        **order.clock.parts,
        options=order.options,
        pace_ms=order.pace_ms,
        released=order.released,
        kind=_kind_of(order),
        asked_by=order.asked_by,
        outside=any(runs_outside_server(version.bot) for version in order.versions),
        hand_ms=order.hand_ms,
    )


def _kind_of(order: MatchRequest) -> str:
    if order.asked_by:
        return Match.Kind.FRIENDLY
    return Match.Kind.LADDER if order.on_ladder else Match.Kind.LEAGUE


def _enqueue_for(kinds: Iterable[str]) -> None:
    """Enqueue task messages for new matches, given the name of the queue of each match."""
    # At most MAX_ENQUEUED messages are added to a queue. For further waiting matches, the workers enqueue messages.
    for kind, things in Counter(kinds).items():
        enqueue_missing("bots.work", kind, things)


def release_matches(match_ids: Iterable[str]) -> None:
    """Release matches: make their replays public, for ever. Hidden information is shown once a match has ended."""
    Match.objects.filter(pk__in=match_ids, released=False).update(released=True)


def rebuild_seat_sums() -> int:
    """Compute the sums of results by seat again from all matches; return the number of matches."""
    return result_totals_by_seat.rebuild()


def verify_match(match_id: str) -> VerifiedMatchLog:
    """Verify the log of a stored match: its hash chain, its events, and a rerun; raises InvalidLogError."""
    chunks = b"".join(dump_pages(pages_of(stream_of(match_id)))).splitlines(keepends=True)
    return verify_lines(chunks)
