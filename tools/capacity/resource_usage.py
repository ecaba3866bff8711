"""Measurement of the cost of a match, of a site at rest, and of PostgreSQL's speed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

import psycopg

from tests.support.arena import Arena
from tests.support.prepared_leagues import query_database
from tests.support.waiting import until
from tools.capacity.arena_measurement import (
    ArenaMeasurement,
    MeasuredLeagueSettings,
    measure_window,
    play_league,
    run_database,
    run_program,
    wait_until_idle,
)
from tools.capacity.database_activity_measurement import count_statements, measure_database_rates

IDLE_SECONDS = 15.0
WARM = MeasuredLeagueSettings(slug="warm", game="pig", seats=2, bots=8, rounds=1)
GAMES = (
    MeasuredLeagueSettings(slug="pigs", game="pig", seats=2, bots=32, rounds=3, games=2),
    MeasuredLeagueSettings(slug="kings", game="for_the_king", seats=5, bots=20, rounds=2, games=2),
)
STATEMENT_LOG_LEAGUES = (
    MeasuredLeagueSettings(slug="pigs-heard", game="pig", seats=2, bots=32, rounds=1, games=1),
    MeasuredLeagueSettings(slug="kings-heard", game="for_the_king", seats=5, bots=20, rounds=1, games=1),
)
"""Short leagues of the measured games. PostgreSQL logs all statements while they are played, so that the statements can
be counted."""
TRIES, DISTURBED = 2, 0.25
"""Maximum number of measurements of a league (`TRIES`). A measurement is repeated if other programs used more than the
share `DISTURBED` of the processors."""
KEPT_ROUNDS = 20
ROLES = ("bots", "worker", "house", "database")
PLAYED = """
SELECT count(DISTINCT m.id)::float8, sum(p.last - p.first + 1)::float8, sum(length(p.body))::float8, count(*)::float8,
       (SELECT avg(extract(epoch FROM q.closed_at - q.opened_at))::float8 FROM replays_match AS q
        JOIN tournaments_tablematch AS u ON u.match_id = q.id JOIN tournaments_league AS k ON k.id = u.league_id
        WHERE k.slug = '{slug}'),
       sum((SELECT count(*) FROM regexp_matches(convert_from(p.body, 'UTF8'), '^{{"kind":"chose"', 'gn')))::float8
