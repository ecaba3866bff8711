"""WebSockets of people who lose their rights while connected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from bots.access.api_tokens import create_token
from bots.access.teams import remove_co_author
from bots.models import Bot, CoAuthor
from replays.live import broadcast_groups
from tests.support.factories import AuthorFactory
from tests.support.live import LiveMatch
from tests.support.match_subscribers import read_entries_to
from tests.support.seats import RemoteProgram, create_remote_version
from tests.support.served import WebServer, serve
from tests.support.sockets import RawSocket

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def arena(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    settings.SEATS = {**settings.SEATS, "alive_seconds": 1}
    monkeypatch.setattr(broadcast_groups, "RIGHTS_SECONDS", 0.0)
    monkeypatch.setattr(broadcast_groups, "POLL_SECONDS", 0.2)
    with serve() as running:
        yield running


def add_co_author(bot: Bot) -> User:
    person: User = AuthorFactory.create()
    CoAuthor.objects.create(bot=bot, person=person, accepted_at=timezone.now())
    return person


def open_match(arena: WebServer, match: LiveMatch, person: User) -> RawSocket:
    browser = Client()
    browser.force_login(person)
    return RawSocket(arena.port, match.path, headers=[f"Cookie: sessionid={browser.cookies['sessionid'].value}"])


def test_removing_a_co_author_closes_the_connection_of_the_remote_bot_that_the_co_author_runs(arena: WebServer) -> None:
    version = create_remote_version()
    leaver = add_co_author(version.bot)
    with RemoteProgram(arena.port, version, create_token(leaver, scopes=["play"])) as program:
        program.read()
        remove_co_author(version.bot.owner, version.bot.slug, leaver.username)
        assert program.code() == 4404
        assert program.socket.close_reason == "you have no remote bot 'afar'"


def test_banning_a_bot_closes_the_connection_of_its_program_with_the_reason(arena: WebServer) -> None:
    version = create_remote_version()
    with RemoteProgram(arena.port, version) as program:
        program.read()
        Bot.objects.filter(pk=version.bot.pk).update(banned="作弊" * 60)
        assert program.code() == 4404
        reason = program.socket.close_reason
        assert reason is not None
        assert reason.startswith("afar is banned: 作弊")
        assert len(reason.encode()) in range(120, 124)


def test_a_spectator_who_loses_the_right_to_see_a_seat_gets_no_more_frames_of_it(arena: WebServer) -> None:
    match = LiveMatch()
    match.grow(5)
    bot = match.match.seats.get(seat=0).version.bot
    leaver, stayer = add_co_author(bot), add_co_author(bot)
    with ExitStack() as stack:
        left, stays, public = (
            stack.enter_context(closing(open_match(arena, match, person))) for person in (leaver, stayer, leaver)
        )
        for socket, eyes in ((left, "0"), (stays, "0"), (public, "public")):
            socket.watch(eyes=eyes)
            read_entries_to(socket, match.pictured[-1])
        remove_co_author(bot.owner, bot.slug, leaver.username)
        assert left.close_code() == 4401
        match.grow(10)
        for socket in (stays, public):
            read_entries_to(socket, match.pictured[-1])
