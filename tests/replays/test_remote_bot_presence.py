"""Presence of remote bots: a connection that the arena ends is not recorded as the bot's absence."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from replays.live import remote_bot_consumer
from replays.models import SeatQuestionMailbox
from replays.models.remote_bot_presences import RemoteBotPresence
from replays.seats import remote_bot_presence
from tests.support.factories import create_active_version
from tests.support.seats import RemoteProgram, create_remote_version, create_seated_match
from tests.support.served import serve
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)
SOON = 5
"""Seconds within which a presence expires if the arena ends it, instead of the usual ten."""


def has_expired() -> bool:
    return RemoteBotPresence.objects.filter(alive_until__lte=timezone.now()).exists()


def test_after_a_web_server_shutdown_a_remote_bot_counts_as_disconnected_by_the_arena_and_not_as_absent() -> None:
    with serve() as arena, RemoteProgram(arena.port, create_remote_version()) as program:
        program.read()
        arena.server.should_exit = True
        assert program.code() == 1012
        wait_for(
            lambda: RemoteBotPresence.objects.filter(alive_until__lte=timezone.now()), "its presence has expired", 5
        )
    assert RemoteBotPresence.objects.get().closed_at is None


@pytest.mark.parametrize("code", [1012, 4500])
def test_a_remote_bot_that_closes_its_connection_with_a_close_code_of_the_arena_counts_as_absent(code: int) -> None:
    with serve() as arena, RemoteProgram(arena.port, create_remote_version()) as program:
        program.read()
        program.socket.close(code)
        wait_for(lambda: RemoteBotPresence.objects.get().closed_at, "it is known to be away")


@pytest.mark.slow
def test_after_an_error_of_the_arena_a_remote_bot_counts_as_disconnected_by_the_arena_and_not_as_absent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serve() as arena, RemoteProgram(arena.port, create_remote_version()) as program:
        program.read()
        monkeypatch.setattr(remote_bot_presence, "fetch_deliveries", fail)
        assert program.code() == 4500
        wait_for(
            lambda: RemoteBotPresence.objects.filter(alive_until__lte=timezone.now()), "its presence has expired", 5
        )
    assert RemoteBotPresence.objects.get().closed_at is None


def fail(_connections: object) -> None:
    raise ValueError("a fault of the arena")


@pytest.mark.slow
@pytest.mark.parametrize(("error", "lost"), [(OperationalError("away"), True), (ValueError("recurs"), False)])
def test_a_question_without_readable_text_is_not_charged_to_the_bot_if_the_database_failed(
    monkeypatch: pytest.MonkeyPatch, error: Exception, lost: bool
) -> None:
    def refuse(*_question: object) -> None:
        raise error

    version = create_remote_version()
    seat = create_seated_match([version, create_active_version()]).seats.get(seat=0)
    SeatQuestionMailbox.objects.create(seat=seat, bot=version.bot, hello="{}", number=1, line="{}", items=2)
    monkeypatch.setattr(remote_bot_consumer, "question_text", refuse)
    with serve() as arena, RemoteProgram(arena.port, version, form="text") as program:
        assert program.code() == 4500
        wait_for(lambda: has_expired() or RemoteBotPresence.objects.get().closed_at, "the end is recorded", SOON)
    assert (RemoteBotPresence.objects.get().closed_at is None) == lost


def test_workers_learn_at_once_when_the_program_of_a_remote_bot_goes_and_when_it_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    version = create_remote_version()
    seat = create_seated_match([version, create_active_version()]).seats.get(seat=0)
    SeatQuestionMailbox.objects.create(seat=seat, bot=version.bot, hello="{}", number=1, line="{}", items=2)
    woken = list[object]()
    monkeypatch.setattr(remote_bot_presence, "notify_group", lambda _group, **said: woken.append(said["seats"]))
    name, _ = remote_bot_presence.connect(version.bot.pk)
    remote_bot_presence.disconnect(version.bot.pk, name)
    assert woken == [[seat.pk]] * 2


@pytest.mark.parametrize(("alive_seconds", "charged_ms"), [(9, 8000), (1, 1500)])
def test_a_program_is_not_charged_for_the_time_after_the_death_of_the_web_process_that_served_it(
    alive_seconds: int, charged_ms: int
) -> None:
    version, now = create_remote_version(), timezone.now()
    seat = create_seated_match([version, create_active_version()]).seats.get(seat=0)
    sent = {"number": 1, "line": "{}", "items": 2, "sent_at": now - timedelta(seconds=8)}
    SeatQuestionMailbox.objects.create(seat=seat, bot=version.bot, hello="{}", **sent)
    alive_until = now + timedelta(seconds=alive_seconds)
    RemoteBotPresence.objects.create(bot=version.bot, connection="before", since=now, alive_until=alive_until)
    remote_bot_presence.connect(version.bot.pk)
    assert SeatQuestionMailbox.objects.get().spent_ms == pytest.approx(charged_ms, abs=300)
