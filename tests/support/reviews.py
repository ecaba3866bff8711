"""Matches to review: played by bots of the house, or by the policy that reviews them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ftk_core.estimate import AnyPolicy, Policy, QuickPolicy
from ftk_core.filelog import dump
from ftk_core.game import Game
from ftk_core.games import game
from ftk_core.kit.in_process import BotInProcess
from ftk_core.log import MemoryLog, lines_of
from ftk_core.moves import moves_of
from ftk_core.players import Answer, Ask, Player, Quiet
from ftk_core.referee import play
from ftk_core.review import review
from ftk_core.reviewed import Reviewed, reviewed
from ftk_core.rng import Chance, seed_of

LADDERS = {
    "for_the_king": ("counter", "greedy", "random"),
    "kings_court": ("sleuth", "accuser", "random"),
    "pig": ("hold20", "random", "random"),
    "to_court_the_king": ("builder", "greedy", "random"),
}
"""By game: its strongest bot of the house, one in the middle, and the one that chooses at random."""


class PolicyPlayer(Quiet):
    """Plays a match as playouts do."""

    def __init__(self, rules: Game[Any, Any, Any, Any], policy: Policy, seats: int, seed: bytes) -> None:
        super().__init__(policy.name)
        self._choose = policy.start(rules, seats, Chance(seed).at("player"))

    def choose(self, ask: Ask) -> Answer:
        """Answer as the policy does, which looks at the state."""
        return Answer(self._choose(ask._state, ask.seat, ask.menu))


def policy_for(name: str) -> Policy:
    """Return the quickest policy of a game."""
    return QuickPolicy() if game(name).quick else AnyPolicy()


def log_by(name: str, players: Sequence[Player], number: int = 0) -> list[bytes]:
    """Return the lines of a match between players."""
    log = MemoryLog()
    play(game(name), players, seed_of("reviewed", name, len(players), number), match=f"match-{number}", log=log)
    return list(lines_of(log))


@cache
def log_of(name: str, seats: int = 0, number: int = 0) -> list[bytes]:
    """Return the lines of a match between bots of the house, weaker ones beside stronger ones."""
    size = seats or game(name).seats.start
    strong, middle, _ = LADDERS[name]
    return log_by(name, [BotInProcess(name, middle if seat % 2 else strong) for seat in range(size)], number)


def own_log_of(name: str, seats: int, number: int = 0) -> list[bytes]:
    """Return the lines of a match that is played as playouts are."""
    policy = policy_for(name)
    players = [PolicyPlayer(game(name), policy, seats, seed_of("own", number, seat)) for seat in range(seats)]
    return log_by(name, players, number)


def review_of(
    lines: Sequence[bytes],
    playouts: int = 4,
    policy: Policy | None = None,
    eyes: str = "all",
    *,
    options: bool = True,
) -> Reviewed:
    """Return the review of a match."""
    moves = moves_of(lines)
    return reviewed(review(moves, policy or policy_for(moves.opened.game), playouts, eyes, "build", options=options))


def write_log(path: Path, lines: Sequence[bytes]) -> Path:
    """Write entries as the log of a match, whole or cut off; return the file."""
    log = MemoryLog()
    log.append([line + b"\n" for line in lines], 0)
    path.write_bytes(b"".join(dump(log.pages())))
    return path
