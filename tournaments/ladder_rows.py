"""Tables of a ladder: rated seats in order, meetings, and final ratings.

They are a projection of the ladder's stream and disposable (`tournaments.ladder` rebuilds them).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby, islice

from django.db import connection

from bots.version_queries import find_bot_ids
from tournaments.ladder_order import KEPT, Counted, Moved, Stand
from tournaments.models import LadderFold, MeetingSum, RatedSeat, Rating

AT_ONCE = 20_000
"""Rows per statement."""

STANDS = """
SELECT bot.slug, last.after, last.matches, last.wins
FROM bots_bot AS bot CROSS JOIN LATERAL (
    SELECT after, matches, wins FROM tournaments_ratedseat AS seat
    WHERE seat.ladder_id = %s AND seat.bot_id = bot.id AND seat.at < %s ORDER BY seat.at DESC LIMIT 1
) AS last
WHERE bot.slug = ANY(%s)
"""
SEATS = """
INSERT INTO tournaments_ratedseat AS old
    (ladder_id, at, seat, match, bot_id, place, seats, before, after, matches, wins)
SELECT %s, new.* FROM unnest(
    %s::bigint[], %s::int[], %s::text[], %s::bigint[], %s::int[], %s::int[], %s::int[], %s::int[], %s::int[], %s::int[]
) AS new (at, seat, match, bot_id, place, seats, before, after, matches, wins)
ON CONFLICT (ladder_id, at, seat) DO UPDATE SET place = EXCLUDED.place, before = EXCLUDED.before,
    after = EXCLUDED.after, matches = EXCLUDED.matches, wins = EXCLUDED.wins
WHERE (old.place, old.before, old.after, old.matches, old.wins) IS DISTINCT FROM
    (EXCLUDED.place, EXCLUDED.before, EXCLUDED.after, EXCLUDED.matches, EXCLUDED.wins)
"""
MEETINGS = """
INSERT INTO tournaments_meetingsum AS old (ladder_id, bot_id, other_id, halves, matches)
SELECT %s, new.* FROM unnest(
    %s::bigint[], %s::bigint[], %s::int[], %s::int[]
) AS new (bot_id, other_id, halves, matches)
ON CONFLICT (ladder_id, bot_id, other_id) DO UPDATE SET
    halves = old.halves + EXCLUDED.halves, matches = old.matches + EXCLUDED.matches
"""
PRUNE = """
WITH shown AS (
    SELECT bot.id AS bot_id, (
        SELECT at FROM tournaments_ratedseat AS seat
        WHERE seat.ladder_id = %(ladder)s AND seat.bot_id = bot.id AND seat.at < %(past)s AND seat.place > 0
        ORDER BY at DESC, seat DESC OFFSET %(kept)s - 1 LIMIT 1
    ) AS since
    FROM (SELECT DISTINCT bot_id AS id FROM tournaments_ratedseat WHERE ladder_id = %(ladder)s AND at < %(past)s) AS bot
)
DELETE FROM tournaments_ratedseat WHERE ladder_id = %(ladder)s AND at IN (
    SELECT at FROM tournaments_ratedseat AS seat JOIN shown USING (bot_id)
    WHERE seat.ladder_id = %(ladder)s AND seat.at < %(past)s
    GROUP BY at HAVING bool_and(seat.at < coalesce(shown.since, 0))
)
"""
"""Whole matches go, so that what is left of any is all of it."""
RATINGS = """
INSERT INTO tournaments_rating AS old (bot_id, game, season, value, matches, wins, last_delta)
SELECT new.bot_id, %s, %s, new.value, new.matches, new.wins, new.last_delta
FROM unnest(%s::bigint[], %s::int[], %s::int[], %s::int[], %s::int[]) AS new (bot_id, value, matches, wins, last_delta)
ON CONFLICT (bot_id, season) DO UPDATE SET
    value = EXCLUDED.value, matches = EXCLUDED.matches, wins = EXCLUDED.wins, last_delta = EXCLUDED.last_delta
WHERE (old.value, old.matches, old.wins, old.last_delta) IS DISTINCT FROM
    (EXCLUDED.value, EXCLUDED.matches, EXCLUDED.wins, EXCLUDED.last_delta)
