"""Measurement of the web server's cost for people who watch a live match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.support.arena import Arena
from tests.support.prepared_leagues import query_database
from tests.support.sockets import PING, PONG, RawSocket
from tests.support.waiting import wait_for
from tools.bench.websocket_load_test import LoadTestConnections
from tools.capacity.arena_measurement import (
    ArenaMeasurement,
    MeasuredLeagueSettings,
    is_over,
    measure_window,
    start_league,
)
from tools.capacity.process_cpu_time import read_resident_bytes

Figures = Mapping[str, float]
CROWDS = (50, 500)
WINDOW_SECONDS = 12.0
SETTLED_SECONDS = 2.0
WATCHED_LEAGUE = MeasuredLeagueSettings(
    slug="shown", game="for_the_king", seats=5, bots=5, rounds=1, games=1, pace_ms=200
)
MATCH = """
SELECT m.id FROM replays_match AS m JOIN tournaments_tablematch AS t ON t.match_id = m.id
JOIN tournaments_league AS l ON l.id = t.league_id JOIN replays_stream AS s ON s.id = 'match/' || m.id
WHERE l.slug = '{slug}' AND m.status = 'playing' AND s.length > 5
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpectatorCost:
    """Cost of one live match with many watchers over WebSockets: processor time, memory and bytes sent."""

    entries: float
    """Log entries of the match that are shown per second."""
    watcher: float
    """Processor seconds of the web server per watcher and entry."""
    entry: float
    """Processor seconds of the web server per entry, independent of the number of watchers."""
    crowd: int
    """Number of watchers in the larger crowd, from which the bytes were measured."""
    wire: float
    """Bytes sent per watcher and entry."""
    rate: float
    """Bytes per second sent to one watcher of this match."""
    memory: float
    """Memory of the web server in bytes per additional watcher."""
    playing: float
    """Processors used by the bots and the worker to play this match at its pace."""
    database: float
    """Processors used by the database for this match, with the smaller crowd."""
    commits: float
    """Commits per second for this match, with the smaller crowd."""


class TrafficCountingSubscribers(LoadTestConnections):
    """WebSocket subscribers of a match that only count the bytes and log entries that they receive."""

    def __init__(self, port: int, match: str) -> None:
        super().__init__(lambda: self._sit_down(port, match))
        self.bytes, self.entries = 0, 0

    @staticmethod
    def _sit_down(port: int, match: str) -> RawSocket:
        watcher = RawSocket(port, f"/ws/match/{match}/")
        watcher.watch()
        return watcher

    def _hear(self, watcher: RawSocket) -> None:
        chunk = watcher.socket.recv(1 << 20)
        assert chunk, "the server hung up"
        self.bytes += len(chunk)
        for kind, body in watcher.take(chunk):
            if kind == PING:
                watcher.send(body, PONG)
            else:
                self.entries += body.count(b'"at":')

    def listen(self, seconds: float) -> tuple[int, int]:
        """Listen for some seconds; return the total bytes and entries that all subscribers together received."""
        before = self.bytes, self.entries
        self._listen(seconds)
        return self.bytes - before[0], self.entries - before[1]


def measure_spectators(arena: Arena, rest: ArenaMeasurement) -> SpectatorCost:
    """Measure a live match with few and with many watchers. Return the cost of watching.

    `rest` is the measurement of the idle site.
    """
    start_league(arena, WATCHED_LEAGUE)
    ((match,),) = wait_for(
        lambda: query_database(arena, MATCH.format(slug=WATCHED_LEAGUE.slug)), "a match to watch", 60
    )
    audience = TrafficCountingSubscribers(arena.port, match)
    figures, sizes = list[tuple[int, ArenaMeasurement, int, int]](), list[float]()
    try:
        for size in CROWDS:
            audience.grow(size)
            audience.listen(SETTLED_SECONDS)
            with measure_window(arena) as found:
                heard = audience.listen(WINDOW_SECONDS)
            figures.append((size, found[0], *heard))
            sizes.append(read_resident_bytes(arena.process.pid, "web"))
        assert not is_over(arena, WATCHED_LEAGUE), "the match was over before it was measured"
    finally:
        audience.close()
    return compute_spectator_cost(figures, max(0.0, sizes[1] - sizes[0]) / (CROWDS[1] - CROWDS[0]), rest)


def compute_spectator_cost(
    figures: list[tuple[int, ArenaMeasurement, int, int]], memory: float, rest: ArenaMeasurement
) -> SpectatorCost:
    """Compute the cost of watching from two measurements, with few and many watchers.

    `figures` has tuples (watchers, measurement, bytes received by all, entries received by all).
    """
    (few, small, _, told), (many, large, sent, heard) = figures
    shown = told / few, heard / many
    each = small.processors["web"] / shown[0], large.processors["web"] / shown[1]
    slope = max(0.0, (each[1] - each[0]) / (many - few))
    return SpectatorCost(
        entries=shown[1] / large.seconds,
        watcher=slope,
        entry=max(0.0, each[0] - slope * few),
        crowd=many,
        wire=sent / heard,
        rate=sent / many / large.seconds,
        memory=memory,
        playing=_more(small.processors, rest.processors, small, rest, "bots", "worker"),
        database=_more(small.processors, rest.processors, small, rest, "database"),
        commits=_more(small.counts, rest.counts, small, rest, "commits"),
    )


def _more(ours: Figures, idle: Figures, window: ArenaMeasurement, rest: ArenaMeasurement, *names: str) -> float:
    """Return the total growth of the counters `names` per second, minus that of the idle site; at least 0.

    `ours` has the counters of the measurement `window`. `idle` has those of `rest`, the measurement of the idle site.
    """
    each = (ours.get(name, 0.0) / window.seconds - idle.get(name, 0.0) / rest.seconds for name in names)
    return max(0.0, sum(each))
