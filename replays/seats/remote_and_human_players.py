"""Players outside this server: what remote bots and people have in common, and people."""
# Nothing they send is trusted.

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import F, Func, Value
from django.utils import timezone

from ftk_core.facts import encode
from ftk_core.kit.protocol.answer_note_parsing import format_numbered, read_numbered
from ftk_core.kit.protocol.answer_time_rounding import RecentAnswerTimes
from ftk_core.kit.protocol.protocol_lines import MatchOverLine
from ftk_core.kit.trial_match import MAX_NOTES_BYTES
from ftk_core.log_entries import ChoiceMade
from ftk_core.players import HelloMessage, NoAnswerError, PlayerAnswer, QuestionToSeat
from replays.models import MatchSeat
from replays.seats import seat_question_mailbox
from replays.seats.seat_answer_listener import WAKE_UPS
from replays.seats.seat_question_mailbox import SeatQuestionState
from replays.seats.timestamp_age_meter import TimestampAgeMeter

POLL_SECONDS = 2.0
"""Seconds after which a waiting player looks for a stored answer again, as notifications can be lost."""
MAX_MASK_SECONDS = 5.0
"""Maximum seconds by which a forced move is delayed, so that it looks like the answer to a question."""


class MatchAdjournedError(Exception):
    """Raised if a match has waited long for a person. It resumes later."""

    # Its worker can play other matches meanwhile.

    def __init__(self, seat: MatchSeat, until: datetime | None) -> None:
        super().__init__(f"seat {seat.seat} has not answered yet")
        self.seat, self.until = seat, until


class RemoteOrHumanPlayer(ABC):
    """Player for a seat whose questions and answers go through a mailbox in the database."""

    def __init__(
        self,
        seat: MatchSeat,
        *,
        waiting: Callable[[], None],
        recall: Callable[[int], ChoiceMade | None],
        recent_answer_times: RecentAnswerTimes,
    ) -> None:
        """Store the arguments. `waiting` is called before each question and repeatedly until the answer arrives."""
        # `recall` returns the choice that a resumed match repeats from its log, so that nobody is asked again, or None.
        # All players of a match share `recent_answer_times`.
        self.seat, self._waiting, self._recall, self._recent_answer_times = seat, waiting, recall, recent_answer_times
        self._ages, self._begun = TimestampAgeMeter(), timezone.now()
        self.notes: list[tuple[int, str]] = []
        """Pairs (number of the question, note), for the bot's authors."""
        self.faults: list[tuple[int, str]] = []
        """Pairs (number of the question, description of the fault), for the bot's authors."""
        self.stderr = ""
        self.memory: int | None = None

    @property
    def name(self) -> str:
        """The player's name in the log."""
        return self.seat.version.label

    def greet(self, hello: HelloMessage) -> None:
        """Create the seat's mailbox with the greeting (game, seat and time limits)."""
        seat_question_mailbox.open_mailbox(self.seat, hello)
        self.seat.refresh_from_db(fields=("notes", "faults"))  # those before the match was resumed
        self.notes, self.faults = read_numbered(self.seat.notes), read_numbered(self.seat.faults)

    def choose(self, ask: QuestionToSeat, /) -> PlayerAnswer:
        """Ask a question and wait for the answer. Raises NoAnswerError for a late or invalid answer.

        Raises MatchAdjournedError if a person does not answer for a long time.
        """
        past = self._recall(ask.seat)
        if past is not None:
            if isinstance(past.wall_us, int):  # a forced move after the resumption takes the usual time, too
                self._recent_answer_times.note(self.seat.pk, past.wall_us)
            return PlayerAnswer(_index_of(past, ask))
        try:
            return self._ask(ask)
        except NoAnswerError as silence:
            self._remember("faults", ask.id, str(silence))
            raise

    def _ask(self, ask: QuestionToSeat) -> PlayerAnswer:
        self._waiting()  # make the log durable before anybody sees the question
        seat_question_mailbox.put_question(self.seat, ask)
        began = time.monotonic_ns()
        try:
            with WAKE_UPS.expecting(self.seat.pk) as woken:
                return self._wait(ask, woken)
        finally:
            self._recent_answer_times.note(self.seat.pk, (time.monotonic_ns() - began) // 1000)

    def _wait(self, ask: QuestionToSeat, woken: threading.Event) -> PlayerAnswer:
        while not (mailbox := seat_question_mailbox.read_state(self.seat)).answered or mailbox.number != ask.id:
            if mailbox.number != ask.id:  # asked by a worker that has lost the match and did not know it
                self._waiting()
                seat_question_mailbox.put_question(self.seat, ask)
                continue
            seconds = self._remaining_seconds(ask, mailbox)
            connection.close()  # no connection is held while waiting
            woken.wait(max(0.0, min(seconds, POLL_SECONDS)))
            woken.clear()
            self._waiting()
        if mailbox.note and not mailbox.is_owner_erased:
            self._remember("notes", ask.id, mailbox.note)
        return self._judge_answer(ask, mailbox)

    def _remember(self, column: str, number: int, text: str) -> None:
        """Store a note or fault at once: a worker that resumes the match does not ask the question again."""
        told: list[tuple[int, str]] = getattr(self, column)
        if any(number == known for known, _ in told):
            return
        told.append((number, text))
        if sum(len(known.encode()) for _, known in told) > MAX_NOTES_BYTES:
            return  # at the end of the match, too, only the first notes are kept
        line = Value(format_numbered(number, text))
        MatchSeat.objects.filter(pk=self.seat.pk).update(**{column: Func(F(column), line, function="array_append")})

    @abstractmethod
    def _remaining_seconds(self, ask: QuestionToSeat, mailbox: SeatQuestionState) -> float:
        """Return the seconds left for the answer.

        Raises NoAnswerError if no time is left, and MatchAdjournedError if the match should wait without a worker.
        """

    @abstractmethod
    def _judge_answer(self, ask: QuestionToSeat, mailbox: SeatQuestionState) -> PlayerAnswer:
        """Return the answer in the mailbox; raises NoAnswerError if it is invalid or late."""

    def wait_as_if_asked(self, _ask: QuestionToSeat, /) -> None:
        """Wait before a forced move for the player's median answer time, but at most `MAX_MASK_SECONDS`."""
        # Otherwise the timing would reveal that the move was forced.
        until = time.monotonic() + min(
            MAX_MASK_SECONDS, self._recent_answer_times.median_answer_time_us(self.seat.pk) / 1e6
        )
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(left, POLL_SECONDS))
            self._waiting()

    def over(self, places: Sequence[int]) -> None:
        """Store the final places in the mailbox, without waiting until they are read."""
        seat_question_mailbox.close_mailbox(self.seat, MatchOverLine(places))


