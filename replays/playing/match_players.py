"""Players of a match: bots in sandboxes, remote bots, and people."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol

from django.conf import settings

from bots import sandbox_settings
from bots.bot_folder_cache import bot_folder
from bots.remote_bots import PERSON, runs_outside_server
from bots.sandbox.bot_start_settings import BotStartCommand
from bots.sandbox.sandboxed_bot_start import start_all_in_sandbox
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.kit.protocol.answer_time_rounding import RecentAnswerTimes
from ftk_core.log_writer import LogWriter
from ftk_core.players import NoAnswerError, Player, PlayerAnswer, QuestionToSeat, StatelessPlayer
from replays.models import Match, MatchSeat
from replays.seats.remote_and_human_players import HumanPlayer, RemoteOrHumanPlayer
from replays.seats.remote_bot_player import RemoteBotPlayer

START_LOCK = threading.Lock()
"""Lock that lets only one thread of a worker start bots at a time, because all threads share its fork server."""


class PlayerWithBotDiagnostics(Player, Protocol):
    """Interface of a player with details for the bot's authors, such as faults and stderr."""

    faults: list[tuple[int, str]]
    notes: list[tuple[int, str]]
    memory: int | None
    """Peak memory of the bot in bytes; None if the bot does not run on this machine."""

    @property
    def stderr(self) -> str:
        """First part of the bot's stderr."""
        ...


class UnbuildableBotPlayer(StatelessPlayer):
    """Stand-in for a bot that cannot be built. Each question to it counts as a crash."""

    # It also replaces all bots if the log of a match is complete and only the result must be stored.

    def __init__(self, name: str, stderr: str) -> None:
        super().__init__(name)
        self.faults: list[tuple[int, str]] = []
        self.notes: list[tuple[int, str]] = []
        self.memory: int | None = None
        self.stderr = stderr

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Record in `faults` that the bot could not be built, and raise NoAnswerError with the reason ``crash``."""
        detail = "crashed: it could not be built"
        self.faults.append((ask.id, detail))
        raise NoAnswerError("crash", detail)


def is_played_here(seat: MatchSeat) -> bool:
    """Return True if a worker runs the seat's bot in a sandbox."""
    return not runs_outside_server(seat.version.bot)


@contextmanager
def seat_players(
    match: Match, seats: list[MatchSeat], entry_writer: LogWriter, waiting: Callable[[], None]
) -> Iterator[list[PlayerWithBotDiagnostics]]:
    """Start the players of a match for a `with` block, in seat order.

    `waiting` is called regularly while the match waits for a player. Raises SandboxUnavailable.
    """
    # A bot that cannot be built keeps its seat.
    recent_answer_times = RecentAnswerTimes()

    def outside(seat: MatchSeat) -> RemoteOrHumanPlayer:
        recall = entry_writer.logged_choice_of
        if seat.version.bot.kind == PERSON:
            hand_ms = match.hand_ms
            return HumanPlayer(
                seat, waiting=waiting, recall=recall, recent_answer_times=recent_answer_times, hand_ms=hand_ms
            )
        return RemoteBotPlayer(seat, waiting=waiting, recall=recall, recent_answer_times=recent_answer_times)

    players: dict[int, PlayerWithBotDiagnostics] = {
        seat.seat: outside(seat) for seat in seats if runs_outside_server(seat.version.bot)
    }
    caged = [seat for seat in seats if seat.seat not in players]
    with ExitStack() as stack:
        if caged:
            with START_LOCK:
                programs = {seat.seat: _bot_program(seat) for seat in caged}
                players |= {place: bot for place, bot in programs.items() if isinstance(bot, UnbuildableBotPlayer)}
                bots = [
                    (seat.version.label, bot)
                    for seat in caged
                    if isinstance(bot := programs[seat.seat], BotStartCommand)
                ]
                held = start_all_in_sandbox(
                    sandbox_settings.read_sandbox(), bots, waiting=waiting, metered=settings.METERED
                )
                places = (seat.seat for seat in caged if seat.seat not in players)
                players |= zip(places, stack.enter_context(held), strict=True)
        yield [players[seat.seat] for seat in seats]


def _bot_program(seat: MatchSeat) -> BotStartCommand | UnbuildableBotPlayer:
    package = seat.version.package
    try:
        return BotStartCommand(bot_folder(package), package.command)
    except BotBuildError as error:
        return UnbuildableBotPlayer(seat.version.label, str(error))
