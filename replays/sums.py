"""Projection of seat sums: each match is added once, when it is closed and released."""

from __future__ import annotations

from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, F, QuerySet, Sum

from bots.version_queries import select_bot, select_version
from replays.ends import until
from replays.models import Match, MatchSeat
from replays.sum_models import SeatSum

BATCH = 500
"""Number of matches added at once."""

ADD = """
WITH counted AS (
    UPDATE replays_match SET counted = true WHERE id IN (
        SELECT id FROM replays_match WHERE status = 'closed' AND released AND NOT counted
        LIMIT %s FOR UPDATE SKIP LOCKED)
    RETURNING id, game
), sat AS (
    SELECT game, bot_id, seat, role, coalesce(place, 0) AS place, count(*) OVER (PARTITION BY match_id) AS size
    FROM counted JOIN replays_matchseat ON match_id = counted.id
), summed AS (
    INSERT INTO replays_seatsum AS now (game, bot_id, size, seat, role, matches, won, places)
    SELECT game, bot_id, size, seat, role, count(*), count(*) FILTER (WHERE place = 1), sum(place) FROM sat
    GROUP BY GROUPING SETS ((game, size, seat, role, bot_id), (game, size, seat, role))
    ORDER BY bot_id, game, size, seat, role
    ON CONFLICT (bot_id, game, size, seat, role) DO UPDATE SET matches = now.matches + excluded.matches,
        won = now.won + excluded.won, places = now.places + excluded.places
)
SELECT count(*) FROM counted
"""
"""Rows are locked in a fixed order, so that concurrent runs cannot deadlock; no match is added twice."""


def add_some(most: int = BATCH) -> int:
    """Add matches not yet counted, at most `most`; return their number."""
    with connection.cursor() as cursor:
        cursor.execute(ADD, [most])
        return int(cursor.fetchone()[0])


def add_all() -> int:
    """Add all matches not yet counted, in batches; return their number."""
    added = 0
    while some := add_some():
        added += some
    return added


def brought_up_to_date(rows: QuerySet[SeatSum], *fields: str) -> list[tuple[Any, ...]]:
    """Return fields of sums that include all matches; one query if all are counted already."""
    asked = rows.annotate(left=_left()).values_list("left", *fields)
    found = list(asked)
    if not found or found[0][0]:
        add_some()
        found = list(asked.all())
    return [row[1:] for row in found]


def _left() -> Exists:
    """Return an expression that is true if an uncounted match exists."""
    return Exists(Match.objects.filter(status=Match.Status.CLOSED, released=True, counted=False))


def newest_seats(bot_slug: str, number: int | None, most: int) -> list[MatchSeat]:
    """Return the seats of a bot, or of one version, in its last closed and released matches, newest first.

    With the match, without details for the author. One query, unless some of these are void or not released.
    """
    whose = {"bot": select_bot(bot_slug)} if number is None else {"version": select_version(bot_slug, number)}
    end = until("closed_at") if number is None else F("closed_at")  # as the index of a bot or of a version has it
    ended = MatchSeat.objects.filter(**whose, closed_at__isnull=False).order_by(end.desc(), "-match_id")
    ended = ended.select_related("match").defer("faults", "notes", "stderr")
    told, looked = list[MatchSeat](), 0
    while rows := list(ended[looked : looked + most]):
        looked += len(rows)
        told += [row for row in rows if row.match.status == Match.Status.CLOSED and row.match.released]
        if len(told) >= most or len(rows) < most:
            break
    return told[:most]


def count_closed() -> int:
    """Return the number of closed matches."""
    known = SeatSum.objects.filter(bot=None, seat=0).aggregate(matches=Sum("matches"))["matches"] or 0
    return int(known) + Match.objects.filter(status=Match.Status.CLOSED, counted=False).count()


def rebuild() -> int:
    """Rebuild the sums from all matches; return the number of matches."""
    with transaction.atomic():
        SeatSum.objects.all().delete()
        Match.objects.filter(counted=True).update(counted=False)
        return add_all()