"""


def read_from(ladder: LadderFold, at: int) -> list[Counted]:
    """Return the matches of a ladder from a place of its order on."""
    rows = RatedSeat.objects.filter(ladder=ladder, at__gte=at).order_by("at", "seat")
    found = []
    for (place_on_ladder, match), seats in groupby(
        rows.values_list("at", "match", "bot__slug", "place").iterator(), key=lambda row: row[:2]
    ):
        names, places = zip(*((name, place) for *_, name, place in seats), strict=True)
        found.append(Counted(at=place_on_ladder, match=match, names=names, places=places if all(places) else ()))
    return found


def read_match(ladder: LadderFold, match: str) -> Counted:
    """Return a match of a ladder; raises LookupError if it does not count there."""
    seats = list(RatedSeat.objects.filter(ladder=ladder, match=match).order_by("seat").select_related("bot"))
    if not seats:
        raise LookupError(f"match {match} does not count on the ladder of {ladder}")
    places = tuple(seat.place for seat in seats)
    names = tuple(seat.bot.slug for seat in seats)
    return Counted(at=seats[0].at, match=match, names=names, places=places if all(places) else ())


def read_stands(ladder: LadderFold, at: int, names: Collection[str]) -> dict[str, Stand]:
    """Return the state of those bots before a place of the order, if they had played."""
    with connection.cursor() as cursor:
        cursor.execute(STANDS, [ladder.pk, at, list(names)])
        return {name: Stand(*stand) for name, *stand in cursor.fetchall()}


def read_ratings(ladder: LadderFold, names: Collection[str]) -> dict[str, Stand]:
    """Return the final state of those bots that have played."""
    rows = Rating.objects.filter(game=ladder.game, season=ladder.season, bot__slug__in=names)
    return {name: Stand(*stand) for name, *stand in rows.values_list("bot__slug", "value", "matches", "wins")}


def store_seats(ladder: LadderFold, moved: Sequence[Moved]) -> None:
    """Store the effects of matches, replacing existing rows."""
    ids = find_bot_ids({name for one in moved for name in one.match.names})
    rows = (
        (one.match.at, seat, one.match.match, ids[name], place, len(one.match.names), before.value, *after)
        for one in moved
        for seat, (name, place, before, after) in enumerate(
            zip(one.match.names, one.match.places or (0,) * len(one.match.names), one.before, one.after, strict=True)
        )
    )
    _store(SEATS, (ladder.pk,), rows)


def store_meetings(ladder: LadderFold, came: Iterable[Counted], went: Iterable[Counted] = ()) -> None:
    """Add matches to the sums of meetings, and subtract others."""
    sums: dict[tuple[str, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for matches, sign in ((came, 1), (went, -1)):
        for match in matches:
            _meet(match, sign, sums)
    ids = find_bot_ids({name for pair in sums for name in pair})
    _store(MEETINGS, (ladder.pk,), ((ids[one], ids[other], *both) for (one, other), both in sorted(sums.items())))


def _meet(match: Counted, sign: int, sums: dict[tuple[str, str], tuple[int, int]]) -> None:
    seats = list(zip(match.names, match.places, strict=False))
    for at, (name, mine) in enumerate(seats):
        for other, theirs in (*seats[:at], *seats[at + 1 :]):
            if other != name:
                halves, of = sums[name, other]
                sums[name, other] = (halves + sign * (2 * (mine < theirs) + (mine == theirs)), of + sign)


def _store(statement: str, of: tuple[str | int, ...], rows: Iterable[tuple[object, ...]]) -> None:
    left = iter(rows)
    with connection.cursor() as cursor:
        while some := list(islice(left, AT_ONCE)):
            cursor.execute(statement, [*of, *(list(column) for column in zip(*some, strict=True))])


def store_ratings(ladder: LadderFold, stands: Mapping[str, Stand], last: Mapping[str, int]) -> None:
    """Store the final ratings, with each bot's last change, in one statement."""
    ids = find_bot_ids(stands)
    gone = [ids[name] for name, stand in stands.items() if not stand.matches]
    Rating.objects.filter(game=ladder.game, season=ladder.season, bot__in=gone).delete()
    rows = ((ids[name], *stand, last.get(name, 0)) for name, stand in stands.items() if stand.matches)
    _store(RATINGS, (ladder.game, ladder.season), rows)


def prune_seats(ladder: LadderFold, past: int) -> int:
    """Delete the matches before a place of the order that are not among a bot's last ones; returns how many rows."""
    ladder.pruned_before = past
    ladder.save(update_fields=("pruned_before",))
    with connection.cursor() as cursor:
        cursor.execute(PRUNE, {"ladder": ladder.pk, "past": past, "kept": KEPT})
        return int(cursor.rowcount)


def clear(ladder: LadderFold) -> None:
    """Delete everything projected from a ladder's stream."""
    RatedSeat.objects.filter(ladder=ladder).delete()
    MeetingSum.objects.filter(ladder=ladder).delete()
    Rating.objects.filter(game=ladder.game, season=ladder.season).delete()
