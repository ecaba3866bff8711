"""Players of a match: bots in their sandboxes, and outside players behind their mailboxes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol

from django.conf import settings

from bots import cage_settings
from bots.cage.plan import BotProgram
from bots.cage.spawn import caged_all
from bots.folders import folder_of
from bots.outside import PERSON, is_outside
from ftk_core.kit.holding import BuildFailed
from ftk_core.kit.rhythm import Rhythm
from ftk_core.players import Answer, Ask, NoAnswer, Player, Quiet
from ftk_core.scribe import Scribe
from replays.models import Match, MatchSeat
from replays.seats.players import OutsidePlayer, PersonPlayer, RemotePlayer

ONE_STARTS = threading.Lock()
"""Lock: one thread of a worker starts bots at a time, because they share its fork server."""


class SeatedPlayer(Player, Protocol):
    """A player, with the details for its author."""

    faults: list[tuple[int, str]]
    notes: list[tuple[int, str]]
    memory: int | None
    """Peak memory in bytes; None if it does not run here."""

    @property
    def stderr(self) -> str:
        """First part of its stderr."""
        ...


class AbsentPlayer(Quiet):
    """A bot that cannot be built, or of which only the log is left: it answers like one that crashes at its start."""

    def __init__(self, name: str, stderr: str) -> None:
        super().__init__(name)
        self.faults: list[tuple[int, str]] = []
        self.notes: list[tuple[int, str]] = []
        self.memory: int | None = None
        self.stderr = stderr

    def choose(self, ask: Ask) -> Answer:
        """Raise NoAnswer."""
        detail = "crashed: it could not be built"
        self.faults.append((ask.id, detail))
        raise NoAnswer("crash", detail)


def is_caged(seat: MatchSeat) -> bool:
    """Return True if the seat's bot runs on this machine."""
    return not is_outside(seat.version.bot)


@contextmanager
def seated(
    match: Match, seats: list[MatchSeat], scribe: Scribe, waiting: Callable[[], None]
) -> Iterator[list[SeatedPlayer]]:
    """Yield the players of a match by seat; the processes of bots are gone after the block.

    A bot that cannot be built has a seat, and answers nothing. Raises CageUnavailable as `caged_all` does.
    """
    rhythm = Rhythm()

    def outside(seat: MatchSeat) -> OutsidePlayer:
        recall = scribe.remembered_choice
        if seat.version.bot.kind == PERSON:
            hand_ms = match.hand_ms
            return PersonPlayer(seat, waiting=waiting, recall=recall, rhythm=rhythm, hand_ms=hand_ms)
        return RemotePlayer(seat, waiting=waiting, recall=recall, rhythm=rhythm)

    players: dict[int, SeatedPlayer] = {seat.seat: outside(seat) for seat in seats if is_outside(seat.version.bot)}
    caged = [seat for seat in seats if seat.seat not in players]
    with ExitStack() as stack:
        if caged:
            with ONE_STARTS:
                programs = {seat.seat: _program(seat) for seat in caged}
                players |= {place: bot for place, bot in programs.items() if isinstance(bot, AbsentPlayer)}
                bots = [
                    (seat.version.label, bot) for seat in caged if isinstance(bot := programs[seat.seat], BotProgram)
                ]
                held = caged_all(cage_settings.read_cage(), bots, waiting=waiting, metered=settings.METERED)
                places = (seat.seat for seat in caged if seat.seat not in players)
                players |= zip(places, stack.enter_context(held), strict=True)
        yield [players[seat.seat] for seat in seats]


def _program(seat: MatchSeat) -> BotProgram | AbsentPlayer:
    package = seat.version.package
    try:
        return BotProgram(folder_of(package), package.command)
    except BuildFailed as error:
        return AbsentPlayer(seat.version.label, str(error))
