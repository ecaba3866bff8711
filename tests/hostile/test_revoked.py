"""Revocation of tokens: it ends everything that the token started; public reasons of trials quote no bot."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection
from contextlib import closing
from threading import Event
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from bots import services
from bots.access import device_authorization
from bots.access.api_tokens import create_token, revoke_token
from bots.models import ApiToken, BotVersion, CoAuthor, DeviceAuthorizationRequest
from deploy.http import websocket_session_watchdog
from ftk_core.kit.client.api_token_format import DEFAULT_SCOPES
from people.models import SignIn
from people.staff_audit_trail import make_shell_actor
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version
from tests.support.live import LiveMatch
from tests.support.people import is_signed_in, open_token_session
from tests.support.served import serve
from tests.support.sockets import RawSocket
from tests.support.uploads import create_api_client, upload
from tournaments.organisers import author_and_bot_bans

pytestmark = pytest.mark.django_db(transaction=True)
STAYS = b"import sys, time\nfor line in sys.stdin:\n    time.sleep(60)\n"


def test_revoking_a_token_ends_only_the_sessions_opened_with_that_token() -> None:
    author = AuthorFactory.create()
    lost, kept = create_token(author), create_token(author)
    thief, owner = open_token_session(lost), open_token_session(kept)
    assert owner.post("/account/tokens/", {"revoke": lost[:15]}).status_code == 302
    assert (is_signed_in(thief), is_signed_in(owner)) == (False, True)
    assert Session.objects.count() == SignIn.objects.count() == 1


def create_token_on_the_site(client: Client, days: int = 366) -> str:
    """Create a token in a signed-in session and return its secret, which the page shows once."""
    fields = {"name": "second", "scopes": list(DEFAULT_SCOPES), "days": days}
    page = client.post("/account/tokens/", fields, follow=True).content.decode()
    return re.findall(r"ftk_pat_\w{30,}", page)[0]


@pytest.mark.slow
def test_a_token_created_in_a_session_of_another_token_ends_together_with_that_token() -> None:
    author = AuthorFactory.create()
    lost, kept = create_token(author, days=1), create_token(author)
    second = create_token_on_the_site(open_token_session(lost))
    third = create_token_on_the_site(open_token_session(second))
    expiries = ApiToken.objects.filter(start__in=[token[:15] for token in (lost, second, third)])
    assert len(set(expiries.values_list("expires_at", flat=True))) == 1
    owner, thief = open_token_session(kept), open_token_session(third)
    owner.post("/account/tokens/", {"revoke": lost[:15]})
    assert (is_signed_in(thief), is_signed_in(owner)) == (False, True)
    assert list(ApiToken.objects.values_list("start", flat=True)) == [kept[:15]]


def test_a_device_login_approved_in_a_session_of_a_token_ends_together_with_that_token() -> None:
    author = AuthorFactory.create()
    lost = create_token(author, days=1)
    pending, fetched = (device_authorization.request_codes("cli", DEFAULT_SCOPES, "::1") for _ in range(2))
    browser = open_token_session(lost)
    expires_at = date_format(timezone.localtime(ApiToken.objects.get().expires_at), "DATETIME_FORMAT")
    for codes in (pending, fetched):
        page = browser.post("/device/", {"code": codes.user_code})
        assert f">{expires_at}</time>" in page.content.decode()
        browser.post("/device/", {"code": codes.user_code, "answer": "approve"})
    DeviceAuthorizationRequest.objects.update(interval=0)
    issued = device_authorization.fetch_token(fetched.device_code)
    assert 86_000 < issued.seconds <= 86_400
    revoke_token(author, lost[:15])
    assert not ApiToken.objects.exists()
    with pytest.raises(device_authorization.DeviceFlowError):
        device_authorization.fetch_token(pending.device_code)


def test_a_session_opened_with_a_token_cannot_set_the_first_password_of_an_account() -> None:
    author = AuthorFactory.create()
    author.set_unusable_password()
    author.save()
    browser = open_token_session(create_token(author))
    page = browser.post("/account/password/set/", {"password1": "a-long-Passw0rd", "password2": "a-long-Passw0rd"})
    assert page.status_code == 403
    assert "sign in with your password" in page.content.decode()
    assert ".." not in page.content.decode()
    author.refresh_from_db()
    assert not author.has_usable_password()


def test_only_the_owner_of_a_session_can_list_and_end_it() -> None:
    author = AuthorFactory.create()
    here, there = open_token_session(create_token(author)), open_token_session(create_token(author), "<b>Lynx")
    stranger = open_token_session(create_token(AuthorFactory.create()))
    page = here.get("/account/sessions/").content.decode()
    assert page.count("(this one)") == 1
    assert "&lt;b&gt;Lynx" in page
    numbers = list(SignIn.objects.filter(owner=author).order_by("pk").values_list("pk", flat=True))
    assert "Lynx" not in stranger.get("/account/sessions/").content.decode()
    stranger.post("/account/sessions/", {"end": numbers[1]})
    assert is_signed_in(there), "it is not the other's to end"
    here.post("/account/sessions/", {"end": numbers[1]})
    assert (is_signed_in(there), is_signed_in(here)) == (False, True)
    for nonsense in ("", "-1", "²", "9" * 40, "\0"):
        assert here.post("/account/sessions/", {"end": nonsense}).status_code in (302, 400)


@pytest.mark.slow
def test_revoking_a_token_closes_websockets_opened_in_its_sessions_but_no_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # without periodic checks, so that only the notification closes sockets
    monkeypatch.setattr(websocket_session_watchdog, "CHECK_SECONDS", 3600.0)
    author, match = AuthorFactory.create(), LiveMatch()
    lost, kept = create_token(author), create_token(author)
    with serve() as web:
        sockets = [
            RawSocket(
                web.port,
                match.path,
                headers=[f"Cookie: sessionid={open_token_session(token).cookies['sessionid'].value}"],
            )
            for token in (lost, kept)
        ]
        with closing(sockets[0]), closing(sockets[1]), closing(RawSocket(web.port, match.path)) as anonymous:
            open_token_session(kept).post("/account/tokens/", {"revoke": lost[:15]})
            assert closing_code(sockets[0]) == websocket_session_watchdog.SESSION_ENDED_CODE
            for socket in (sockets[1], anonymous):
                socket.watch()
                match.grow(match.to_next_fact())
                assert next(socket.messages())["type"] == "frames"


async def test_the_session_check_closes_no_websocket_that_was_opened_during_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks, goes_on = Event(), Event()

    def slowly(keys: Collection[str]) -> set[str]:
        looks.set()
        assert goes_on.wait(20)
        return {key for key in keys if key != "over"}

    monkeypatch.setattr(websocket_session_watchdog, "list_active_keys", slowly)
    watchdog = websocket_session_watchdog.SessionWatchdog()
    over, first = watchdog.watch("over"), watchdog.watch("first")
    assert await asyncio.to_thread(looks.wait, 20)
    second = watchdog.watch("second")
    goes_on.set()
    await asyncio.wait_for(over, 20)
    assert not first.done()
    assert not second.done()
    for key, ended in (("over", over), ("first", first), ("second", second)):
        watchdog.stop_watching(key, ended)


def closing_code(socket: RawSocket) -> int:
    """Return the code with which the server closes a socket."""
    frame = b""
    while len(frame) < 4:
        frame += socket.socket.recv(4 - len(frame))
    assert frame[0] == 0x88
    return int.from_bytes(frame[2:4], "big")


@pytest.mark.slow
def test_revoking_a_token_cancels_trials_of_its_uploads() -> None:
    author = AuthorFactory.create()
    mine, client = create_token(author), create_api_client(author)
    token = client._credentials["HTTP_AUTHORIZATION"].split()[1]
    waiting = BotVersion.objects.get(pk=upload(client, bot="a").data["id"])
    running = BotVersion.objects.get(pk=upload(client, bot="b").data["id"])
    page = open_token_session(mine)

    def verdict_of(version: BotVersion, *_words: Any) -> str:
        version.refresh_from_db()
        return str(version.status)

    original = services._play_trial

    def revoked_meanwhile(version: BotVersion) -> Any:
        page.post("/account/tokens/", {"revoke": token[:15]})
        return original(version)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "_play_trial", revoked_meanwhile)
        assert services.run_trial(running.pk).status == BotVersion.Status.REFUSED
    assert verdict_of(waiting) == verdict_of(running) == "refused"
    assert "revoked" in waiting.reason
    assert upload(client, bot="c").status_code == 401


def test_revoking_a_token_cancels_trials_of_its_uploads_to_a_shared_bot() -> None:
    friend, bot = AuthorFactory.create(), create_own_version("ada").bot
    CoAuthor.objects.create(bot=bot, person=friend, accepted_at=timezone.now())
    client = create_api_client(friend)
    version = BotVersion.objects.get(pk=upload(client, STAYS).data["id"])
    revoke_token(friend, version.token)
    version.refresh_from_db()
    assert (version.bot, version.status) == (bot, BotVersion.Status.REFUSED)


def test_an_upload_in_a_web_session_opened_by_a_token_is_attributed_to_that_token() -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    author = AuthorFactory.create()
    token = create_token(author)
    client = open_token_session(token)
    client.post("/account/", {"game": "pig", "bot": "ada", "file": SimpleUploadedFile("bot.py", STAYS)})
    assert BotVersion.objects.get().token == token[:15]


SAYS = [
    b"import sys\nprint('SECRET', file=sys.stderr)\nraise SystemExit(1)\n",
    b"import sys\nfor line in sys.stdin:\n    print('SECRET', flush=True)\n",
    b"import sys, json\nfor line in sys.stdin:\n    print(json.dumps({'id': 1, 'choose': 987654321}), flush=True)\n",
    b"raise RuntimeError('SECRET')\n",
]


@pytest.mark.nightly
@pytest.mark.parametrize("body", SAYS)
def test_the_public_reason_for_refusing_a_bot_contains_no_output_of_the_bot(body: bytes, client: Client) -> None:
    version = services.run_trial(upload(create_api_client(AuthorFactory.create()), body, bot="ada").data["id"])
    assert version.status == BotVersion.Status.REFUSED
    for word in ("SECRET", "987654321"):
        assert word not in version.reason
        for path in ("bots/ada/", "bots/ada/versions/1/", "api/v1/bots/ada/", f"api/v1/bots/versions/{version.pk}/"):
            assert word not in client.get(f"/{path}").content.decode()
    assert version.reason.isprintable()
    assert len(version.reason) < 80


def test_the_end_of_a_ban_does_not_continue_the_trial_of_a_version_whose_token_was_revoked() -> None:
    author, staff = AuthorFactory.create(), make_shell_actor("root", "looked at")
    upload(create_api_client(author))
    author_and_bot_bans.ban_bot(staff, "ada")
    revoke_token(author, ApiToken.objects.get().start)
    author_and_bot_bans.lift_bot(staff, "ada")
    assert [version.status for version in BotVersion.objects.all()] == ["refused"]
