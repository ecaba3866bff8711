"""Player for a remote bot, whose program connects to this server."""
# The server process that has a bot's connection measures its time, so that delays between server processes are not
# charged to the bot.

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings

from ftk_core.players import DecisionTime, NoAnswerError, PlayerAnswer, QuestionToSeat
from replays.seats.remote_and_human_players import POLL_SECONDS, RemoteOrHumanPlayer
from replays.seats.seat_question_mailbox import SeatQuestionState

MAX_UNANSWERED_QUESTIONS = 3
"""Number of unanswered questions in a row after which questions time out at once until the program reconnects."""


class RemoteBotPlayer(RemoteOrHumanPlayer):
    """Player for a remote bot, whose program may be absent for a limited time."""

    _away_since: datetime | None = None
    _seconds_away, _silences, _given_up = 0.0, 0, ""

    def _remaining_seconds(self, ask: QuestionToSeat, mailbox: SeatQuestionState) -> float:
        until = mailbox.alive_until if mailbox.closed_at is None else None
        if until is not None and self._ages.seconds_since("alive", until) < 0:
            self._come_back()
            return self._remaining_clock_seconds(ask, mailbox)
        return self._remaining_absence_seconds(mailbox)

    def _come_back(self) -> None:
        if self._away_since is not None:
            self._seconds_away += max(0.0, self._ages.seconds_since("away", self._away_since))
            self._away_since = None

    def _remaining_clock_seconds(self, ask: QuestionToSeat, mailbox: SeatQuestionState) -> float:
        """Return the seconds that the bot has left to answer. Raises NoAnswerError if there are none."""
        # Before the question is sent, the result is POLL_SECONDS, after which the caller checks again.
        if self._given_up == mailbox.connection:
            raise NoAnswerError(
                "timeout", f"late: silent for {MAX_UNANSWERED_QUESTIONS} questions, and not connected anew"
            )
        if mailbox.sent_at is None:  # not sent yet, so that the clock does not run
            return POLL_SECONDS
        had = mailbox.spent_ms / 1000 + self._ages.seconds_since("sent", mailbox.sent_at)
        limit = (self._limit_ms(ask) + settings.SEATS["slack_ms"]) / 1000
        if had >= limit:
            self._silences += 1
            if self._silences >= MAX_UNANSWERED_QUESTIONS:
                self._given_up = mailbox.connection
            raise self._late_answer_error(ask)
        return limit - had

    def _remaining_absence_seconds(self, mailbox: SeatQuestionState) -> float:
        """Return the seconds that the program may still be absent. Raises NoAnswerError if there are none."""
        # If a server process died, the first SEATS["lost_seconds"] after `RemoteBotPresence.alive_until` do not count.
        # Neither does the time before this player began: a stopped arena must not use up the grace period.
        lost = timedelta(seconds=settings.SEATS["lost_seconds"])
        gone = mailbox.closed_at or (mailbox.alive_until and mailbox.alive_until + lost)
        if self._away_since is None:
            self._away_since = max(self._begun, mailbox.asked_at, gone or mailbox.asked_at)
        away = self._seconds_away + self._ages.seconds_since("away", self._away_since)
        left = float(settings.SEATS["grace_seconds"]) - away
        if left <= 0:
            raise NoAnswerError("timeout", f"away: not connected for {settings.SEATS['grace_seconds']} s of the match")
        return left

    def _limit_ms(self, ask: QuestionToSeat) -> int:
        return ask.limit_ms + int(settings.SEATS["allowance_ms"])

    def _late_answer_error(self, ask: QuestionToSeat) -> NoAnswerError:
        spent = DecisionTime(charged_us=ask.limit_ms * 1000) if settings.METERED else DecisionTime()
        return NoAnswerError("timeout", f"late: no answer within {self._limit_ms(ask)} ms", spent)

    def _judge_answer(self, ask: QuestionToSeat, mailbox: SeatQuestionState) -> PlayerAnswer:
        self._come_back()  # it may have come back and answered between two readings
        self._silences = 0
        if mailbox.took_ms > self._limit_ms(ask):
            raise self._late_answer_error(ask)
        charged_us = max(0, mailbox.took_ms - int(settings.SEATS["allowance_ms"])) * 1000
        spent = DecisionTime(charged_us, wall_us=mailbox.took_ms * 1000) if settings.METERED else DecisionTime()
        if mailbox.choice is None:
            raise NoAnswerError("nonsense", mailbox.fault, spent)
        return PlayerAnswer(mailbox.choice, spent)
