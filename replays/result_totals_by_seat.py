"""Projection of match results: sums by bot, number of seats, seat and role."""
# Each match is added once, after it has ended with a result and is public.

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, F, QuerySet, Sum

from bots.versions.queries import select_bot, select_version
from replays.match_end_times import end_time_of
from replays.models import Match, MatchSeat
from replays.models.seat_result_sums import SeatResultSum

BATCH_SIZE = 500
"""Maximum number of matches that one statement adds."""

ADD_SQL = """
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
"""SQL statement that adds uncounted matches to the sums and marks them as counted, so that none is added twice.

It locks the sums in a fixed order, so that concurrent runs cannot deadlock.
"""


def add_batch_of_matches(most: int = BATCH_SIZE) -> int:
    """Add up to `most` matches that are not counted yet to the stored sums. Return the number of added matches."""
    with connection.cursor() as cursor:
        cursor.execute(ADD_SQL, [most])
        return int(cursor.fetchone()[0])


def add_all() -> int:
    """Add all matches that are not counted yet to the stored sums. Return the number of added matches."""
    added = 0
    while some := add_batch_of_matches():
        added += some
    return added


def read_current_sums(rows: QuerySet[SeatResultSum], *fields: str) -> list[tuple[Any, ...]]:
    """If some matches are not counted yet, add a batch of them. Then return `fields` of the stored sums `rows`."""
    asked = rows.annotate(left=_has_uncounted()).values_list("left", *fields)
    found = list(asked)
    if not found or found[0][0]:
        add_batch_of_matches()
        found = list(asked.all())
    return [row[1:] for row in found]


def _has_uncounted() -> Exists:
    return Exists(Match.objects.filter(status=Match.Status.CLOSED, released=True, counted=False))


def newest_seats(bot_slug: str, number: int | None, most: int) -> list[MatchSeat]:
    """Return all of a bot's seats in its latest public matches with a result, newest match first.

    `number` selects a version of the bot, and `most` is the maximum number of matches.
    """
    # The seats are loaded with their matches, but without `faults`, `notes` and `stderr`.
    whose = {"bot": select_bot(bot_slug)} if number is None else {"version": select_version(bot_slug, number)}
    end = end_time_of("closed_at") if number is None else F("closed_at")  # the same expression as in the index
    ended = MatchSeat.objects.filter(**whose, closed_at__isnull=False).order_by(end.desc(), "-match_id")
    ended = ended.select_related("match").defer("faults", "notes", "stderr")
    seats_by_match, looked = defaultdict[str, list[MatchSeat]](list), 0
    while rows := list(ended[looked : looked + most]):
        looked += len(rows)
        for row in rows:
            if row.match.status == Match.Status.CLOSED and row.match.released:
                seats_by_match[row.match_id].append(row)
        if len(seats_by_match) > most or len(rows) < most:  # one match more, so that the last one is complete
            break
    return [row for seats in list(seats_by_match.values())[:most] for row in seats]


def count_closed() -> int:
    """Return the number of matches that ended with a result."""
    known = SeatResultSum.objects.filter(bot=None, seat=0).aggregate(matches=Sum("matches"))["matches"] or 0
    return int(known) + Match.objects.filter(status=Match.Status.CLOSED, counted=False).count()


def rebuild() -> int:
    """Compute all stored sums of results again, and return the number of matches."""
    with transaction.atomic():
        SeatResultSum.objects.all().delete()
        Match.objects.filter(counted=True).update(counted=False)
        return add_all()
