"""Logs for reviews: matches of built-in bots, or of the review's own policy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ftk_core.analysis.match_review import review
from ftk_core.analysis.match_review_document import MatchReviewDocument, build_review_document
from ftk_core.analysis.playouts import PlayoutPolicy, QuickPlayoutPolicy, RandomPlayoutPolicy
from ftk_core.game import Game
from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.match_series.in_process_bots import InProcessBot
from ftk_core.match_log_file import dump_pages
from ftk_core.match_moves import moves_of
from ftk_core.players import Player, PlayerAnswer, QuestionToSeat, StatelessPlayer
from ftk_core.random_streams import MatchRandomness, seed_of
from ftk_core.referee import play

LADDERS = {
    "for_the_king": ("counter", "greedy", "random"),
    "kings_court": ("sleuth", "accuser", "random"),
    "pig": ("hold20", "random", "random"),
    "to_court_the_king": ("builder", "greedy", "random"),
}
"""By game: its strongest built-in bot, a weaker built-in bot, and the bot that chooses at random."""


class PolicyPlayer(StatelessPlayer):
    """A player that chooses like the policy of a playout."""

    def __init__(self, rules: Game[Any, Any, Any, Any], policy: PlayoutPolicy, seats: int, seed: bytes) -> None:
        super().__init__(policy.name)
        self._choose = policy.start(rules, seats, MatchRandomness(seed).at("player"))

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Return the choice of the policy, which reads the complete state."""
        return PlayerAnswer(self._choose(ask._state, ask.seat, ask.menu))


def policy_for(name: str) -> PlayoutPolicy:
    """Return the quickest policy of a game."""
    return QuickPlayoutPolicy() if game(name).quick else RandomPlayoutPolicy()


def log_by(name: str, players: Sequence[Player], number: int = 0) -> list[bytes]:
    """Return the log lines of a match between players; `number` determines its seed."""
    log = InMemoryLog()
    play(game(name), players, seed_of("reviewed", name, len(players), number), match=f"match-{number}", log=log)
    return list(lines_of(log))


@cache
def log_of(name: str, seats: int = 0, number: int = 0) -> list[bytes]:
    """Return the log lines of a match between built-in bots, alternately the strongest and a weaker bot."""
    size = seats or game(name).seats.start
    strong, middle, _ = LADDERS[name]
    return log_by(name, [InProcessBot(name, middle if seat % 2 else strong) for seat in range(size)], number)


def own_log_of(name: str, seats: int, number: int = 0) -> list[bytes]:
    """Return the log lines of a match in which the playout policy plays all seats."""
    policy = policy_for(name)
    players = [PolicyPlayer(game(name), policy, seats, seed_of("own", number, seat)) for seat in range(seats)]
    return log_by(name, players, number)


def review_of(
    lines: Sequence[bytes],
    playouts: int = 4,
    policy: PlayoutPolicy | None = None,
    eyes: str = "all",
    *,
    options: bool = True,
) -> MatchReviewDocument:
    """Return the review of a match."""
    moves = moves_of(lines)
    return build_review_document(
        review(moves, policy or policy_for(moves.opened.game), playouts, eyes, "build", options=options)
    )


def write_log(path: Path, lines: Sequence[bytes]) -> Path:
    """Write entries as the log of a match, complete or truncated; return the file."""
    log = InMemoryLog()
    log.append([line + b"\n" for line in lines], 0)
    path.write_bytes(b"".join(dump_pages(log.pages())))
    return path
