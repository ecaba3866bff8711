"""Queries about rated matches: rating histories, head-to-head records, surprising wins, and leading bots."""
# Each query reads only as many rows as one page needs.

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from django.db import connection

from ftk_core.games import list_games
from tournaments.ladders.elo_ratings import MILLION, compute_expected_score
from tournaments.models import ALL_TIME, CourtRating, HeadToHeadTotal

ROWS_PER_WIN = 8
"""Number of rows to read for each requested sole win: a match has one row per seat, and may have no sole winner."""

STEPS_SQL = """
SELECT ladder.season, bot.slug, last.match, last.before, last.after, last.place, last.seats
FROM tournaments_ladderfold AS ladder JOIN bots_bot AS bot ON bot.slug = ANY(%s) CROSS JOIN LATERAL (
    SELECT at, seat, match, before, after, place, seats FROM tournaments_ratedseat AS seat
    WHERE seat.ladder_id = ladder.id AND seat.bot_id = bot.id AND seat.place > 0 ORDER BY at DESC, seat DESC LIMIT %s
) AS last
WHERE ladder.game = %s AND ladder.season = ANY(%s) ORDER BY last.at, last.seat
"""
LAST_MATCHES_SQL = """
SELECT ladder.game, last.match, last.seats, last.place, bot.slug, last.before
FROM tournaments_ladderfold AS ladder CROSS JOIN LATERAL (
    SELECT at, seat, match, seats, place, bot_id, before FROM tournaments_ratedseat AS seat
    WHERE seat.ladder_id = ladder.id ORDER BY at DESC, seat DESC LIMIT %s
) AS last JOIN bots_bot AS bot ON bot.id = last.bot_id
WHERE ladder.game = ANY(%s) AND ladder.season = %s ORDER BY ladder.game, last.at, last.seat
"""
RIVALRY_SQL = """
WITH latest AS (
    SELECT ladder.game, last.match, last.bot_id, last.place
    FROM tournaments_ladderfold AS ladder CROSS JOIN LATERAL (
        SELECT match, bot_id, place FROM tournaments_ratedseat AS seat
        WHERE seat.ladder_id = ladder.id ORDER BY at DESC, seat DESC LIMIT %s
    ) AS last
    WHERE ladder.game = ANY(%s) AND ladder.season = %s AND last.place > 0
    AND (SELECT closed_at FROM replays_match AS match WHERE match.id = last.match) >= %s
)
SELECT one.game, bot.slug, rival.slug, count(*) AS meetings,
    count(*) FILTER (WHERE one.place < other.place) AS ahead, count(*) FILTER (WHERE one.place > other.place) AS behind
FROM latest AS one JOIN latest AS other ON other.match = one.match AND other.bot_id > one.bot_id
JOIN bots_bot AS bot ON bot.id = one.bot_id JOIN bots_bot AS rival ON rival.id = other.bot_id
GROUP BY one.game, bot.slug, rival.slug HAVING count(*) >= %s
ORDER BY meetings DESC, abs(count(*) FILTER (WHERE one.place < other.place)
    - count(*) FILTER (WHERE one.place > other.place)), bot.slug, rival.slug
LIMIT 1
"""
"""SQL query for the pair of bots that met most often since a time; among equal pairs, the one with closest results."""


class EloRatingChange(NamedTuple):
    """Change of a bot's Elo rating by one match, with the bot's place."""

    match: str
    before: int
    """Rating in thousandths of a point, like `after`."""
    after: int
    place: int
    seats: int


class SingleWinnerMatch(NamedTuple):
    """A match that one bot won alone."""

    match: str
    name: str
    share: float
    """Share of opponents, from 0 to 1, that the winner was expected to finish ahead of."""


class BotRivalry(NamedTuple):
    """Two bots that met often, and how often each finished ahead of the other."""

    game: str
    name: str
    rival: str
    meetings: int
    ahead: int
    """Number of matches in which `name` finished ahead of `rival`."""
    behind: int


StepsByBot = dict[tuple[str, str], list[EloRatingChange]]
"""Rating steps by (season, bot slug), oldest first; empty for bots that have not played."""
MeetingsByPair = dict[tuple[str, str], tuple[int, int]]
"""Dict from (bot, opponent), both slugs, to (half points that the bot won, number of matches)."""


