"""History of a ladder for pages; queries read only the rows that are shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import NamedTuple

from django.db import connection

from tournaments.elo import MILLION, expected
from tournaments.models import ALL_TIME, MeetingSum

SEATS = 8
"""Rows read for each win wanted: a match has as many rows as seats, and may end in a tie."""

STEPS = """
SELECT ladder.season, bot.slug, last.match, last.before, last.after, last.place, last.seats
FROM tournaments_ladderfold AS ladder JOIN bots_bot AS bot ON bot.slug = ANY(%s) CROSS JOIN LATERAL (
    SELECT at, seat, match, before, after, place, seats FROM tournaments_ratedseat AS seat
    WHERE seat.ladder_id = ladder.id AND seat.bot_id = bot.id AND seat.place > 0 ORDER BY at DESC, seat DESC LIMIT %s
) AS last
WHERE ladder.game = %s AND ladder.season = ANY(%s) ORDER BY last.at, last.seat
"""
LAST = """
SELECT ladder.game, last.match, last.seats, last.place, bot.slug, last.before
FROM tournaments_ladderfold AS ladder CROSS JOIN LATERAL (
    SELECT at, seat, match, seats, place, bot_id, before FROM tournaments_ratedseat AS seat
    WHERE seat.ladder_id = ladder.id ORDER BY at DESC, seat DESC LIMIT %s
) AS last JOIN bots_bot AS bot ON bot.id = last.bot_id
WHERE ladder.game = ANY(%s) AND ladder.season = %s ORDER BY ladder.game, last.at, last.seat
"""


class Step(NamedTuple):
    """Effect of one match on one bot's rating."""

    match: str
    before: int
    """In thousandths of a point."""
    after: int
    place: int
    seats: int


class Win(NamedTuple):
    """Sole winner of a match, and how likely that was."""

    match: str
    name: str
    share: float
    """Expected share of opponents that the winner leaves behind."""


Steps = dict[tuple[str, str], list[Step]]
"""By season and name, oldest first; empty for bots that have not played."""
Meetings = dict[tuple[str, str], tuple[int, int]]
"""By bot and opponent: half points won, and matches."""


def read_steps(game: str, seasons: Collection[str], names: Collection[str], most: int) -> Steps:
    """Return the last steps of these bots on the ladders of these seasons."""
    found: Steps = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(STEPS, [list(names), most, game, list(seasons)])
        for season, name, *step in cursor.fetchall():
            found[season, name].append(Step(*step))
    return found


def read_meetings(game: str, season: str, names: Collection[str]) -> Meetings:
    """Return the results of these bots against each other."""
    rows = MeetingSum.objects.filter(ladder__game=game, ladder__season=season, matches__gt=0)
    met = rows.filter(bot__slug__in=names, other__slug__in=names)
    columns = met.values_list("bot__slug", "other__slug", "halves", "matches")
    return {(one, other): (halves, of) for one, other, halves, of in columns}


def read_rivals(game: str, season: str, name: str, most: int) -> dict[str, tuple[int, int]]:
    """Return a bot's most frequent opponents with its results, most frequent first."""
    rows = MeetingSum.objects.filter(ladder__game=game, ladder__season=season, bot__slug=name, matches__gt=0)
    met = rows.order_by("-matches", "other__slug").values_list("other__slug", "halves", "matches")[:most]
    return {other: (halves, of) for other, halves, of in met}


def read_wins(games: Collection[str], most: int) -> dict[str, list[Win]]:
    """Return by game the last matches of its all-time ladder with a sole winner, latest last."""
    with connection.cursor() as cursor:
        cursor.execute(LAST, [SEATS * most, list(games), ALL_TIME])
        rows = cursor.fetchall()
    wins: dict[str, list[Win]] = {game: [] for game in games}
    for (game, match, seats), table in groupby(rows, key=lambda row: row[:3]):
        sat = [(place, name, before) for *_, place, name, before in table]
        if len(sat) == seats and [place for place, *_ in sat].count(1) == 1:
            wins[game].append(_win(match, sat))
    return {game: found[-most:] for game, found in wins.items()}


def _win(match: str, sat: Sequence[tuple[int, str, int]]) -> Win:
    _, name, before = min(sat)
    shares = [expected(round((before - other) / 1000)) / MILLION for place, _, other in sat if place > 1]
    return Win(match, name, sum(shares) / len(shares))
