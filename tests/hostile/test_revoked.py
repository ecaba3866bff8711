"""Revoking a token ends what it began, and what everybody reads of a trial is ours."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import closing
from threading import Event
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from bots import services
from bots.models import BotVersion
from bots.tokens import new_token
from deploy.entrance import vigil
from people.models import SignIn
from tests.support.factories import AuthorFactory
from tests.support.live import LiveMatch
from tests.support.served import served
from tests.support.sockets import RawSocket
from tests.support.uploads import client_of, upload

pytestmark = pytest.mark.django_db(transaction=True)
STAYS = b"import sys, time\nfor line in sys.stdin:\n    time.sleep(60)\n"


def signed_in(token: str, browser: str = "Firefox") -> Client:
    client = Client(headers={"User-Agent": browser})
    assert client.post("/sign-in/token/", {"token": token}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def test_sessions_that_began_with_a_token_end_with_it_and_others_go_on() -> None:
    author = AuthorFactory.create()
    lost, kept = new_token(author), new_token(author)
    thief, owner = signed_in(lost), signed_in(kept)
    assert owner.post("/account/tokens/", {"revoke": lost[:15]}).status_code == 302
    assert (is_in(thief), is_in(owner)) == (False, True)
    assert Session.objects.count() == SignIn.objects.count() == 1


def test_sessions_are_listed_and_can_be_ended_by_their_person_alone() -> None:
    author = AuthorFactory.create()
    here, there, other = signed_in(new_token(author)), signed_in(new_token(author), "<b>Lynx"), AuthorFactory.create()
    page = here.get("/account/").content.decode()
    assert page.count("(this one)") == 1
    assert "&lt;b&gt;Lynx" in page
    numbers = list(SignIn.objects.filter(owner=author).order_by("pk").values_list("pk", flat=True))
    signed_in(new_token(other)).post("/account/sessions/", {"end": numbers[1]})
    assert is_in(there), "it is not the other's to end"
    here.post("/account/sessions/", {"end": numbers[1]})
    assert (is_in(there), is_in(here)) == (False, True)
    for nonsense in ("", "-1", "²", "9" * 40, "\0"):
        assert here.post("/account/sessions/", {"end": nonsense}).status_code in (302, 400)


def test_a_socket_ends_with_the_session_that_opened_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vigil, "LOOK_SECONDS", 3600.0)  # nobody looks who was not poked
    author, match = AuthorFactory.create(), LiveMatch()
    lost, kept = new_token(author), new_token(author)
    with served() as web:
        sockets = [
            RawSocket(
                web.port, match.path, headers=[f"Cookie: sessionid={signed_in(token).cookies['sessionid'].value}"]
            )
            for token in (lost, kept)
        ]
        with closing(sockets[0]), closing(sockets[1]), closing(RawSocket(web.port, match.path)) as anonymous:
            signed_in(kept).post("/account/tokens/", {"revoke": lost[:15]})
            assert closing_code(sockets[0]) == vigil.ENDED
            for socket in (sockets[1], anonymous):
                socket.watch()
                match.grow(match.to_next_fact())
                assert next(socket.messages())["type"] == "frames"


async def test_a_socket_that_opens_while_sessions_are_looked_for_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, goes_on = Event(), Event()

    def slowly(keys: Collection[str]) -> set[str]:
        looks.set()
        assert goes_on.wait(20)
        return {key for key in keys if key != "over"}

    monkeypatch.setattr(vigil, "alive", slowly)
    watch = vigil.Vigil()
    over, first = watch.join("over"), watch.join("first")
    assert await asyncio.to_thread(looks.wait, 20)
    second = watch.join("second")
    goes_on.set()
    await asyncio.wait_for(over, 20)
    assert not first.done()
    assert not second.done()
    for key, ended in (("over", over), ("first", first), ("second", second)):
        watch.leave(key, ended)


def closing_code(socket: RawSocket) -> int:
    """Return the code that the server closes a socket with."""
    frame = b""
    while len(frame) < 4:
        frame += socket.socket.recv(4 - len(frame))
    assert frame[0] == 0x88
    return int.from_bytes(frame[2:4], "big")


def test_trials_of_what_came_by_a_token_end_with_it_and_a_late_verdict_changes_nothing() -> None:
    author = AuthorFactory.create()
    mine, client = new_token(author), client_of(author)
    token = client._credentials["HTTP_AUTHORIZATION"].split()[1]
    waiting = BotVersion.objects.get(pk=upload(client, bot="a").data["id"])
    running = BotVersion.objects.get(pk=upload(client, bot="b").data["id"])
    page = signed_in(mine)

    def verdict_of(version: BotVersion, *_words: Any) -> str:
        version.refresh_from_db()
        return str(version.status)

    original = services._verdict_on

    def revoked_meanwhile(version: BotVersion) -> Any:
        page.post("/account/tokens/", {"revoke": token[:15]})
        return original(version)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "_verdict_on", revoked_meanwhile)
        assert services.try_out(running.pk).status == BotVersion.Status.REFUSED
    assert verdict_of(waiting) == verdict_of(running) == "refused"
    assert "revoked" in waiting.reason
    assert upload(client, bot="c").status_code == 401


def test_what_is_sent_through_the_page_belongs_to_the_token_that_opened_it() -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    author = AuthorFactory.create()
    token = new_token(author)
    client = signed_in(token)
    client.post("/account/", {"game": "pig", "bot": "ada", "file": SimpleUploadedFile("bot.py", STAYS)})
    assert BotVersion.objects.get().token == token[:15]


SAYS = [
    b"import sys\nprint('SECRET', file=sys.stderr)\nraise SystemExit(1)\n",
    b"import sys\nfor line in sys.stdin:\n    print('SECRET', flush=True)\n",
    b"import sys, json\nfor line in sys.stdin:\n    print(json.dumps({'id': 1, 'choose': 987654321}), flush=True)\n",
    b"raise RuntimeError('SECRET')\n",
]


@pytest.mark.slow
@pytest.mark.parametrize("body", SAYS)
def test_the_reason_that_everybody_reads_is_in_our_words(body: bytes, client: Client) -> None:
    version = services.try_out(upload(client_of(AuthorFactory.create()), body, bot="ada").data["id"])
    assert version.status == BotVersion.Status.REFUSED
    for word in ("SECRET", "987654321"):
        assert word not in version.reason
        for path in (
            "/bots/ada/",
            "/bots/ada/versions/1/",
            "/api/v1/bots/ada/",
            f"/api/v1/bots/versions/{version.pk}/",
        ):
            assert word not in client.get(path).content.decode()
    assert version.reason.isprintable()
    assert len(version.reason) < 80
