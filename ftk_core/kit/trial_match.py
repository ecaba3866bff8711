"""Test match that shows if an uploaded or local bot can play."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from gettext import gettext as _
from typing import Protocol

import msgspec

from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.kit.bot_fault_hints import list_hints
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.kit.protocol.protocol_lines import strip_control_characters
from ftk_core.log_entries import stream_of
from ftk_core.players import HelloMessage, NoAnswerError, Player, PlayerAnswer, QuestionToSeat, RandomPlayer
from ftk_core.random_streams import SEED_BYTES, seed_of
from ftk_core.referee import play

FAULTS_ALLOWED = 2
"""Maximum number of faulty answers in a passed trial. A crash always fails the trial, as does a timeout at the first
question: such a bot would miss the first question of every match."""
FAULTS = frozenset({"crashed", "flooded", "late", "malformed", "overtime", "refused"})
"""Words with which the description of a fault begins; the text after the word may come from the bot."""
SYNTAX_ERRORS = tuple(f"crashed: {error}:" for error in ("SyntaxError", "IndentationError", "TabError"))
"""Beginnings of fault descriptions that mean: the bot is in Python, and its source does not compile."""
MAX_NOTES_BYTES = 64 * 1024
"""Maximum size in bytes of a bot's stored notes in one match."""
MAX_REPORTED_NOTES = 50
"""Maximum number of notes in the report of a trial match."""


class TrialMatchResult(msgspec.Struct, frozen=True):
    """Result of a trial match, which shows if a bot can play."""

    passed: bool
    reason: str
    """Reason for the failure; empty if the bot passed. It is public, so it contains no text written by the bot."""
    log: str
    """Report for the author: faults, notes and stderr."""


class TrialMatchObserver(Protocol):
    """Interface of an object that displays the progress of a trial match."""

    def show_question(self, number: int) -> None:
        """Show the number of the question that the bot was just asked."""

    def show_fault(self, number: int, detail: str) -> None:
        """Show that the bot gave no valid answer to a question."""


class TrialFailedError(Exception):
    """Raised to end a trial match early when the bot can no longer pass it."""


class _TrialPlayer:
    """A wrapper around a tested bot that reports progress and ends a failed test."""

    def __init__(self, bot: BotProcessPlayer, trial_observer: TrialMatchObserver | None) -> None:
        self._bot, self._trial_observer = bot, trial_observer
        self.crashed = self.unready = self._was_asked = False

    @property
    def name(self) -> str:
        return self._bot.name

    @property
    def passed(self) -> bool:
        return not self.crashed and not self.unready and len(self._bot.faults) <= FAULTS_ALLOWED

    def greet(self, hello: HelloMessage) -> None:
        self._bot.greet(hello)

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        if self._trial_observer:
            self._trial_observer.show_question(ask.id)
        is_first, self._was_asked = not self._was_asked, True
        try:
            return self._bot.choose(ask)
        except NoAnswerError as silence:
            self.crashed |= silence.excuse == "crash"
            self.unready |= silence.excuse == "timeout" and is_first
            if self._trial_observer:
                self._trial_observer.show_fault(ask.id, strip_control_characters(str(silence)))
            if not self.passed:
                raise TrialFailedError from silence
            raise

    def wait_as_if_asked(self, ask: QuestionToSeat, /) -> None:
        self._bot.wait_as_if_asked(ask)

    def over(self, places: Sequence[int]) -> None:
        self._bot.over(places)


def play_trial(
    game_name: str, bot: BotProcessPlayer, seats: int = 0, trial_observer: TrialMatchObserver | None = None
) -> TrialMatchResult:
    """Play a trial match of a bot against random players, and return the result.

    If `seats` is 0, the match has the smallest number of players that the game allows. Raises UnknownGameError,
    ValueError for an invalid number of seats, HostOverloadError if this machine is busy.
    """
    # Match name, seed and seat are random, so that a bot cannot tell a test from a rated match. The bot's faults raise
    # no exception; the match ends as soon as the bot cannot pass any more (`FAULTS_ALLOWED`).
    rules, tried = game(game_name), _TrialPlayer(bot, trial_observer)
    seed = secrets.token_bytes(SEED_BYTES)
    players: list[Player] = [RandomPlayer(seed_of(seed.hex(), seat)) for seat in range(1, seats or rules.seats.start)]
    seat = secrets.randbelow(len(players) + 1)
    players.insert(seat, tried)
    try:
        result = play(rules, players, seed, match=stream_of(secrets.token_hex(6)), log=InMemoryLog())
        ending = _("played to the end, place {places} of {players}").format(
            places=result.places[seat], players=len(players)
        )
    except TrialFailedError:
        number = bot.faults[-1][0]
        if tried.crashed:
            ending = _("crashed at question {faults}").format(faults=number)
        else:
            ending = _("stopped at question {number}").format(number=number)
    return TrialMatchResult(tried.passed, "" if tried.passed else _reason(tried, bot), _report(bot, ending))


def _reason(tried: _TrialPlayer, bot: BotProcessPlayer) -> str:
    """Return the reason why a bot failed its trial match."""
    # Everybody may read the reason: it contains no text that the bot wrote.
    if tried.crashed and bot.faults[-1][1].startswith(SYNTAX_ERRORS):
        return _("it does not compile")
    if tried.crashed:
        return _("crashed at question {faults}").format(faults=bot.faults[-1][0])
    if tried.unready and bot.faults[0][1].startswith("late"):
        return _("no answer to the first question in time: it slept or waited instead of answering")
    if tried.unready:
        return _("no answer to the first question in time: load and compute less before it")
    number, detail = bot.faults[0]
    return _("{faults}; the first at question {number}: {detail}").format(
        faults=_count_faults(len(bot.faults)), number=number, detail=_kind_of(detail)
    )


def _kind_of(detail: str) -> str:
    word = detail.partition(":")[0]
    return word if word in FAULTS else "faulty"


def _report(bot: BotProcessPlayer, ending: str) -> str:
    lines = [ending]
    lines += [_("question {number}: {detail}").format(number=number, detail=detail) for number, detail in bot.faults]
    lines += list_hints(detail for _number, detail in bot.faults)
    lines += [
        _("question {number} note: {text}").format(number=number, text=text)
        for number, text in bot.notes[:MAX_REPORTED_NOTES]
    ]
    if bot.built:
        lines += [_("the compiler:"), bot.built]
    if bot.stderr:
        lines += ["stderr:", bot.stderr]
    return strip_control_characters("\n".join(lines))


def build_compile_failure(error: BotBuildError) -> TrialMatchResult:
    """Return the test result of a bot that does not compile."""
    return TrialMatchResult(passed=False, reason=_("it does not compile"), log=strip_control_characters(str(error)))


def stored_notes(notes: Iterable[tuple[int, str]]) -> list[str]:
    """Format a bot's notes as lines to store, at most `MAX_NOTES_BYTES` in all."""
    # If notes are omitted, a last line says so. It does not count.
    lines, left = list[str](), MAX_NOTES_BYTES
    for number, text in notes:
        line = strip_control_characters(_("question {number}: {text}").format(number=number, text=text))
        left -= len(line.encode())
        if left < 0:
            return [
                *lines,
                _("question {number}: (notes from here on are left out: only {max_notes_bytes} bytes are kept)").format(
                    number=number, max_notes_bytes=MAX_NOTES_BYTES
                ),
            ]
        lines.append(line)
    return lines


def _count_faults(faults: int) -> str:
    return _("1 faulty answer") if faults == 1 else _("{faults} faulty answers").format(faults=faults)
