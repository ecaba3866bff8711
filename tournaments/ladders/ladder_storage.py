"""Database tables of a ladder: rating history, head-to-head records, and current ratings."""
# They are a projection of the ladder's stream. `tournaments.ladders.ladder_match_rating` updates and rebuilds them.

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby, islice

from django.db import connection
from django.db.models import QuerySet

from bots.versions.queries import find_bot_ids
from tournaments.ladders.match_rating_order import (
    MAX_KEPT_MATCHES,
    TOTALS,
    BotEloAndMatchCounts,
    MatchWithEloChange,
    OrderedLadderMatch,
)
from tournaments.models import HeadToHeadTotal, LadderProjection, RatedMatchSeat, Rating

ROWS_PER_STATEMENT = 20_000
"""Maximum number of rows that one SQL statement stores."""

STATES_SQL = f"""
SELECT bot.slug, last.* FROM bots_bot AS bot CROSS JOIN LATERAL (
    SELECT after, {", ".join(TOTALS)} FROM tournaments_ratedseat AS seat
    WHERE seat.ladder_id = %s AND seat.bot_id = bot.id AND seat.at < %s ORDER BY seat.at DESC LIMIT 1
) AS last
WHERE bot.slug = ANY(%s)
"""  # noqa: S608 - built from constants
LAST_CHANGES_SQL = """
SELECT bot.slug, last.change FROM bots_bot AS bot CROSS JOIN LATERAL (
    SELECT after - before AS change FROM tournaments_ratedseat AS seat
    WHERE seat.ladder_id = %s AND seat.bot_id = bot.id AND seat.place > 0 ORDER BY seat.at DESC LIMIT 1
) AS last
WHERE bot.slug = ANY(%s)
"""
MEETINGS_SQL = """
INSERT INTO tournaments_meetingsum AS old (ladder_id, bot_id, other_id, halves, matches)
SELECT %s, new.* FROM unnest(
    %s::bigint[], %s::bigint[], %s::int[], %s::int[]
) AS new (bot_id, other_id, halves, matches)
ON CONFLICT (ladder_id, bot_id, other_id) DO UPDATE SET
    halves = old.halves + EXCLUDED.halves, matches = old.matches + EXCLUDED.matches
"""
PRUNE_SQL = """
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
"""Statement that deletes old rows. It deletes all rows of a match, or none of them."""


def _make_upsert(table: str, shared: Sequence[str], fixed: Sequence[str], updated: Sequence[str], key: str) -> str:
    """Return an SQL statement that inserts many rows, or updates rows whose key exists."""
    # Parameters: one value for each column in `shared`, then one array of values for each column in `fixed` and
    # `updated`.
    columns = (*fixed, *updated)
    old, new = (", ".join(f"{row}.{column}" for column in updated) for row in ("old", "EXCLUDED"))
    return f"""
INSERT INTO {table} AS old ({", ".join((*shared, *columns))})
SELECT {"%s, " * len(shared)} new.*
FROM unnest({", ".join("%s::text[]" if column == "match" else "%s::bigint[]" for column in columns)}) AS new
ON CONFLICT ({key}) DO UPDATE SET ({", ".join(updated)}) = ROW ({new}) WHERE ({old}) IS DISTINCT FROM ({new})
"""  # noqa: S608 - built from constants


SEATS_SQL = _make_upsert(
    "tournaments_ratedseat",
    ("ladder_id",),
    ("at", "seat", "match", "bot_id", "seats"),
    ("place", "before", "after", *TOTALS),
    "ladder_id, at, seat",
)
RATINGS_SQL = _make_upsert(
    "tournaments_rating",
    ("game", "season"),
    ("bot_id",),
    (*BotEloAndMatchCounts._fields, "last_delta"),
    "bot_id, season",
)


def read_from(ladder: LadderProjection, at: int) -> list[OrderedLadderMatch]:
    """Return a ladder's matches from position `at` on, in the order in which they were rated."""
    return _read_matches(RatedMatchSeat.objects.filter(ladder=ladder, at__gte=at))


def _read_matches(seats: QuerySet[RatedMatchSeat]) -> list[OrderedLadderMatch]:
    rows = seats.order_by("at", "seat").values_list("at", "match", "bot__slug", "place")
    matches = []
    for (at, match), table in groupby(rows.iterator(), key=lambda row: row[:2]):
        names, places = zip(*((name, place) for *_, name, place in table), strict=True)
        matches.append(OrderedLadderMatch(at=at, match=match, names=names, places=places if all(places) else ()))
    return matches


def read_match(ladder: LadderProjection, match: str) -> OrderedLadderMatch:
    """Return one match of a ladder; raises LookupError if the database tables do not contain it."""
    matches = _read_matches(RatedMatchSeat.objects.filter(ladder=ladder, match=match))
    if not matches:
        raise LookupError(f"match {match} does not count on the ladder of {ladder}")
    return matches[0]


