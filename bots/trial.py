"""The trial match, which finds out whether an uploaded bot plays at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bots.cage.spawn import caged
from ftk_core.games import game
from ftk_core.kit.pipe import PipePlayer
from ftk_core.log import MemoryLog
from ftk_core.match import play
from ftk_core.players import Player, RandomPlayer
from ftk_core.rng import seed_of

FAULTS_ALLOWED = 2
"""A trial with more faulty answers than this is not passed; one that ends the process never is."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How a trial went."""

    passed: bool
    reason: str
    """Empty when it passed."""
    log: str
    """For the author: faults, notes, stderr."""


def run_trial(game_name: str, name: str, folder: Path, command: Sequence[str]) -> Trial:
    """Play one match in the smallest company of random bots; raises CageUnavailable, never for a bot's fault."""
    rules = game(game_name)
    with caged(name, folder, command) as bot:
        others = [RandomPlayer(seed_of("trial", seat)) for seat in range(1, rules.seats.start)]
        players: list[Player] = [bot, *others]
        result = play(rules, players, seed_of("trial", game_name), match="trial", log=MemoryLog())
    crashed = [detail for _, detail in bot.faults if detail.startswith("crash")]
    passed = not crashed and len(bot.faults) <= FAULTS_ALLOWED
    reason = "" if passed else f"{len(bot.faults)} faulty answers; the first: {bot.faults[0][1]}"
    return Trial(passed, reason, _log_of(bot, result.places[0]))


def _log_of(bot: PipePlayer, place: int) -> str:
    lines = [f"played to the end, place {place}"]
    lines += [f"question {number}: {detail}" for number, detail in bot.faults]
    lines += [f"question {number} note: {text}" for number, text in bot.notes[:50]]
    if bot.stderr:
        lines += ["stderr:", bot.stderr]
    return printable("\n".join(lines))


def printable(text: str) -> str:
    """Return the text without control characters, which a terminal or PostgreSQL would trip over."""
    return "".join(c for c in text if c in "\n\t" or c.isprintable())
