"""What can be done with matches: order one, ring for it, check it."""

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

# an array of each column: Django would put in eleven parameters a seat, since some columns are arrays themselves
SEATS = """
INSERT INTO replays_matchseat (match_id, seat, version_id, role, excuses, reproducible, faults, notes, stderr)
SELECT new.match_id, new.seat, new.version_id, '', 0, true, '{}', '{}', ''
FROM unnest(%s::text[], %s::int[], %s::bigint[]) AS new (match_id, seat, version_id)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A match to be played."""

    game: str
    versions: Sequence[BotVersion]
    """By seat."""
    seed: bytes
    clock: Clock
    options: str = ""
    """JSON in the game's own terms; empty as the rule book has it."""
    pace_ms: int = 0
    """The least time between choices."""
    released: bool = True
    """Whether everybody may see what happens within it."""
    hand_ms: int | None = None
    """How long people have for each choice; None is as long as they like."""
    asked_by: User | None = None
    """Whose it is if it is friendly; nobody's in a league or on a ladder."""
    on_ladder: bool = False
    """Whether a continuous ladder called it, so that it waits behind leagues."""


def order_matches(orders: Iterable[Order]) -> list[Match]:
    """Make matches that wait for workers, in two statements, and ring for these when the transaction is through.

    Raises ValueError for options that one cannot be played with.
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
    """Ring until a bell waits for each match; whoever takes one rings for those for which there are none yet.

    Those that the round before left over do: each costs who rings, and who looks, as much as half a short match.
    """
    for kind, things in Counter(kinds).items():
        top_up("bots.work", kind, things)


def release_matches(match_ids: Iterable[str]) -> None:
    """Let everybody see what happened within matches; nothing takes that back."""
    Match.objects.filter(pk__in=match_ids, released=False).update(released=True)


def count_seats_anew() -> int:
    """Throw the sums of the seats away and add all matches up again; return how many there are."""
    return sums.rebuild()


def verify_match(match_id: str) -> Verdict:
    """Return the verdict on a stored match: chain, fold and rerun; raises Unsound."""
    chunks = b"".join(dump(pages_of(stream_of(match_id)))).splitlines(keepends=True)
    return verify_lines(chunks)