def read_states(ladder: LadderProjection, at: int, names: Collection[str]) -> dict[str, BotEloAndMatchCounts]:
    """Return the Elo rating, matches and wins of each bot before a match, by slug.

    `at` is the position of the match in the rating order. Bots without earlier matches are left out.
    """
    with connection.cursor() as cursor:
        cursor.execute(STATES_SQL, [ladder.pk, at, list(names)])
        return {name: BotEloAndMatchCounts(*stand) for name, *stand in cursor.fetchall()}


def read_last_changes(ladder: LadderProjection, names: Collection[str]) -> dict[str, int]:
    """Return the rating change of each bot in its latest match whose result counts, by slug of the bot."""
    with connection.cursor() as cursor:
        cursor.execute(LAST_CHANGES_SQL, [ladder.pk, list(names)])
        return dict(cursor.fetchall())


def store_seats(ladder: LadderProjection, rated_matches: Sequence[MatchWithEloChange]) -> None:
    """Store each bot's rating before and after these matches; replace existing rows."""
    ids = find_bot_ids({name for rated in rated_matches for name in rated.match.names})
    rows = (
        (rated.match.at, seat, rated.match.match, ids[name], len(rated.match.names), place, before.value, *after)
        for rated in rated_matches
        for seat, (name, place, before, after) in enumerate(
            zip(
                rated.match.names,
                rated.match.places or (0,) * len(rated.match.names),
                rated.before,
                rated.after,
                strict=True,
            )
        )
    )
    _execute_in_batches(SEATS_SQL, (ladder.pk,), rows)


def store_meetings(
    ladder: LadderProjection, added: Iterable[OrderedLadderMatch], removed: Iterable[OrderedLadderMatch] = ()
) -> None:
    """Add the results of matches to the head-to-head records of their bots.

    The results of the matches in `removed` are subtracted.
    """
    sums: dict[tuple[str, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for matches, sign in ((added, 1), (removed, -1)):
        for match in matches:
            _add_meetings(match, sign, sums)
    ids = find_bot_ids({name for pair in sums for name in pair})
    _execute_in_batches(
        MEETINGS_SQL,
        (ladder.pk,),
        ((ids[bot], ids[opponent], *results) for (bot, opponent), results in sorted(sums.items())),
    )


def _add_meetings(match: OrderedLadderMatch, sign: int, sums: dict[tuple[str, str], tuple[int, int]]) -> None:
    seats = list(zip(match.names, match.places, strict=False))
    for at, (name, place) in enumerate(seats):
        for opponent, opponent_place in (*seats[:at], *seats[at + 1 :]):
            if opponent != name:
                halves, count = sums[name, opponent]
                sums[name, opponent] = (
                    halves + sign * (2 * (place < opponent_place) + (place == opponent_place)),
                    count + sign,
                )


def _execute_in_batches(statement: str, parameters: tuple[str | int, ...], rows: Iterable[tuple[object, ...]]) -> None:
    remaining = iter(rows)
    with connection.cursor() as cursor:
        while batch := list(islice(remaining, ROWS_PER_STATEMENT)):
            cursor.execute(statement, [*parameters, *(list(column) for column in zip(*batch, strict=True))])


def store_ratings(
    ladder: LadderProjection, states: Mapping[str, BotEloAndMatchCounts], last_changes: Mapping[str, int]
) -> None:
    """Store the bots' current Elo ratings and last changes; delete ratings of bots without a match."""
    ids = find_bot_ids(states)
    unrated = [ids[name] for name, state in states.items() if not state.matches]
    Rating.objects.filter(game=ladder.game, season=ladder.season, bot__in=unrated).delete()
    rows = ((ids[name], *state, last_changes.get(name, 0)) for name, state in states.items() if state.matches)
    _execute_in_batches(RATINGS_SQL, (ladder.game, ladder.season), rows)


def prune_seats(ladder: LadderProjection, place: int) -> int:
    """Delete a ladder's matches before a position in the rating order; return the number of deleted rows.

    The latest `MAX_KEPT_MATCHES` matches of each bot stay, because pages show them.
    """
    ladder.pruned_before = place
    ladder.save(update_fields=("pruned_before",))
    with connection.cursor() as cursor:
        cursor.execute(PRUNE_SQL, {"ladder": ladder.pk, "past": place, "kept": MAX_KEPT_MATCHES})
        return int(cursor.rowcount)


def delete_tables(ladder: LadderProjection) -> None:
    """Delete all database rows of a ladder."""
    RatedMatchSeat.objects.filter(ladder=ladder).delete()
    HeadToHeadTotal.objects.filter(ladder=ladder).delete()
    Rating.objects.filter(game=ladder.game, season=ladder.season).delete()
