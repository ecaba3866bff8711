"""Absences of a remote bot's program, and faults of the arena that must not count as such."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace

import msgspec
import pytest
from django.db import OperationalError
from django.utils import timezone

from ftk_core.games import game
from ftk_core.kit.protocol.answer_time_rounding import RecentAnswerTimes
from ftk_core.log_entries import ChoiceMade
from ftk_core.players import HelloMessage, QuestionToSeat
from replays.live import remote_bot_consumer
from replays.models import MatchSeat, SeatQuestionMailbox
from replays.playing import match_voiding_after_failures
from replays.playing.match_cancellation import end_match
from replays.seats import remote_bot_presence, seat_question_mailbox, timestamp_age_meter
from replays.seats.remote_bot_player import RemoteBotPlayer
from replays.seats.seat_question_mailbox import SeatQuestionState
from tests.support.factories import create_active_version
from tests.support.seats import RemoteProgram, create_remote_version, create_seated_match, play_in_thread
from tests.support.served import serve

HELLO = HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0)
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
        number=1,
        spent_ms=0,
        answered=False,
        choice=None,
        fault="",
        note="",
        took_ms=0,
        connection="c",
        is_owner_erased=False,
    )


def create_question(number: int = 1) -> QuestionToSeat:
    return QuestionToSeat(game("pig"), None, 0, (), number=number)


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


def test_notes_and_faults_of_a_remote_bot_are_kept_when_its_match_is_resumed() -> None:
    seat = create_seated_match([create_remote_version(), create_active_version()]).seats.get(seat=0)
    for number in (1, 2, 2):
        player = create_player(MatchSeat.objects.get(pk=seat.pk))
        player.greet(HELLO)
        player._remember("notes", number, f"depth={number}")
        player._remember("faults", number, "malformed: no JSON")
    resumed = create_player(MatchSeat.objects.get(pk=seat.pk))
    resumed.greet(HELLO)
    assert resumed.notes == [(1, "depth=1"), (2, "depth=2")]
    assert resumed.faults == [(1, "malformed: no JSON"), (2, "malformed: no JSON")]
    # the stand-in for a match that is closed by its log alone
    stand_in = match_voiding_after_failures._make_stand_in(seat)
    assert (stand_in.notes, stand_in.faults) == (resumed.notes, resumed.faults)


def test_an_answer_to_a_question_of_a_worker_that_lost_the_match_does_not_count_for_the_current_question() -> None:
    seat = create_seated_match([create_remote_version(), create_active_version()]).seats.get(seat=0)
    player, present, late = create_player(seat), create_question(8), create_question(7)
    player.greet(HELLO)
    seat_question_mailbox.put_question(seat, present)
    seat_question_mailbox.put_question(seat, late)
    answers = {7: 1, 8: 0}

    def answer_what_is_asked() -> None:
        mailbox = SeatQuestionMailbox.objects.filter(seat=seat)
        mailbox.update(answered_at=timezone.now(), choice=answers[mailbox.get().number])

    answer_what_is_asked()
    player._waiting = answer_what_is_asked
    woken = threading.Event()
    woken.set()
    answer = None
    while answer is None:
        answer_what_is_asked()
        answer = player._wait(present, woken)
    assert answer.index == 0


def test_a_forced_move_of_a_remote_bot_takes_its_usual_time_also_after_its_match_was_resumed() -> None:
    seat = create_seated_match([create_remote_version(), create_active_version()]).seats.get(seat=0)
    logged, times = ChoiceMade(seq=1, seat=0, action=msgspec.Raw(b"{}"), wall_us=400_000), RecentAnswerTimes()
    player = RemoteBotPlayer(seat, waiting=lambda: None, recall=lambda _seat: logged, recent_answer_times=times)
    for number in range(3):
        player.choose(create_question(number))
    assert times.median_answer_time_us(seat.pk) == 400_000
