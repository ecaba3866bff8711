"""Outside players: a program over a socket, or a person. Nothing that they send is trusted.

Their time is wall time, from sending the question to a connection until receiving the answer, measured by the server
process that has the connection. Delays between processes are therefore not charged to the seat.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone

from ftk_core.entries import Chose
from ftk_core.facts import encode
from ftk_core.kit.lines import OverLine
from ftk_core.kit.rhythm import Rhythm
from ftk_core.players import Answer, Ask, Hello, NoAnswer, TimeSpent
from replays.models import MatchSeat
from replays.seats import mailbox
from replays.seats.mailbox import Letter
from replays.seats.waking import WAKER

LOOK_SECONDS = 2.0
"""Polling interval while waiting: a notification may be lost."""
PATIENCE = 3
"""Number of unanswered questions in a row after which a program is not waited for until it reconnects."""
LONGEST_PRETENCE = 5.0
"""In seconds; a person may think for hours, and nothing need imitate that."""


class Adjourned(Exception):
    """Raised when a match waits too long for a person to occupy its worker."""

    def __init__(self, seat: MatchSeat, until: datetime | None) -> None:
        super().__init__(f"seat {seat.seat} has not answered yet")
        self.seat, self.until = seat, until


class OutsidePlayer(ABC):
    """A seat played from outside, through its mailbox."""

    def __init__(
        self, seat: MatchSeat, *, waiting: Callable[[], None], recall: Callable[[int], Chose | None], rhythm: Rhythm
    ) -> None:
        """Take the callbacks; `waiting` is called before a question is put and while its answer is awaited.

        `recall` returns a seat's earlier choice while the log is ahead of the match, so that no question is repeated.
        `rhythm` is shared by all outside players of the match.
        """
        self.seat, self._waiting, self._recall, self._rhythm = seat, waiting, recall, rhythm
        self.notes: list[tuple[int, str]] = []
        """(question, text) for the author."""
        self.faults: list[tuple[int, str]] = []
        """(question, fault) for the author."""
        self.stderr = ""
        self.memory: int | None = None

    @property
    def name(self) -> str:
        """Its name in the log."""
        return self.seat.version.label

    def greet(self, hello: Hello) -> None:
        """Open the mailbox."""
        mailbox.open_mailbox(self.seat, hello)

    def choose(self, ask: Ask, /) -> Answer:
        """Put the question and wait for its answer; raises NoAnswer, and Adjourned if that takes too long."""
        past = self._recall(ask.seat)
        if past is not None:
            return Answer(_index_of(past, ask))
        self._waiting()  # the log up to the question is durable before anybody sees it
        mailbox.put(self.seat, ask)
        began = time.monotonic_ns()
        try:
            with WAKER.expecting(self.seat.pk) as woken:
                return self._wait(ask, woken)
        except NoAnswer as silence:
            self.faults.append((ask.id, str(silence)))
            raise
        finally:
            self._rhythm.note(self.seat.pk, (time.monotonic_ns() - began) // 1000)

    def _wait(self, ask: Ask, woken: threading.Event) -> Answer:
        while not (letter := mailbox.look(self.seat)).answered:
            seconds = self._left(ask, letter)
            connection.close()  # no connection is held while waiting
            woken.wait(max(0.0, min(seconds, LOOK_SECONDS)))
            woken.clear()
            self._waiting()
        if letter.note:
            self.notes.append((ask.id, letter.note))
        return self._judged(ask, letter)

    @abstractmethod
    def _left(self, ask: Ask, letter: Letter) -> float:
        """Return the seconds left to wait for an answer; raises NoAnswer, Adjourned."""

    @abstractmethod
    def _judged(self, ask: Ask, letter: Letter) -> Answer:
        """Return a received answer; raises NoAnswer if it is invalid or late."""

    def pretend(self) -> None:
        """Wait about as long as an answer takes."""
        until = time.monotonic() + min(LONGEST_PRETENCE, self._rhythm.usual(self.seat.pk) / 1e6)
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(left, LOOK_SECONDS))
            self._waiting()

    def over(self, places: Sequence[int]) -> None:
        """Store the end, without waiting for anybody."""
        mailbox.close(self.seat, OverLine(places))


def _index_of(past: Chose, ask: Ask) -> int:
    """Return the index of the recalled choice; the referee checks that it is on the menu."""
    taken = bytes(past.action)
    return next((index for index, action in enumerate(ask.menu) if encode(action) == taken), 0)


class PersonPlayer(OutsidePlayer):
    """A person, with a time limit for each choice or without one."""

    def __init__(
        self,
        seat: MatchSeat,
        *,
        waiting: Callable[[], None],
        recall: Callable[[int], Chose | None],
        rhythm: Rhythm,
        hand_ms: int | None,
    ) -> None:
        super().__init__(seat, waiting=waiting, recall=recall, rhythm=rhythm)
        self._hand_ms, self._since, self._number = hand_ms, 0.0, 0

    def _left(self, ask: Ask, letter: Letter) -> float:
        if self._number != ask.id:
            self._number, self._since = ask.id, time.monotonic()
        left, until = settings.SEATS["adjourn_seconds"] - (time.monotonic() - self._since), None
        if self._hand_ms is not None:
            until = letter.asked_at + timedelta(milliseconds=self._hand_ms)
            due = (until - timezone.now()).total_seconds()
            if due <= 0:
                raise NoAnswer("timeout", f"late: no answer within {self._hand_ms} ms")
            left = min(left, due) if left > 0 else left
        if left <= 0:
            raise Adjourned(self.seat, until)
        return left

    def _judged(self, ask: Ask, letter: Letter) -> Answer:  # noqa: ARG002 - all players are asked so
        assert letter.choice is not None
        return Answer(letter.choice)


class RemotePlayer(OutsidePlayer):
    """A remote program: its clock runs while it has the question, and it may be absent for a limited time per match."""

    def __init__(
        self, seat: MatchSeat, *, waiting: Callable[[], None], recall: Callable[[int], Chose | None], rhythm: Rhythm
    ) -> None:
        super().__init__(seat, waiting=waiting, recall=recall, rhythm=rhythm)
        self._grace = float(settings.SEATS["grace_seconds"])
        self._away_since: datetime | None = None
        self._silences, self._given_up = 0, ""

    def _left(self, ask: Ask, letter: Letter) -> float:
        now = timezone.now()
        if letter.closed_at is None and letter.alive_until is not None and letter.alive_until > now:
            self._come_back(now)
            return self._clock(ask, letter, now)
        return self._away(letter, now)

    def _come_back(self, now: datetime) -> None:
        if self._away_since is not None:
            self._grace -= max(0.0, (now - self._away_since).total_seconds())
            self._away_since = None

    def _clock(self, ask: Ask, letter: Letter, now: datetime) -> float:
        """Return the thinking time left to a remote bot for its current decision, in seconds."""
        if self._given_up == letter.connection:
            raise NoAnswer("timeout", f"late: silent for {PATIENCE} questions, and not connected anew")
        if letter.sent_at is None:  # it is on its way, and no time passes
            return LOOK_SECONDS
        had = timedelta(milliseconds=letter.spent_ms) + (now - letter.sent_at)
        limit = timedelta(milliseconds=self._limit_ms(ask) + settings.SEATS["slack_ms"])
        if had >= limit:
            self._silences += 1
            if self._silences >= PATIENCE:
                self._given_up = letter.connection
            raise self._late(ask)
        return (limit - had).total_seconds()

    def _away(self, letter: Letter, now: datetime) -> float:
        """Return the seconds left for an absent program; connections lost by us are not charged."""
        lost = timedelta(seconds=settings.SEATS["lost_seconds"])
        gone = letter.closed_at or (letter.alive_until and letter.alive_until + lost)
        if self._away_since is None:
            self._away_since = max(letter.asked_at, gone) if gone else letter.asked_at
        left = self._grace - (now - self._away_since).total_seconds()
        if left <= 0:
            raise NoAnswer("timeout", f"away: not connected for {settings.SEATS['grace_seconds']} s of the match")
        return left

    def _limit_ms(self, ask: Ask) -> int:
        return ask.limit_ms + int(settings.SEATS["allowance_ms"])

    def _late(self, ask: Ask) -> NoAnswer:
        spent = TimeSpent(charged_us=ask.limit_ms * 1000) if settings.METERED else TimeSpent()
        return NoAnswer("timeout", f"late: no answer within {self._limit_ms(ask)} ms", spent)

    def _judged(self, ask: Ask, letter: Letter) -> Answer:
        self._silences = 0
        if letter.took_ms > self._limit_ms(ask):
            raise self._late(ask)
        charged_us = max(0, letter.took_ms - int(settings.SEATS["allowance_ms"])) * 1000
        spent = TimeSpent(charged_us, wall_us=letter.took_ms * 1000) if settings.METERED else TimeSpent()
        if letter.choice is None:
            raise NoAnswer("nonsense", letter.fault, spent)
        return Answer(letter.choice, spent)
