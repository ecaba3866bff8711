"""Commands on matches: order, enqueue, verify."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import connection, transaction

from bots.models import BotVersion
from bots.outside import is_outside
from foundation.doorbell import MOST, top_up
from ftk_core.entries import Clock, stream_of
from ftk_core.filelog import dump
from ftk_core.fold import check_options, read_options
from ftk_core.games import game
from ftk_core.kit.verify import Verdict, verify_lines
from replays import sums, traces
from replays.models import Match
from replays.store import pages_of

# One array per column: Django would bind eleven parameters a seat, because some columns are arrays.
SEATS = """
INSERT INTO replays_matchseat (match_id, seat, version_id, role, excuses, reproducible, faults, notes, stderr)
SELECT new.match_id, new.seat, new.version_id, '', 0, true, '{}', '{}', ''
FROM unnest(%s::text[], %s::int[], %s::bigint[]) AS new (match_id, seat, version_id)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Order of a match."""

    game: str
    versions: Sequence[BotVersion]
    """By seat."""
    seed: bytes
    clock: Clock
    options: str = ""
    """Options as JSON in the game's own format; empty for the default rules."""
    pace_ms: int = 0
    """Minimum time between choices."""
    released: bool = True
    """If True, everybody may see its inside."""
    hand_ms: int | None = None
    """Time of people for each choice; None is unlimited."""
    asked_by: User | None = None
    """Person who orders a friendly match; None in a league or on a ladder."""
    on_ladder: bool = False
    """True if a continuous ladder called it; it then waits behind leagues."""


def order_matches(orders: Iterable[Order]) -> list[Match]:
    """Create waiting matches in two statements, and enqueue them after the commit.

    Raises ValueError for options that the game cannot be played with.
    """
    orders = list(orders)
    for name, options, seats in {(order.game, order.options, len(order.versions)) for order in orders}:
        rules = game(name)
        check_options(rules, seats, read_options(rules, options or "{}"))
    matches = Match.objects.bulk_create(_waiting(order) for order in orders)
    rows = [
        (match.pk, seat, version.pk)
        for order, match in zip(orders, matches, strict=True)
        for seat, version in enumerate(order.versions)
    ]
    with connection.cursor() as cursor:
        cursor.execute(SEATS, [list(column) for column in zip(*rows, strict=True)] or [[], [], []])
    traces.order({match: [v.pk for v in order.versions] for order, match in zip(orders, matches, strict=True)})
    transaction.on_commit(lambda: _ring_for([match.queue for match in matches[:MOST]]))
    return matches


def _waiting(order: Order) -> Match:
    return Match(
        game=order.game,
        seed=order.seed,
        move_ms=order.clock.move_ms,
        bank_ms=order.clock.bank_ms,
        options=order.options,
        pace_ms=order.pace_ms,
        released=order.released,
        kind=_kind_of(order),
        asked_by=order.asked_by,
        outside=any(is_outside(version.bot) for version in order.versions),
        hand_ms=order.hand_ms,
    )


def _kind_of(order: Order) -> str:
    if order.asked_by:
        return Match.Kind.FRIENDLY
    return Match.Kind.LADDER if order.on_ladder else Match.Kind.LEAGUE


def _ring_for(kinds: Iterable[str]) -> None:
    """Enqueue until each match has a message; workers enqueue for the remaining ones.

    Messages left over from the round before count: each costs sender and reader as much as half a short match.
    """
    for kind, things in Counter(kinds).items():
        top_up("bots.work", kind, things)


def release_matches(match_ids: Iterable[str]) -> None:
    """Make the inside of matches public; this is irreversible."""
    Match.objects.filter(pk__in=match_ids, released=False).update(released=True)


def count_seats_anew() -> int:
    """Rebuild the seat sums from all matches; return the number of matches."""
    return sums.rebuild()


def verify_match(match_id: str) -> Verdict:
    """Verify a stored match: chain, fold and rerun; raises Unsound."""
    chunks = b"".join(dump(pages_of(stream_of(match_id)))).splitlines(keepends=True)
    return verify_lines(chunks)
