"""The trial match, which shows that a bot can play: on a server after an upload, locally in `ftk check`."""

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
"""Maximum number of faulty answers in a passed trial; a crash always fails it."""
FAULTS = frozenset({"crashed", "flooded", "late", "malformed", "overtime", "refused"})
"""Words that begin a fault's detail; the text after the word may be the bot's own."""
NOTES_BYTES = 64 * 1024
"""Maximum size of a bot's stored notes in one match."""
NOTES = 50
"""Maximum number of notes in the report."""


class Trial(msgspec.Struct, frozen=True):
    """Result of a trial."""

    passed: bool
    reason: str
    """Empty if it passed. It is public, so it contains no text of the bot."""
    log: str
    """For the author: faults, notes, stderr."""


class Onlooker(Protocol):
    """Interface of a progress display."""

    def asked(self, number: int) -> None:
        """Show that a question has been asked."""

    def missed(self, number: int, detail: str) -> None:
        """Show that item 0 was played for the bot, and the reason."""


class Decided(Exception):
    """Raised during a trial that can no longer be passed, to end it early."""


class _OnTrial:
    """A wrapper around the bot's player that reports progress and ends a failed trial."""

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
    """Play one match against random bots; `seats` 0 means the game's smallest table.

    The match name, deal and seat are drawn anew each time, so that a bot cannot tell a trial from a rated match.

    The trial ends with a crash, or with the first fault beyond the limit. The bot's faults do not raise; raises
    UnknownGame, and ValueError for a table size that the game does not have.
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
    """Return the public reason: the kind of the fault and the question, without any text of the bot."""
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
    """Return a failed trial for a bot that does not compile, with the compiler's output."""
    return Trial(passed=False, reason="it does not compile", log=printable(str(error)))


def kept_notes(notes: Iterable[tuple[int, str]]) -> list[str]:
    """Return the stored notes of a bot in a match: the first NOTES_BYTES, and a line that says if more were cut off."""
    kept, left = list[str](), NOTES_BYTES
    for number, text in notes:
        line = printable(f"question {number}: {text}")
        left -= len(line.encode())
        if left < 0:
            return [*kept, f"question {number}: (here and later: more than the {NOTES_BYTES} bytes that are kept)"]
        kept.append(line)
    return kept


def printable(text: str) -> str:
    """Return the text without control characters, which terminals and PostgreSQL do not accept."""
    return "".join(c for c in text if c in "\n\t" or c.isprintable())


def _counted(faults: int) -> str:
    return "1 faulty answer" if faults == 1 else f"{faults} faulty answers"
