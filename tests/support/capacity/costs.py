"""What a match costs, what an idle arena costs, and what one PostgreSQL can do: all from one arena in one run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

import psycopg

from tests.support.arena import Arena
from tests.support.capacity.arena import Shape, Window, database_of, play, told, until_rested, windowed
from tests.support.capacity.counted import floor, overheard
from tests.support.prepared import asked
from tests.support.waiting import until

IDLE_SECONDS = 15.0
WARM = Shape(slug="warm", game="pig", seats=2, bots=8, rounds=1)
GAMES = (
    Shape(slug="pigs", game="pig", seats=2, bots=32, rounds=3, games=2),
    Shape(slug="kings", game="for_the_king", seats=5, bots=20, rounds=2, games=2),
)
HEARD = (
    Shape(slug="pigs-heard", game="pig", seats=2, bots=32, rounds=1, games=1),
    Shape(slug="kings-heard", game="for_the_king", seats=5, bots=20, rounds=1, games=1),
)
"""The same leagues, shorter, in which every statement is logged."""
TRIES, DISTURBED = 2, 0.25
"""A league is played again while strangers take more of the machine's processors than this part."""
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
    """What one match of a game costs on the average, what the arena spends at rest taken off."""

    league: str
    """Which it was."""
    game: str
    seats: int
    matches: int
    """From how many it was reckoned."""
    entries: float
    pages: float
    seconds: float
    """From opening to closing."""
    processors: dict[str, float]
    """Processor seconds by role."""
    statements: float
    commits: float
    bells: float
    """Messages of the broker."""
    pokes: float
    """Messages to web servers that a match goes on."""
    wal: float
    """Bytes that the database writes ahead."""
    stored: float
    """Bytes by which its tables and indexes grow."""
    body: float
    """Bytes of its log."""
    choices: float
    """Questions that its bots answered."""
    archived: float = 0.0
    """Bytes of its block in the archive."""
    kept: float = 0.0
    """Bytes that stay in tables and indexes then."""

    @property
    def processor(self) -> float:
        """Seconds of a worker host's processor: bots and worker."""
        return self.processors["bots"] + self.processors["worker"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """What one PostgreSQL does here in a second."""

    reads: float
    appends: float


def measured_floor(arena: Arena) -> Floor:
    """Ask the arena's own PostgreSQL for all it can while nothing else is asked of it."""
    until_rested(arena)
    reads, appends = floor(arena.database, 4000)
    return Floor(reads=reads, appends=appends)


def idle(arena: Arena) -> Window:
    """Return what an arena spends in which nothing happens."""
    with windowed(arena) as found:
        until(monotonic() + IDLE_SECONDS)
    return found[0]


def undisturbed(arena: Arena, shape: Shape) -> tuple[Shape, Window]:
    """Play a league, again where strangers kept the machine busy; return the one that was disturbed least."""
    tries = list[tuple[Shape, Window]]()
    for number in range(TRIES):
        again = replace(shape, slug=f"{shape.slug}-{number}")
        with windowed(arena) as found:
            play(arena, again)
        tries.append((again, found[0]))
        if found[0].disturbed <= DISTURBED:
            break
    return min(tries, key=lambda one: one[1].disturbed)


def cost(arena: Arena, shape: Shape, short: Shape, rest: Window) -> tuple[MatchCost, Window]:
    """Play a league of a game, and a short one whose statements are counted; return what a match cost."""
    shape, window = undisturbed(arena, shape)
    until_rested(arena)
    with overheard(arena.database, arena.var / "postgres" / "postgres.log") as heard:
        started = monotonic()
        play(arena, short)
        lasted = monotonic() - started
    until_rested(arena)
    with overheard(arena.database, arena.var / "postgres" / "postgres.log") as still:
        until(monotonic() + IDLE_SECONDS)
    ((matches, entries, body, pages, seconds, choices),) = asked(arena, PLAYED.format(slug=shape.slug))
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


def archived(folder: Path, games: list[str]) -> dict[str, float]:
    """Put every match of a stopped arena into its archive; return the mean bytes of a block by game."""
    with database_of(folder) as server:
        for game in games:
            told(folder, server.url, "manage.py", "archive", "--train", game)
        told(folder, server.url, "manage.py", "archive", "--older-than", "0d")
        with psycopg.connect(server.url) as connection:
            return dict(connection.execute(BLOCKS.encode()).fetchall())


def kept(folder: Path, game: str, seats: int) -> float:
    """Return the bytes of a match that stay in the database of a stopped arena once it is in the archive."""
    with database_of(folder) as server:
        words = ("kept", game, str(seats), str(KEPT_ROUNDS))
        return float(told(folder, server.url, "-m", "tests.support.capacity.leagues", *words))


@dataclass(frozen=True, slots=True, kw_only=True)
class Locks:
    """For how many seconds a league is locked."""

    entries: int
    """So many bots play in it."""
    record: float
    more: float
    turn: float


def locks(folder: Path, entries: int) -> Locks:
    """Measure them in the database of a stopped arena."""
    with database_of(folder) as server:
        said = told(folder, server.url, "-m", "tests.support.capacity.leagues", "locks", str(entries))
    record, more, turn = map(float, said.split())
    return Locks(entries=entries, record=record, more=more, turn=turn)
