"""A match that is played entry by entry, at the test's pace."""

from __future__ import annotations

from functools import cache

from ftk_core.games import game
from ftk_core.log import MemoryLog, lines_of
from ftk_core.players import RandomPlayer
from ftk_core.reel import is_shown
from ftk_core.referee import play
from ftk_core.rng import seed_of
from replays.models import Match
from replays.playing.pokes import Poker
from replays.store import StreamLog
from tests.support.factories import active_version, waiting_match


@cache
def lines_played(name: str, seats: int, number: int = 0) -> tuple[bytes, ...]:
    """Return the log of a match of random players."""
    log = MemoryLog()
    players = [RandomPlayer(seed_of(number, seat), f"Player {seat}") for seat in range(seats)]
    play(game(name), players, seed_of("live", number), log=log)
    return tuple(lines_of(log))


class LiveMatch:
    """A match of which the log grows when it is told to."""

    def __init__(self, name: str = "pig", seats: int = 2) -> None:
        self.lines = lines_played(name, seats)
        self.match = waiting_match([active_version(game=name) for _ in range(seats)])
        Match.objects.filter(pk=self.match.pk).update(status=Match.Status.PLAYING)
        self.poker = Poker(self.match.pk)
        self.log = StreamLog(self.match.stream_id)

    @property
    def path(self) -> str:
        """Where its socket is."""
        return f"/ws/match/{self.match.pk}/"

    @property
    def left(self) -> int:
        """How many entries are still to come."""
        return len(self.lines) - self.log.length

    @property
    def pictured(self) -> list[int]:
        """The numbers of the frames so far."""
        return list(range(sum(map(is_shown, self.lines[: self.log.length]))))

    def to_next_fact(self) -> int:
        """Return how many entries it is to the next one that makes a picture."""
        more = self.lines[self.log.length :]
        return 1 + next(number for number, line in enumerate(more) if is_shown(line))

    def grow(self, entries: int = 1) -> int:
        """Make more entries durable and say so; returns the length of the log."""
        more = self.lines[self.log.length : self.log.length + entries]
        self.log.append([line.rstrip(b"\n") + b"\n" for line in more], self.log.length)
        if not self.left:
            Match.objects.filter(pk=self.match.pk).update(status=Match.Status.CLOSED)
        self.poker.last(self.log.length)
        return self.log.length