def _index_of(past: ChoiceMade, ask: QuestionToSeat) -> int:
    """Return the menu index of a logged choice, or 0 if it is not on the menu."""
    taken = bytes(past.action)
    return next((index for index, action in enumerate(ask.menu) if encode(action) == taken), 0)


class HumanPlayer(RemoteOrHumanPlayer):
    """Person who plays by hand, with a time limit for each choice (`hand_ms`) or without one."""

    def __init__(self, seat: MatchSeat, *, hand_ms: int | None, **callbacks: Any) -> None:
        super().__init__(seat, **callbacks)
        self._hand_ms, self._since, self._number = hand_ms, 0.0, 0

    def wait_as_if_asked(self, ask: QuestionToSeat, /) -> None:
        """Let the person confirm a forced move, as if it were a choice.

        Raises MatchAdjournedError if the person does not answer for a long time.
        """
        # Otherwise the timing would reveal that there was no choice.
        with suppress(NoAnswerError):
            self._ask(ask)

    def _remaining_seconds(self, ask: QuestionToSeat, mailbox: SeatQuestionState) -> float:
        if mailbox.is_owner_erased:
            raise NoAnswerError("timeout", "away: the player's account was deleted")
        if self._number != ask.id:
            self._number, self._since = ask.id, time.monotonic()
        left, until = settings.SEATS["adjourn_seconds"] - (time.monotonic() - self._since), None
        if self._hand_ms is not None:
            until = mailbox.asked_at + timedelta(milliseconds=self._hand_ms)
            due = self._hand_ms / 1000 - self._ages.seconds_since("asked", mailbox.asked_at)
            if due <= 0:
                raise NoAnswerError("timeout", f"late: no answer within {self._hand_ms} ms")
            left = min(left, due) if left > 0 else left
        if left <= 0:
            raise MatchAdjournedError(self.seat, until)
        return left

    def _judge_answer(self, ask: QuestionToSeat, mailbox: SeatQuestionState) -> PlayerAnswer:  # noqa: ARG002 - an override
        assert mailbox.choice is not None
        return PlayerAnswer(mailbox.choice)
