"""Refusals for Chinese readers: the API, pages, forms and the CSRF check explain them in Chinese."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation

from bots.access.api_tokens import create_token
from notices.webhooks.webhook_endpoints import KINDS
from people.allauth_adapter import NAME_VALIDATOR
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tournaments.models.organiser_roles import Refusal

pytestmark = pytest.mark.django_db
TAGS = {"Accept-Language": "zh-TW"}


@pytest.fixture
def ada() -> User:
    person: User = AuthorFactory.create(username="ada")
    create_own_version("ada", person)
    create_own_version("bea")
    open_league()
    return person


@pytest.fixture
def browser(ada: User) -> Client:
    browser = Client(headers=TAGS)
    browser.force_login(ada)
    return browser


def asked(browser: Client, path: str, **said: object) -> tuple[int, str]:
    """Return the status of an API request and the reason of its refusal."""
    answer = browser.post(f"/api/v1/{path}", said, "application/json")
    return answer.status_code, answer.json()["detail"]


def test_the_reason_for_refusing_a_league_entry_is_shown_in_chinese_and_stored_in_english(browser: Client) -> None:
    assert asked(browser, "leagues/night/entries/", bot="bea") == (403, "bea 是別人的機器人；由它的作者替它報名")
    assert Refusal.objects.get().why == "bea is somebody else's bot; its authors enter it"


def test_refusals_of_leagues_challenges_and_remote_bots_are_explained_in_chinese(browser: Client) -> None:
    said = asked(browser, "challenges/", bot="ada", against=["bea"], matches=3, duplicate=True)
    assert said == (409, "輪換座位重下時每副牌局要 2 場：請要求它的倍數")
    taken = asked(browser, "bots/remote/", game="pig", bot="bea")
    assert taken == (400, "名字 'bea' 屬於別人；請改用別的")
    assert asked(browser, "bots/ada/activate/", version=9) == (404, "ada 沒有第 9 版")


def test_a_refused_upload_is_explained_in_chinese_by_api_and_page(browser: Client) -> None:
    said = {"game": "pig", "bot": "bea", "file": SimpleUploadedFile("bot.py", b"print(1)")}
    answer = browser.post("/api/v1/bots/uploads/", said)
    assert (answer.status_code, answer.json()["code"]) == (400, "taken")
    assert answer.json()["detail"] == "名字 'bea' 屬於別人；請改用別的"
    page = browser.post("/account/", said | {"file": SimpleUploadedFile("bot.py", b"print(1)")})
    assert "屬於別人；請改用別的" in page.content.decode()


def test_an_invalid_token_and_a_missing_scope_are_explained_in_chinese(ada: User) -> None:
    program = Client(headers=TAGS)
    strange = program.post("/api/v1/bots/remote/", {}, headers={"Authorization": "Token nobodys"})
    bare = create_token(ada, scopes=["read"])
    narrow = program.post("/api/v1/bots/remote/", {}, headers={"Authorization": f"Token {bare}"})
    assert narrow.status_code == 403
    assert "缺少權限 'play'" in narrow.json()["detail"]
    assert (strange.status_code, strange.json()["detail"]) == (401, "沒有人持有這個權杖；它可能已被撤銷。")


def test_a_page_explains_a_refused_action_in_chinese(browser: Client) -> None:
    page = browser.post("/bots/ada/team/", {"name": "nobody"}, follow=True).content.decode()
    assert "沒有別的作者名叫 &#x27;nobody&#x27;" in page


def test_a_refused_webhook_is_explained_in_chinese_in_the_form(browser: Client) -> None:
    page = browser.post(
        "/account/webhooks/", {"url": "ftp://bots.example/", "kinds": [next(iter(KINDS))]}
    ).content.decode()
    assert "網址必須以 https:// 或 http:// 開頭" in page


def test_an_unknown_query_parameter_is_answered_in_chinese(browser: Client) -> None:
    answer = browser.get("/leagues/?nonsense=1")
    assert (answer.status_code, "這裡不認得參數 &#x27;nonsense&#x27;；" in answer.content.decode()) == (400, True)


def test_a_csrf_failure_is_answered_in_chinese() -> None:
    answer = Client(enforce_csrf_checks=True, headers=TAGS).post("/sign-in/token/", {"token": "x"})
    assert (answer.status_code, "CSRF 驗證失敗" in answer.content.decode()) == (403, True)


@pytest.mark.parametrize("address", ["/search/", "/play/pig/"])
def test_the_form_option_labelled_any_is_translated_into_chinese(browser: Client, address: str) -> None:
    page = browser.get(address).content.decode()
    assert ">不限</option>" in page
    assert ">any</option>" not in page


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("/bots/ada/?opponent=nobody", "沒有機器人「nobody」。"),
        ("/bots/?after=nowhere", "不是這份清單裡的位置"),
        ("/leagues/night/standings/?after=9", "不是這份清單裡的位置"),
        ("/device/", "這組代碼不存在、已過期或已回覆"),
    ],
)
def test_errors_about_an_unknown_opponent_or_cursor_or_device_code_are_in_chinese(
    browser: Client, address: str, text: str
) -> None:
    answer = browser.post(address, {"code": "BBBB-BBBB"}) if address == "/device/" else browser.get(address)
    assert text in answer.content.decode()


def test_the_rule_for_names_of_authors_is_explained_in_chinese() -> None:
    with translation.override("zh-hant"):
        assert "每個人都看得到這個名字" in str(NAME_VALIDATOR.message)
