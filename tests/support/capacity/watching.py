"""What watching costs: the web server's processor, memory and bytes, from two crowds of one match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.support.arena import Arena
from tests.support.bench.crowd import Crowd
from tests.support.capacity.arena import Shape, Window, begin, is_over, windowed
from tests.support.capacity.spent import resident
from tests.support.prepared import asked
from tests.support.sockets import PING, PONG, RawSocket
from tests.support.waiting import wait_for

Figures = Mapping[str, float]
CROWDS = (50, 500)
WINDOW_SECONDS = 12.0
SETTLED_SECONDS = 2.0
SHOWN = Shape(slug="shown", game="for_the_king", seats=5, bots=5, rounds=1, games=1, pace_ms=200)
MATCH = """
SELECT m.id FROM replays_match AS m JOIN tournaments_tablematch AS t ON t.match_id = m.id
JOIN tournaments_league AS l ON l.id = t.league_id JOIN replays_stream AS s ON s.id = 'match/' || m.id
WHERE l.slug = '{slug}' AND m.status = 'playing' AND s.length > 5
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchCost:
    """What a crowd at one live match costs."""

    entries: float
    """Of the match that are shown, a second."""
    watcher: float
    """Seconds of the web server's processor for one watcher and entry."""
    entry: float
    """And for an entry, whoever watches."""
    crowd: int
    """How many watched the second time, from which the bytes were taken."""
    wire: float
    """Bytes sent for one watcher and entry."""
    rate: float
    """Bytes sent to one watcher in a second of this match."""
    memory: float
    """Bytes of the web server for one more watcher."""
    playing: float
    """Processors that play this one match at its pace: bots and worker."""
    database: float
    """Processors of the database for it, and for the fewer of the two crowds."""
    commits: float
    """Commits a second likewise."""


class Audience(Crowd):
    """Watchers that only count what they are sent."""

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
        """Listen for a while; return the bytes and the entries that were heard, by all together."""
        before = self.bytes, self.entries
        self._listen(seconds)
        return self.bytes - before[0], self.entries - before[1]


def watched(arena: Arena, rest: Window) -> WatchCost:
    """Let two crowds watch one match that is played at a pace; what the arena spends at rest is taken off."""
    begin(arena, SHOWN)
    ((match,),) = wait_for(lambda: asked(arena, MATCH.format(slug=SHOWN.slug)), "a match to watch", 60)
    audience = Audience(arena.port, match)
    figures, sizes = list[tuple[int, Window, int, int]](), list[float]()
    try:
        for size in CROWDS:
            audience.grow(size)
            audience.listen(SETTLED_SECONDS)
            with windowed(arena) as found:
                heard = audience.listen(WINDOW_SECONDS)
            figures.append((size, found[0], *heard))
            sizes.append(resident(arena.process.pid, "web"))
        assert not is_over(arena, SHOWN), "the match was over before it was measured"
    finally:
        audience.close()
    return reckoned(figures, max(0.0, sizes[1] - sizes[0]) / (CROWDS[1] - CROWDS[0]), rest)


def reckoned(figures: list[tuple[int, Window, int, int]], memory: float, rest: Window) -> WatchCost:
    """Return the costs from a small and a large crowd: watchers, window, bytes, entries heard by all together."""
    (few, small, _, told), (many, large, sent, heard) = figures
    shown = told / few, heard / many
    each = small.processors["web"] / shown[0], large.processors["web"] / shown[1]
    slope = max(0.0, (each[1] - each[0]) / (many - few))
    return WatchCost(
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


def _more(ours: Figures, idle: Figures, window: Window, rest: Window, *names: str) -> float:
    """Return by how much more these figures grew in a second than at rest."""
    each = (ours.get(name, 0.0) / window.seconds - idle.get(name, 0.0) / rest.seconds for name in names)
    return max(0.0, sum(each))
