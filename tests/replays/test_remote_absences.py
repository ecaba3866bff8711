"""Absences of a remote bot's program, and faults of the arena that must not count as such."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from django.db import OperationalError
from django.utils import timezone

from ftk_core.games import game
from ftk_core.kit.protocol.answer_time_rounding import RecentAnswerTimes
from ftk_core.players import QuestionToSeat
from replays.live import remote_bot_consumer
from replays.models import MatchSeat, SeatQuestionMailbox
from replays.playing.match_cancellation import end_match
from replays.seats import remote_bot_presence, timestamp_age_meter
from replays.seats.remote_and_human_players import RemoteBotPlayer
from replays.seats.seat_question_mailbox import SeatQuestionState
from tests.support.factories import create_active_version
from tests.support.seats import RemoteProgram, create_remote_version, create_seated_match, play_in_thread
from tests.support.served import serve

pytestmark = pytest.mark.django_db(transaction=True)


def create_player(seat: MatchSeat) -> RemoteBotPlayer:
    return RemoteBotPlayer(
        seat, waiting=lambda: None, recall=lambda _seat: None, recent_answer_times=RecentAnswerTimes()
    )


def create_absence(asked_at: datetime, closed_at: datetime) -> SeatQuestionState:
    """Return the state of an unanswered question whose bot has disconnected."""
    times = {"asked_at": asked_at, "sent_at": None, "alive_until": closed_at, "closed_at": closed_at}
    return SeatQuestionState(
        **times,
        spent_ms=0,
        answered=False,
        choice=None,
        fault="",
        note="",
        took_ms=0,
        connection="c",
        is_owner_erased=False,
    )


def create_question() -> QuestionToSeat:
    return QuestionToSeat(game("pig"), None, 0, (), number=1)


def test_the_time_for_which_the_arena_was_stopped_does_not_count_towards_the_grace_period() -> None:
    match = create_seated_match([create_remote_version(), create_active_version()])
    before = timezone.now() - timedelta(minutes=10)
    resumed = create_player(match.seats.get(seat=0))
    assert resumed._remaining_seconds(create_question(), create_absence(before, before)) == pytest.approx(60, abs=2)


def test_the_absence_of_a_remote_bot_ends_with_its_answer_and_not_only_at_the_next_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = create_seated_match([create_remote_version(), create_active_version()])
    player, question, passed = create_player(match.seats.get(seat=0)), create_question(), 0.0
    monkeypatch.setattr(timestamp_age_meter, "time", SimpleNamespace(monotonic=lambda: passed))
    absence = create_absence(timezone.now(), timezone.now())
    player._remaining_seconds(question, absence)
    passed = 3.0
    player._judge_answer(question, replace(absence, answered=True, choice=0))
    passed = 73.0
    absence = create_absence(timezone.now(), timezone.now())
    assert player._remaining_seconds(question, absence) == pytest.approx(57, abs=2)


@pytest.mark.slow
def test_the_arena_closes_the_connection_of_a_remote_bot_if_it_cannot_load_the_question_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_words: object) -> str:
        raise OperationalError("the database is away")

    version = create_remote_version()
    match = create_seated_match([version, create_active_version()])
    with serve() as arena, monkeypatch.context() as patched, play_in_thread(match):
        patched.setattr(remote_bot_consumer, "question_text", fail)
        with RemoteProgram(arena.port, version, form="text") as program:
            assert program.code() == 4500
        patched.undo()
        with RemoteProgram(arena.port, version, form="text") as program:
            assert program.question()["text"]
            end_match(match.pk, "enough")


def test_a_question_that_was_open_for_months_does_not_prevent_a_connection() -> None:
    version = create_remote_version()
    match = create_seated_match([version, create_active_version()])
    mailbox = SeatQuestionMailbox.objects.create(seat=match.seats.get(seat=0), bot=version.bot, hello="", number=1)
    name, _ = remote_bot_presence.connect(version.bot_id)
    SeatQuestionMailbox.objects.update(sent_at=timezone.now() - timedelta(days=90))
    remote_bot_presence.disconnect(version.bot_id, name)
    mailbox.refresh_from_db()
    assert mailbox.spent_ms == 2**31 - 1
