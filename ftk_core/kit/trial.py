"""The trial match, which finds out whether a bot plays at all: on a server after an upload, at home in `ftk check`."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from ftk_core.entries import stream_of
from ftk_core.games import game
from ftk_core.kit.holding import BuildFailed
from ftk_core.kit.pipe import PipePlayer
from ftk_core.log import MemoryLog
from ftk_core.players import Answer, Ask, Hello, NoAnswer, Player, RandomPlayer
from ftk_core.referee import play
from ftk_core.rng import SEED_BYTES, seed_of

FAULTS_ALLOWED = 2
"""A trial with more faulty answers than this is not passed; one in which the bot crashes never is."""
FAULTS = frozenset({"crashed", "flooded", "late", "malformed", "overtime", "refused"})
"""The words that a fault's detail begins with; what stands behind one may be the bot's own."""
NOTES_BYTES = 64 * 1024
"""How much is kept of a bot's notes in one match, in bytes."""
NOTES = 50
"""How many of the bot's notes are reported."""


class Trial(msgspec.Struct, frozen=True):
    """How a trial went."""

    passed: bool
    reason: str
    """Empty when it passed. Everybody may read it, so it is in our words alone."""
    log: str
    """For the author: faults, notes, stderr."""


class Onlooker(Protocol):
    """Whoever wants to know how far a trial is."""

    def asked(self, number: int) -> None:
        """Hear that a question has been asked."""

    def missed(self, number: int, detail: str) -> None:
        """Hear that item 0 was played for the bot, and why."""


class Decided(Exception):
    """Raised in the middle of a trial that can no longer be passed: what follows would only take time."""


class _OnTrial:
    """The bot in its seat, watched."""

    def __init__(self, bot: PipePlayer, onlooker: Onlooker | None) -> None:
        self._bot, self._onlooker = bot, onlooker
        self.crashed = False

    @property
    def name(self) -> str:
        return self._bot.name

    @property
    def passed(self) -> bool:
        return not self.crashed and len(self._bot.faults) <= FAULTS_ALLOWED

    def greet(self, hello: Hello) -> None:
        self._bot.greet(hello)

    def choose(self, ask: Ask) -> Answer:
        if self._onlooker:
            self._onlooker.asked(ask.id)
        try:
            return self._bot.choose(ask)
        except NoAnswer as silence:
            self.crashed |= silence.excuse == "crash"
            if self._onlooker:
                self._onlooker.missed(ask.id, printable(str(silence)))
            if not self.passed:
                raise Decided from silence
            raise

    def pretend(self) -> None:
        self._bot.pretend()

    def over(self, places: Sequence[int]) -> None:
        self._bot.over(places)


def play_trial(game_name: str, bot: PipePlayer, seats: int = 0, onlooker: Onlooker | None = None) -> Trial:
    """Play one match against random bots; no seats are the fewest that the game allows.

    Its name, deal and seat are drawn anew each time, so that a bot cannot tell it from a match that counts.

    It ends with a crash, or with the first fault that is one too many. Never raises for a fault of the bot; raises
    UnknownGame, and ValueError for a table that the game does not have.
    """
    rules, tried = game(game_name), _OnTrial(bot, onlooker)
    seed = secrets.token_bytes(SEED_BYTES)
    players: list[Player] = [RandomPlayer(seed_of(seed.hex(), seat)) for seat in range(1, seats or rules.seats.start)]
    seat = secrets.randbelow(len(players) + 1)
    players.insert(seat, tried)
    try:
        result = play(rules, players, seed, match=stream_of(secrets.token_hex(6)), log=MemoryLog())
        ending = f"played to the end, place {result.places[seat]} of {len(players)}"
    except Decided:
        ending = f"{'crashed' if tried.crashed else 'stopped'} at question {bot.faults[-1][0]}"
    return Trial(tried.passed, "" if tried.passed else _reason(tried.crashed, bot), _report(bot, ending))


def _reason(crashed: bool, bot: PipePlayer) -> str:
    """Return what is told to everybody: which fault at which question, and nothing of what the bot said."""
    if crashed:
        return f"crashed at question {bot.faults[-1][0]}"
    number, detail = bot.faults[0]
    return f"{_counted(len(bot.faults))}; the first at question {number}: {_kind_of(detail)}"


def _kind_of(detail: str) -> str:
    word = detail.partition(":")[0]
    return word if word in FAULTS else "faulty"


def _report(bot: PipePlayer, ending: str) -> str:
    lines = [ending]
    lines += [f"question {number}: {detail}" for number, detail in bot.faults]
    lines += [f"question {number} note: {text}" for number, text in bot.notes[:NOTES]]
    if bot.built:
        lines += ["the compiler:", bot.built]
    if bot.stderr:
        lines += ["stderr:", bot.stderr]
    return printable("\n".join(lines))


def not_compiled(error: BuildFailed) -> Trial:
    """Return the trial of a bot that could not be made, with the compiler's words."""
    return Trial(passed=False, reason="it does not compile", log=printable(str(error)))


def kept_notes(notes: Iterable[tuple[int, str]]) -> list[str]:
    """Return what is kept of a bot's notes in a match: the first NOTES_BYTES, and a word where there were more."""
    kept, left = list[str](), NOTES_BYTES
    for number, text in notes:
        line = printable(f"question {number}: {text}")
        left -= len(line.encode())
        if left < 0:
            return [*kept, f"question {number}: (here and later: more than the {NOTES_BYTES} bytes that are kept)"]
        kept.append(line)
    return kept


def printable(text: str) -> str:
    """Return the text without control characters, which a terminal or PostgreSQL would trip over."""
    return "".join(c for c in text if c in "\n\t" or c.isprintable())


def _counted(faults: int) -> str:
    return "1 faulty answer" if faults == 1 else f"{faults} faulty answers"