def read_steps(game: str, seasons: Collection[str], names: Collection[str], limit: int) -> StepsByBot:
    """Return the latest Elo rating changes of bots by (season, bot slug), oldest first.

    Each list has at most `limit` changes.
    """
    steps: StepsByBot = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(STEPS_SQL, [list(names), limit, game, list(seasons)])
        for season, name, *step in cursor.fetchall():
            steps[season, name].append(EloRatingChange(*step))
    return steps


def read_meetings(game: str, season: str, names: Collection[str]) -> MeetingsByPair:
    """Return the head-to-head records of bots: (half points, matches) by (bot, opponent).

    A place ahead of the opponent gives two half points, a shared place one.
    """
    rows = HeadToHeadTotal.objects.filter(ladder__game=game, ladder__season=season, matches__gt=0)
    met = rows.filter(bot__slug__in=names, other__slug__in=names)
    columns = met.values_list("bot__slug", "other__slug", "halves", "matches")
    return {(one, other): (halves, of) for one, other, halves, of in columns}


def read_rivals(game: str, season: str, name: str, limit: int) -> dict[str, tuple[int, int]]:
    """Return a bot's results against its most frequent opponents: (half points, matches) by slug of the opponent.

    The bot gets two half points for a place ahead of the opponent, and one for a shared place.
    """
    rows = HeadToHeadTotal.objects.filter(ladder__game=game, ladder__season=season, bot__slug=name, matches__gt=0)
    rivals = rows.order_by("-matches", "other__slug").values_list("other__slug", "halves", "matches")[:limit]
    return {other: (halves, of) for other, halves, of in rivals}


def read_sole_wins(games: Collection[str], limit: int) -> dict[str, list[SingleWinnerMatch]]:
    """Return each game's latest rated league matches with only one winner, oldest first.

    Only the latest matches of each game are searched. Each list has at most `limit` matches.
    """
    with connection.cursor() as cursor:
        cursor.execute(LAST_MATCHES_SQL, [ROWS_PER_WIN * limit, list(games), ALL_TIME])
        rows = cursor.fetchall()
    wins: dict[str, list[SingleWinnerMatch]] = {game: [] for game in games}
    for (game, match, seats), table in groupby(rows, key=lambda row: row[:3]):
        seats_of_match = [(place, name, before) for *_, place, name, before in table]
        if len(seats_of_match) == seats and [place for place, *_ in seats_of_match].count(1) == 1:
            wins[game].append(_make_win(match, seats_of_match))
    return {game: game_wins[-limit:] for game, game_wins in wins.items()}


def read_rivalry(games: Collection[str], since: datetime, seats: int, min_meetings: int) -> BotRivalry | None:
    """Return the two bots with the most meetings since `since`; None if no two bots met `min_meetings` times."""
    # For each game, only the latest all-time matches are searched, with at most `seats` seats in all.
    with connection.cursor() as cursor:
        cursor.execute(RIVALRY_SQL, [seats, list(games), ALL_TIME, since, min_meetings])
        row = cursor.fetchone()
    return BotRivalry(*row) if row else None


def read_court_ratings(names: Collection[str]) -> dict[str, str]:
    """Return fitted all-time ratings as text in whole points, by bot slug."""
    rows = CourtRating.objects.filter(bot__slug__in=names, season=ALL_TIME).values_list("bot__slug", "value")
    return {name: f"{value / 100:.0f}" for name, value in rows}


def _make_win(match: str, seats_of_match: Sequence[tuple[int, str, int]]) -> SingleWinnerMatch:
    _, name, before = min(seats_of_match)
    shares = [
        compute_expected_score(round((before - other) / 1000)) / MILLION
        for place, _, other in seats_of_match
        if place > 1
    ]
    return SingleWinnerMatch(match, name, sum(shares) / len(shares))


def find_leaders() -> dict[str, str]:
    """Return the slug of the bot with the best all-time rating, by game. Games without ratings are left out."""
    rows = CourtRating.objects.filter(season=ALL_TIME, game__in=list_games())
    best = rows.order_by("game", "-value", "bot__slug").distinct("game")
    return dict(best.values_list("game", "bot__slug"))
