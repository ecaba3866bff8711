"""The trial match, which finds out whether a bot plays at all: on a server after an upload, at home in `ftk check`."""

from __future__ import annotations

import msgspec

from ftk_core.games import game
from ftk_core.kit.holding import BuildFailed
from ftk_core.kit.pipe import PipePlayer
from ftk_core.log import MemoryLog
from ftk_core.match import play
from ftk_core.players import Player, RandomPlayer
from ftk_core.rng import seed_of

FAULTS_ALLOWED = 2
"""A trial with more faulty answers than this is not passed; one in which the bot crashes never is."""
NOTES = 50
"""So many of the bot's notes are reported."""


class Trial(msgspec.Struct, frozen=True):
    """How a trial went."""

    passed: bool
    reason: str
    """Empty when it passed."""
    log: str
    """For the author: faults, notes, stderr."""


def play_trial(game_name: str, bot: PipePlayer, seats: int = 0) -> Trial:
    """Play one match against random bots, the bot in seat 0; no seats are the fewest that the game allows.

    Never raises for a fault of the bot; raises UnknownGame, and ValueError for a table that the game does not have.
    """
    rules = game(game_name)
    others = [RandomPlayer(seed_of("trial", seat)) for seat in range(1, seats or rules.seats.start)]
    players: list[Player] = [bot, *others]
    result = play(rules, players, seed_of("trial", game_name), match="trial", log=MemoryLog())
    crashed = any(detail.startswith("crash") for _, detail in bot.faults)
    passed = not crashed and len(bot.faults) <= FAULTS_ALLOWED
    reason = "" if passed else f"{_counted(len(bot.faults))}; the first: {bot.faults[0][1]}"
    return Trial(passed, printable(reason), _report(bot, result.places[0], len(players)))


def _report(bot: PipePlayer, place: int, seats: int) -> str:
    lines = [f"played to the end, place {place} of {seats}"]
    lines += [f"question {number}: {detail}" for number, detail in bot.faults]
    lines += [f"question {number} note: {text}" for number, text in bot.notes[:NOTES]]
    if bot.stderr:
        lines += ["stderr:", bot.stderr]
    return printable("\n".join(lines))


def not_compiled(error: BuildFailed) -> Trial:
    """Return the trial of a bot that could not be made, with the compiler's words."""
    return Trial(passed=False, reason="it does not compile", log=printable(str(error)))


def printable(text: str) -> str:
    """Return the text without control characters, which a terminal or PostgreSQL would trip over."""
    return "".join(c for c in text if c in "\n\t" or c.isprintable())


def _counted(faults: int) -> str:
    return "1 faulty answer" if faults == 1 else f"{faults} faulty answers"
