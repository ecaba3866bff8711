"""A live match that grows entry by entry when the test says so."""

from __future__ import annotations

from functools import cache

from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.match_replay_frames import is_shown
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from replays.event_stream_storage import EventAppender
from replays.models import Match
from replays.playing.spectator_notifications import SpectatorNotifier
from tests.support.factories import create_active_version, create_waiting_match


@cache
def play_log_lines(name: str, seats: int, number: int = 0) -> tuple[bytes, ...]:
    """Return the log of a match of random players."""
    log = InMemoryLog()
    players = [RandomPlayer(seed_of(number, seat), f"Player {seat}") for seat in range(seats)]
    play(game(name), players, seed_of("live", number), log=log)
    return tuple(lines_of(log))


class LiveMatch:
    """A match whose log grows on command."""

    def __init__(self, name: str = "pig", seats: int = 2) -> None:
        self.lines = play_log_lines(name, seats)
        self.match = create_waiting_match([create_active_version(game=name) for _ in range(seats)])
        Match.objects.filter(pk=self.match.pk).update(status=Match.Status.PLAYING)
        self.poker = SpectatorNotifier(self.match.pk)
        self.log = EventAppender(self.match.stream_id)

    @property
    def path(self) -> str:
        """The path of its WebSocket."""
        return f"/ws/match/{self.match.pk}/"

    @property
    def left(self) -> int:
        """The number of entries still to come."""
        return len(self.lines) - self.log.length

    @property
    def pictured(self) -> list[int]:
        """The numbers of the frames so far."""
        return list(range(sum(map(is_shown, self.lines[: self.log.length]))))

    def to_next_fact(self) -> int:
        """Return the number of entries up to the next one that makes a frame."""
        more = self.lines[self.log.length :]
        return 1 + next(number for number, line in enumerate(more) if is_shown(line))

    def grow(self, entries: int = 1) -> int:
        """Store more entries and notify subscribers; return the length of the log."""
        more = self.lines[self.log.length : self.log.length + entries]
        self.log.append([line.rstrip(b"\n") + b"\n" for line in more], self.log.length)
        if not self.left:
            Match.objects.filter(pk=self.match.pk).update(status=Match.Status.CLOSED)
        self.poker.last(self.log.length)
        return self.log.length