FROM replays_match AS m JOIN tournaments_tablematch AS t ON t.match_id = m.id
JOIN tournaments_league AS l ON l.id = t.league_id JOIN replays_page AS p ON p.stream_id = 'match/' || m.id
WHERE l.slug = '{slug}'
"""
BLOCKS = """
SELECT m.game, avg(b.size)::float8 FROM replays_block AS b JOIN replays_match AS m ON b.stream_id = 'match/' || m.id
GROUP BY 1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCost:
    """Mean cost of one match of a game, without the cost of the idle site."""

    league: str
    """Slug of the league in which the matches were played."""
    game: str
    seats: int
    matches: int
    """Number of matches over which the means were taken."""
    entries: float
    pages: float
    seconds: float
    """Duration from opening to closing."""
    processors: dict[str, float]
    """Processor seconds by role (kind of process)."""
    statements: float
    commits: float
    bells: float
    """Task messages through the broker."""
    pokes: float
    """Notifications to web servers that the match has new log entries."""
    wal: float
    """Bytes of PostgreSQL's write-ahead log."""
    stored: float
    """Bytes by which tables and indexes grow."""
    body: float
    """Bytes of the match's log."""
    choices: float
    """Number of decisions that the bots made."""
    archived: float = 0.0
    """Bytes of the match's compressed log in the archive."""
    kept: float = 0.0
    """Bytes that stay in tables and indexes after the match is archived."""

    @property
    def processor(self) -> float:
        """Processor seconds of the bots and of the match worker together."""
        return self.processors["bots"] + self.processors["worker"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseThroughput:
    """Maximum numbers of reads by primary key and of committed appends per second, on one PostgreSQL server."""

    reads: float
    appends: float


def measure_database_limits(arena: Arena) -> DatabaseThroughput:
    """Measure the maximum speed of a site's PostgreSQL while it has no other load."""
    wait_until_idle(arena)
    reads, appends = measure_database_rates(arena.database, 4000)
    return DatabaseThroughput(reads=reads, appends=appends)


def measure_idle_arena(arena: Arena) -> ArenaMeasurement:
    """Measure the processor time and database counters of a site without matches."""
    with measure_window(arena) as found:
        until(monotonic() + IDLE_SECONDS)
    return found[0]


def play_undisturbed(arena: Arena, shape: MeasuredLeagueSettings) -> tuple[MeasuredLeagueSettings, ArenaMeasurement]:
    """Play and measure a league. If other programs used much processor time meanwhile, play the league once more.

    Return (settings, measurement) of the attempt that was disturbed least.
    """
    tries = list[tuple[MeasuredLeagueSettings, ArenaMeasurement]]()
    for number in range(TRIES):
        again = replace(shape, slug=f"{shape.slug}-{number}")
        with measure_window(arena) as found:
            play_league(arena, again)
        tries.append((again, found[0]))
        if found[0].disturbed <= DISTURBED:
            break
    return min(tries, key=lambda one: one[1].disturbed)


def measure_match_cost(
    arena: Arena, shape: MeasuredLeagueSettings, short: MeasuredLeagueSettings, rest: ArenaMeasurement
) -> tuple[MatchCost, ArenaMeasurement]:
    """Measure the mean cost of a match, without the cost of the idle site.

    `rest` is the measurement of the idle site. Return (cost, measurement of the league).
    """
    # SQL statements are counted in a second league, `short`, because their logging takes time.
    shape, window = play_undisturbed(arena, shape)
    wait_until_idle(arena)
    with count_statements(arena.database, arena.var / "postgres" / "postgres.log") as heard:
        started = monotonic()
        play_league(arena, short)
        lasted = monotonic() - started
    wait_until_idle(arena)
    with count_statements(arena.database, arena.var / "postgres" / "postgres.log") as still:
        until(monotonic() + IDLE_SECONDS)
    ((matches, entries, body, pages, seconds, choices),) = query_database(arena, PLAYED.format(slug=shape.slug))
    share, more = window.seconds / rest.seconds, short.a_round * short.rounds
    said = {name: (heard[name] - still[name] * lasted / IDLE_SECONDS) for name in ("all", "pokes")}
    processors = {
        role: max(0.0, window.processors.get(role, 0) - share * rest.processors.get(role, 0)) / matches
        for role in ROLES
    }
    counts = {name: max(0.0, window.counts[name] - share * rest.counts[name]) / matches for name in window.counts}
    return MatchCost(
        league=shape.slug,
        game=shape.game,
        seats=shape.seats,
        matches=int(matches),
        entries=entries / matches,
        pages=pages / matches,
        seconds=seconds,
        processors=processors,
        statements=said["all"] / more,
        pokes=max(0.0, said["pokes"]) / more,
        body=body / matches,
        choices=choices / matches,
        **counts,
    ), window


def measure_archived_bytes(folder: Path, games: list[str]) -> dict[str, float]:
    """Archive every match of a stopped site. Return the mean bytes of an archived match by game."""
    with run_database(folder) as server:
        for game in games:
            run_program(folder, server.url, "manage.py", "archive", "--train", game)
        run_program(folder, server.url, "manage.py", "archive", "--older-than", "0d")
        with psycopg.connect(server.url) as connection:
            return dict(connection.execute(BLOCKS.encode()).fetchall())


def measure_stored_bytes(folder: Path, game: str, seats: int) -> float:
    """Return the bytes per match that stay in the database after archiving.

    The site in `folder` must be stopped.
    """
    with run_database(folder) as server:
        words = ("kept", game, str(seats), str(KEPT_ROUNDS))
        return float(run_program(folder, server.url, "-m", "tools.capacity.league_cost_measurement", *words))


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueLockTimes:
    """Seconds for which a league is locked while results are recorded or its round is closed."""

    entries: int
    """Number of bots in the league."""
    record: float
    """Seconds to record one result."""
    more: float
    """Seconds to record each further result in the same transaction."""
    turn: float
    """Seconds to close a round and pair the next one."""


def measure_lock_times(folder: Path, entries: int) -> LeagueLockTimes:
    """Measure how long a league of `entries` bots is locked while results are recorded.

    The site in `folder` must be stopped.
    """
    with run_database(folder) as server:
        said = run_program(folder, server.url, "-m", "tools.capacity.league_cost_measurement", "locks", str(entries))
    record, more, turn = map(float, said.split())
    return LeagueLockTimes(entries=entries, record=record, more=more, turn=turn)
