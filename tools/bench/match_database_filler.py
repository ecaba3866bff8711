"""Generator of very many finished matches by a few SQL statements.

Only the newest matches have logs, copied from one played match. Leagues are not generated.
"""

from __future__ import annotations

from typing import Any

from django.db import connection, transaction

from ftk_core.log_entries import DEFAULT_CLOCK, stream_of
from replays import result_totals_by_seat
from replays.event_stream_storage import EventAppender
from replays.models import EventStream, Match
from tests.support.factories import create_active_version
from tests.support.reviews import log_of
from tournaments.ladders.match_rating_order import TOTALS
from tournaments.models import ALL_TIME, LadderProjection, Rating

GAME, BOTS, SEATS = "for_the_king", 200, 4
STEP, ADDED = 100_000, 20_000
"""Number of matches that one transaction generates (`STEP`), or adds to the stored sums of results (`ADDED`)."""
MATCHES_WITH_LOG = 60
"""Number of the newest matches that get a log."""

MATCHES = f"""
INSERT INTO replays_match (id, game, seed, {", ".join(DEFAULT_CLOCK.parts)}, pace_ms, options, kind, outside, status,
    created_at, opened_at, closed_at, holder, attempts, reason, released)
SELECT lpad(to_hex(n), 12, '0'), %(game)s, '\\x00', {", ".join(map(str, DEFAULT_CLOCK.parts.values()))}, 0, '',
    'ladder', false, 'closed', at, at, at, '', 1, '', true
FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n, LATERAL (
    SELECT timestamptz '2026-01-01 00:00Z' + n * interval '1 second' AS at) AS closed
"""
STREAMS = """
INSERT INTO replays_stream (id, length, head, fence)
SELECT 'match/' || lpad(to_hex(n), 12, '0'), 0, '\\x00', 1
FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n
"""
GENERATED_SEATS = """
generate_series(%(first)s::bigint, %(last)s::bigint) AS n CROSS JOIN generate_series(0, %(seats)s::int - 1) AS seat
CROSS JOIN LATERAL (
    SELECT 1 + (n * 7 + seat * (1 + n %% 47)) %% %(bots)s AS who, 1 + (seat + n / 3) %% %(seats)s AS place) AS sat
"""
"""SQL for a FROM clause, with one row (match number, seat, bot, place) for each seat of the matches to generate. A
match has four different bots, and each place from 1 to 4 once."""
SAT = (
    """
INSERT INTO replays_matchseat (match_id, seat, version_id, closed_at, place, score, role, excuses, reproducible, faults,
    notes, stderr)
SELECT lpad(to_hex(n), 12, '0'), seat, (%(versions)s::bigint[])[who],
    timestamptz '2026-01-01 00:00Z' + n * interval '1 second', place, 10 - place, '', 0, true, '{}', '{}', ''
FROM """
    + GENERATED_SEATS
)
RATED = (
    f"""
INSERT INTO tournaments_ratedseat (ladder_id, at, seat, match, bot_id, place, seats, before, after, {", ".join(TOTALS)})
SELECT %(ladder)s, n, seat, lpad(to_hex(n), 12, '0'), (%(owners)s::bigint[])[who], place, %(seats)s, 1500000, 1500000,
    {", ".join(f"n / {50 * SEATS**number}" for number in range(len(TOTALS)))} FROM """
    + GENERATED_SEATS
)
ANALYZE_RATED_SEATS = "ANALYZE tournaments_ratedseat"
"""SQL that updates the planner's statistics; otherwise the next statement would scan all seats for each row."""
MET = """
INSERT INTO tournaments_meetingsum (ladder_id, bot_id, other_id, halves, matches)
SELECT %(ladder)s, one.bot_id, other.bot_id, sum(1 + sign(other.place - one.place)), count(*)
FROM tournaments_ratedseat AS one JOIN tournaments_ratedseat AS other ON other.ladder_id = one.ladder_id
    AND other.at = one.at AND other.seat <> one.seat
WHERE one.ladder_id = %(ladder)s AND one.at BETWEEN %(first)s AND %(last)s GROUP BY one.bot_id, other.bot_id
ON CONFLICT (ladder_id, bot_id, other_id) DO UPDATE SET halves = tournaments_meetingsum.halves + excluded.halves,
    matches = tournaments_meetingsum.matches + excluded.matches
"""


class DatabaseNotEmptyError(Exception):
    """Raised if the database contains matches that `grow_archive` did not generate; then nothing is added."""


def grow_archive(matches: int) -> None:
    """Generate matches among 200 bots until the database holds `matches` matches; raises DatabaseNotEmptyError."""
    made_up = LadderProjection.objects.filter(game=GAME, season=ALL_TIME).first()
    stored = Match.objects.count()
    if stored and made_up is None:
        raise DatabaseNotEmptyError(
            f"{stored} matches are stored here that people may have played: use an empty database"
        )
    if made_up is None:
        made_up = LadderProjection.objects.create(game=GAME, season=ALL_TIME)
        for number in range(BOTS):
            bot = create_active_version("print()", slug=f"b{number}", game=GAME).bot
            Rating.objects.create(bot=bot, game=GAME, value=1_400_000 + 1000 * number, matches=1)
    pairs = list(Rating.objects.filter(game=GAME).order_by("bot_id").values_list("bot_id", "bot__versions"))
    parameters: dict[str, Any] = {"game": GAME, "seats": SEATS, "bots": BOTS, "ladder": made_up.pk}
    parameters |= {"owners": [bot for bot, _ in pairs], "versions": [version for _, version in pairs]}
    for first in range(stored + 1, matches + 1, STEP):
        parameters |= {"first": first, "last": min(matches, first + STEP - 1)}
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in (STREAMS, MATCHES, SAT, RATED, ANALYZE_RATED_SEATS, MET):
                cursor.execute(statement, parameters)
        while result_totals_by_seat.add_batch_of_matches(ADDED):
            pass
    lines = [line + b"\n" for line in log_of(GAME, SEATS)]
    newest = Match.objects.order_by("-closed_at", "-pk").values_list("pk", flat=True)[:MATCHES_WITH_LOG]
    for stream in EventStream.objects.filter(pk__in=map(stream_of, newest), length=0):
        EventAppender(stream.pk, stream.fence).append(lines, 0)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
