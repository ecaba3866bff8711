"""Account page without JavaScript: sign-in by token, uploads and tokens."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from bots.access.api_tokens import MAX_TOKENS, InvalidTokenError, authenticate_token, create_token, list_tokens
from bots.models import BotVersion

pytestmark = pytest.mark.django_db
WANTED = {"name": "laptop", "scopes": ["upload", "read"], "days": "30"}
GOOD = b"from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n"


@pytest.fixture
def author() -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def signed_in(author: User, client: Client) -> Client:
    assert client.post("/sign-in/token/", {"token": create_token(author)}).headers["Location"] == "/account/"
    return client


def send(client: Client, name: str = "mybot", body: bytes = GOOD, file: str = "bot.py", game: str = "pig") -> str:
    answer = client.post("/account/", {"game": game, "bot": name, "file": SimpleUploadedFile(file, body)})
    assert answer.status_code in (302, 400)
    return answer.content.decode() if answer.status_code == 400 else "sent"


def test_a_valid_token_signs_its_owner_in(signed_in: Client) -> None:
    page = signed_in.get("/account/")
    assert page.status_code == 200
    assert "<h1>ada</h1>" in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]


@pytest.mark.parametrize("token", ["", "nonsense", "f" * 64, "f" * 500, "ftk_pat_" + "0" * 46])
def test_an_unknown_token_does_not_sign_in(token: str, author: User, client: Client) -> None:
    create_token(author)
    answer = client.post("/sign-in/token/", {"token": token})
    assert answer.status_code == 400
    assert "error" in answer.content.decode()
    assert client.get("/account/").headers["Location"] == "/sign-in/?next=/account/"


def test_a_revoked_token_does_not_sign_in(signed_in: Client, author: User) -> None:
    token = create_token(author)
    signed_in.post("/account/tokens/", {"revoke": token[: len(list_tokens(author)[0].start)]})
    with pytest.raises(InvalidTokenError, match="revoked"):
        authenticate_token(token)
    assert len(list_tokens(author)) == 1


@pytest.mark.parametrize(("onward", "arrived"), [("/bots/", "/bots/"), ("https://elsewhere.example/", "/account/")])
def test_sign_in_redirects_only_to_pages_of_this_site(onward: str, arrived: str, author: User, client: Client) -> None:
    answer = client.post(f"/sign-in/token/?next={onward}", {"token": create_token(author)})
    assert answer.headers["Location"] == arrived


def test_a_newly_uploaded_bot_is_shown_as_on_trial(signed_in: Client, author: User) -> None:
    assert send(signed_in) == "sent"
    version = BotVersion.objects.get()
    assert (version.bot.slug, version.bot.owner, version.status) == ("mybot", author, "trial")
    assert "/bots/mybot/versions/1/" in signed_in.get("/account/").content.decode()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"body": b""}, "the file is empty"),
        ({"body": b"PK nonsense", "file": "bot.zip"}, "zip"),
        ({"body": b"x" * 1_100_000}, "1048576 are allowed"),
        ({"name": "My Bot"}, "Small letters"),
        ({"name": "mybot\n"}, "Small letters"),
        ({"game": "chess"}, "Select a valid choice"),
    ],
)
def test_an_upload_error_is_shown_beside_its_field(fields: dict[str, Any], said: str, signed_in: Client) -> None:
    assert said in send(signed_in, **fields)


def test_a_new_token_is_shown_once_and_works(signed_in: Client, author: User) -> None:
    page = signed_in.post("/account/tokens/", WANTED, follow=True).content.decode()
    shown = re.search(r"<code>(ftk_pat_\w{46})</code>", page)
    assert shown
    token = authenticate_token(shown[1])
    assert (token.owner, token.start, token.name, token.scopes) == (author, shown[1][:15], "laptop", ["upload", "read"])
    assert token.expires_at is not None
    assert (token.expires_at - token.created_at).days == 30
    assert shown[1] not in signed_in.get("/account/tokens/").content.decode()


def test_the_number_of_tokens_is_limited(signed_in: Client, author: User) -> None:
    for _ in range(MAX_TOKENS - 1):
        create_token(author)
    page = signed_in.post("/account/tokens/", WANTED, follow=True).content.decode()
    assert f"you have {MAX_TOKENS} tokens" in page
    assert len(list_tokens(author)) == MAX_TOKENS


def test_signing_out_ends_the_session(signed_in: Client) -> None:
    assert "Are you sure" in signed_in.get("/sign-out/").content.decode()
    assert signed_in.get("/account/").status_code == 200
    signed_in.post("/sign-out/")
    assert signed_in.get("/account/").headers["Location"] == "/sign-in/?next=/account/"


SECTIONS = (
    "/account/",
    "/account/tokens/",
    "/account/notices/",
    "/account/webhooks/",
    "/account/sessions/",
    "/account/profile/",
)


@pytest.mark.parametrize("path", [*SECTIONS, "/account/safety/", "/account/email/", "/account/password/"])
def test_each_account_page_links_to_all_account_sections_and_marks_the_current_section(
    path: str, author: User, client: Client
) -> None:
    author.set_password("a long enough one")
    author.save()
    client.force_login(author)
    page = client.get(path).content.decode()
    [tabs] = re.findall(r'<nav class="tabs wrapped".*?</nav>', page, re.DOTALL)
    assert tuple(re.findall(r'href="([^"]+)"', tabs)) == SECTIONS
    current = re.findall(r'href="([^"]+)" aria-current="page"', tabs)
    assert len(current) == 1
    assert path not in SECTIONS or current == [path]


@pytest.mark.parametrize("path", SECTIONS)
def test_account_pages_are_not_cached_and_redirect_visitors_to_the_sign_in_page(path: str, signed_in: Client) -> None:
    assert "no-store" in signed_in.get(path).headers["Cache-Control"]
    assert Client().get(path).headers["Location"] == f"/sign-in/?next={path}"


def test_the_profile_link_on_the_account_page_has_the_html_id_account(signed_in: Client) -> None:
    assert '<a id="account" href="/account/profile/">' in signed_in.get("/account/").content.decode()


def test_only_the_author_can_read_the_report_of_a_trial(signed_in: Client) -> None:
    stranger = Client()
    stranger.force_login(User.objects.create_user("bo"))
    send(signed_in)
    BotVersion.objects.update(trial_log="question 1: refused")
    assert "question 1: refused" in signed_in.get("/bots/mybot/versions/1/").content.decode()
    for client in (stranger, Client()):
        assert "question 1: refused" not in client.get("/bots/mybot/versions/1/").content.decode()
