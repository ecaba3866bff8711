"""Who is refused reads why in Chinese, by each door: programs, pages, forms and the guard against forged forms."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from bots.tokens import new_token
from notices.endpoints import KINDS
from tests.support.entering import mine, opened
from tests.support.factories import AuthorFactory
from tournaments.roles import Refusal

pytestmark = pytest.mark.django_db
TAGS = {"Accept-Language": "zh-TW"}


@pytest.fixture
def ada() -> User:
    person: User = AuthorFactory.create(username="ada")
    mine("ada", person)
    mine("bea")
    opened()
    return person


@pytest.fixture
def browser(ada: User) -> Client:
    browser = Client(headers=TAGS)
    browser.force_login(ada)
    return browser


def asked(browser: Client, path: str, **said: object) -> tuple[int, str]:
    """Return the status of a program's request, and why it was refused."""
    answer = browser.post(f"/api/v1/{path}", said, "application/json")
    return answer.status_code, answer.json()["detail"]


def test_a_program_that_enters_the_bot_of_others_is_told_why_and_the_desk_keeps_it_in_english(browser: Client) -> None:
    assert asked(browser, "leagues/night/entries/", bot="bea") == (403, "bea 是別人的機器人；由它的作者替它報名")
    assert Refusal.objects.get().why == "bea is somebody else's bot; its authors enter it"


def test_what_a_league_a_challenge_or_a_remote_bot_cannot_be_is_told(browser: Client) -> None:
    said = asked(browser, "challenges/", bot="ada", against=["bea"], matches=3, duplicate=True)
    assert said == (409, "輪換座位重下時每副牌局要 2 場：請要求它的倍數")
    taken = asked(browser, "bots/remote/", game="pig", bot="bea")
    assert taken == (400, "名字 'bea' 屬於別人；請改用別的")
    assert asked(browser, "bots/ada/activate/", version=9) == (404, "ada 沒有第 9 版")


def test_an_upload_that_is_refused_is_told_why_to_programs_and_on_the_page(browser: Client) -> None:
    said = {"game": "pig", "bot": "bea", "file": SimpleUploadedFile("bot.py", b"print(1)")}
    answer = browser.post("/api/v1/bots/uploads/", said)
    assert (answer.status_code, answer.json()["code"]) == (400, "taken")
    assert answer.json()["detail"] == "名字 'bea' 屬於別人；請改用別的"
    page = browser.post("/account/", said | {"file": SimpleUploadedFile("bot.py", b"print(1)")})
    assert "屬於別人；請改用別的" in page.content.decode()


def test_a_token_that_is_none_and_one_without_the_scope_are_told_what_to_do(ada: User) -> None:
    program = Client(headers=TAGS)
    strange = program.get("/api/v1/account/", headers={"Authorization": "Token nobodys"})
    bare = new_token(ada, scopes=["read"])
    narrow = program.post("/api/v1/bots/remote/", {}, headers={"Authorization": f"Token {bare}"})
    assert narrow.status_code == 403
    assert "缺少權限 'play'" in narrow.json()["detail"]
    assert strange.status_code in (401, 404)


def test_a_page_says_why_something_was_not_done(browser: Client) -> None:
    page = browser.post("/bots/ada/team/", {"name": "nobody"}, follow=True).content.decode()
    assert "沒有別的作者名叫 &#x27;nobody&#x27;" in page


def test_a_webhook_is_refused_in_the_form(browser: Client) -> None:
    page = browser.post(
        "/account/webhooks/", {"url": "ftp://bots.example/", "kinds": [next(iter(KINDS))]}
    ).content.decode()
    assert "網址必須以 https:// 或 http:// 開頭" in page


def test_an_address_that_asks_for_what_is_not_known_is_answered_in_chinese(browser: Client) -> None:
    answer = browser.get("/leagues/?nonsense=1")
    assert (answer.status_code, "這裡不認得 &#x27;nonsense&#x27;；" in answer.content.decode()) == (400, True)


def test_a_forged_form_is_turned_away_in_chinese() -> None:
    answer = Client(enforce_csrf_checks=True, headers=TAGS).post("/sign-in/token/", {"token": "x"})
    assert (answer.status_code, "CSRF 驗證失敗" in answer.content.decode()) == (403, True)
