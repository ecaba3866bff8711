"""An archive of many matches that nobody played, written in a few statements: what pages cost when much has happened.

Real are the heads of matches and of their streams, the seats, places, ratings and the ladder's rows, in the numbers
that played matches would have left. Not real are the streams' lines: the newest matches all have those of one that was
played, the others none; nor the ladder's stream, and there are no leagues.
"""

from __future__ import annotations

from typing import Any

from django.db import connection, transaction

from ftk_core.entries import stream_of
from replays import sums
from replays.models import Match, Stream
from replays.store import StreamLog
from tests.support.factories import active_version
from tests.support.reviews import log_of
from tournaments.models import ALL_TIME, LadderFold, Rating

GAME, BOTS, SEATS = "for_the_king", 200, 4
STEP, ADDED = 100_000, 20_000
"""So many are written at once, and so many added to the sums."""
TOLD = 60
"""Of so many matches, the newest, it is also told what happened."""

MATCHES = """
INSERT INTO replays_match (id, game, seed, move_ms, bank_ms, pace_ms, options, kind, outside, status,
    created_at, opened_at, closed_at, holder, attempts, reason, released)
SELECT lpad(to_hex(n), 12, '0'), %(game)s, '\\x00', 1000, 10000, 0, '', 'ladder', false, 'closed', at, at, at, '', 1,
    '', true FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n, LATERAL (
    SELECT timestamptz '2026-01-01 00:00Z' + n * interval '1 second' AS at) AS closed
"""
STREAMS = """
INSERT INTO replays_stream (id, length, head, fence)
SELECT 'match/' || lpad(to_hex(n), 12, '0'), 0, '\\x00', 1
FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n
"""
SITTING = """
generate_series(%(first)s::bigint, %(last)s::bigint) AS n CROSS JOIN generate_series(0, %(seats)s::int - 1) AS seat
CROSS JOIN LATERAL (
    SELECT 1 + (n * 7 + seat * (1 + n %% 47)) %% %(bots)s AS who, 1 + (seat + n / 3) %% %(seats)s AS place) AS sat
"""
"""Four different bots at each table, and every place taken once."""
SAT = (
    """
INSERT INTO replays_matchseat (match_id, seat, version_id, closed_at, place, score, role, excuses, reproducible, faults,
    notes, stderr)
SELECT lpad(to_hex(n), 12, '0'), seat, (%(versions)s::bigint[])[who],
    timestamptz '2026-01-01 00:00Z' + n * interval '1 second', place, 10 - place, '', 0, true, '{}', '{}', ''
FROM """
    + SITTING
)
RATED = (
    """
INSERT INTO tournaments_ratedseat (ladder_id, at, seat, match, bot_id, place, seats, before, after, matches, wins)
SELECT %(ladder)s, n, seat, lpad(to_hex(n), 12, '0'), (%(owners)s::bigint[])[who], place, %(seats)s, 1500000, 1500000,
    n / 50, n / 200 FROM """
    + SITTING
)
KNOWN = "ANALYZE tournaments_ratedseat"
"""Without it what follows would look at all seats again for each."""
MET = """
INSERT INTO tournaments_meetingsum (ladder_id, bot_id, other_id, halves, matches)
SELECT %(ladder)s, one.bot_id, other.bot_id, sum(1 + sign(other.place - one.place)), count(*)
FROM tournaments_ratedseat AS one JOIN tournaments_ratedseat AS other ON other.ladder_id = one.ladder_id
    AND other.at = one.at AND other.seat <> one.seat
WHERE one.ladder_id = %(ladder)s AND one.at BETWEEN %(first)s AND %(last)s GROUP BY one.bot_id, other.bot_id
ON CONFLICT (ladder_id, bot_id, other_id) DO UPDATE SET halves = tournaments_meetingsum.halves + excluded.halves,
    matches = tournaments_meetingsum.matches + excluded.matches
"""


class ArchiveInUse(Exception):
    """Matches are stored that were not made up: nothing is added to them."""


def grow_archive(matches: int) -> None:
    """Bring the archive to so many closed matches of 200 bots; raises ArchiveInUse where others are stored."""
    made_up = LadderFold.objects.filter(game=GAME, season=ALL_TIME).first()
    stored = Match.objects.count()
    if stored and made_up is None:
        raise ArchiveInUse(f"{stored} matches are stored here that people may have played: use an empty database")
    if made_up is None:
        made_up = LadderFold.objects.create(game=GAME, season=ALL_TIME)
        for number in range(BOTS):
            bot = active_version("print()", slug=f"b{number}", game=GAME).bot
            Rating.objects.create(bot=bot, game=GAME, value=1_400_000 + 1000 * number, matches=1)
    pairs = list(Rating.objects.filter(game=GAME).order_by("bot_id").values_list("bot_id", "bot__versions"))
    told: dict[str, Any] = {
        "game": GAME,
        "seats": SEATS,
        "bots": BOTS,
        "ladder": made_up.pk,
    }
    told |= {"owners": [bot for bot, _ in pairs], "versions": [version for _, version in pairs]}
    for first in range(stored + 1, matches + 1, STEP):
        told |= {"first": first, "last": min(matches, first + STEP - 1)}
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in (STREAMS, MATCHES, SAT, RATED, KNOWN, MET):
                cursor.execute(statement, told)
        while sums.add_some(ADDED):
            pass
    lines = [line + b"\n" for line in log_of(GAME, SEATS)]
    newest = Match.objects.order_by("-closed_at", "-pk").values_list("pk", flat=True)[:TOLD]
    for stream in Stream.objects.filter(pk__in=map(stream_of, newest), length=0):
        StreamLog(stream.pk, stream.fence).append(lines, 0)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
