"""Language of a page: requested in the URL, chosen before, or preferred by the browser."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.translation import get_language

from replays.models import Match
from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.factories import AuthorFactory
from tests.support.leagues import create_entrants, start_league

pytestmark = pytest.mark.django_db
HOME, CHINESE = "/leagues/", {"Accept-Language": "zh-TW,zh;q=0.9,en;q=0.5"}


def read_page_language(client: Client, address: str = HOME, **headers: str) -> str:
    """Return the declared language of a page, after checking that its texts are in this language."""
    answer = client.get(address, headers={name.replace("_", "-"): value for name, value in headers.items()})
    page = answer.content.decode()
    language = page.split('<html lang="')[1].split('"')[0]
    assert answer["Content-Language"] == language
    assert {"Accept-Language", "Cookie"} <= set(answer["Vary"].split(", "))
    assert ("聯賽" in page) == (language == "zh-Hant")
    assert ("No league has been opened yet" in page) == (language == "en")
    return language


def test_a_page_without_a_language_preference_is_in_english(client: Client) -> None:
    assert read_page_language(client) == "en"
    assert read_page_language(client, Accept_Language="tlh,de;q=0.5") == "en"


@pytest.mark.parametrize("tags", ["zh-TW", "zh-Hant", "zh-HK,en;q=0.3", "ja,zh-Hant-TW;q=0.8,en;q=0.1"])
def test_accept_language_sets_the_language(client: Client, tags: str) -> None:
    assert read_page_language(client, Accept_Language=tags) == "zh-Hant"


def test_the_lang_parameter_sets_the_language_of_this_and_later_pages(client: Client) -> None:
    assert read_page_language(client, f"{HOME}?lang=zh-Hant") == "zh-Hant"
    assert read_page_language(client) == "zh-Hant"
    assert read_page_language(client, f"{HOME}?lang=en", Accept_Language="zh-TW") == "en"
    assert read_page_language(client, Accept_Language="zh-TW") == "en"


def test_the_language_cookie_lasts_a_year_and_has_samesite_lax(client: Client) -> None:
    kept = client.get(f"{HOME}?lang=zh-Hant").cookies["language"]
    assert (kept.value, kept["max-age"], kept["samesite"], kept["path"]) == ("zh-hant", 31_536_000, "Lax", "/")


@pytest.mark.parametrize("word", ["tlh", "", "zh_Hant", "../en", "%00".replace("%", "x")])
def test_an_unsupported_language_is_ignored(client: Client, word: str) -> None:
    assert read_page_language(client, f"{HOME}?lang={word}") == "en"
    assert "language" not in client.cookies
    client.cookies["language"] = word
    assert read_page_language(client) == "en"


def test_the_language_switch_keeps_the_page_and_its_parameters(client: Client) -> None:
    page = client.get("/leagues/?single=yes").content.decode()
    assert 'href="?single=yes&amp;lang=zh-Hant" lang="zh-Hant" hreflang="zh-Hant"' in page
    other = client.get("/leagues/?single=yes&lang=zh-Hant").content.decode()
    assert 'href="?single=yes&amp;lang=en" lang="en" hreflang="en"' in other
    assert client.get("/search/?lang=zh-Hant").status_code == 200


def test_the_404_page_is_in_the_language_of_the_reader(client: Client) -> None:
    answer = client.get("/nothing-here/", headers=CHINESE)
    assert (answer.status_code, "找不到頁面" in answer.content.decode()) == (404, True)


def test_api_errors_use_accept_language_and_keep_their_codes(client: Client) -> None:
    answers = [client.get("/api/v1/nothing/", headers={"Accept-Language": language}) for language in ("en", "zh-TW")]
    english, chinese = (answer.json() for answer in answers)
    assert (english["title"], chinese["title"]) == ("Not Found", "找不到")
    assert "位址" in chinese["detail"]
    assert (chinese["status"], chinese["type"]) == (english["status"], english["type"]) == (404, "about:blank")
    assert [answer["Content-Language"] for answer in answers] == ["en", "zh-Hant"]
    assert all("Accept-Language" in answer["Vary"] for answer in answers)


def test_api_field_errors_use_accept_language(client: Client) -> None:
    client.force_login(AuthorFactory.create())
    answer = client.post("/api/v1/bots/remote/", {}, "application/json", headers=CHINESE)
    assert answer.json()["errors"] == {"game": ["此為必需欄位。"], "bot": ["此為必需欄位。"]}


@pytest.mark.parametrize("tags", ["", "*", "tlh,*;q=0.5", "en,zh-TW;q=0.5"])
def test_api_errors_are_in_english_if_accept_language_prefers_no_other_known_language(
    client: Client, tags: str
) -> None:
    client.cookies["language"] = "zh-hant"
    answer = client.get("/api/v1/matches/nobody/", headers={"Accept-Language": tags})
    assert (answer.json()["title"], answer["Content-Language"]) == ("Not Found", "en")


@pytest.mark.slow
def test_api_data_is_the_same_in_every_language(client: Client) -> None:
    versions = create_entrants(2)
    start_league(versions)
    known = {"match": Match.objects.earliest("pk").pk, "ada": versions[0]}
    paths = sorted({fill_url_pattern(path, known) for path in list_url_patterns() if path.startswith("/api/")})
    given = [path for path in paths if client.get(path).status_code == 200]
    assert {"/api/v1/leagues/", "/api/v1/leagues/night/", f"/api/v1/matches/{known['match']}/"} <= set(given)
    for path in given:
        chinese = client.get(path, headers=CHINESE)
        assert chinese.content == client.get(path).content, path
        assert "Content-Language" not in chinese


def test_the_api_refuses_the_lang_parameter(client: Client) -> None:
    refused = client.get("/api/v1/matches/?lang=zh-Hant")
    assert (refused.status_code, "'lang' is unknown here" in refused.json()["detail"]) == (400, True)


def test_the_language_of_a_request_does_not_leak_into_the_next(client: Client) -> None:
    assert read_page_language(Client(), Accept_Language="zh-TW") == "zh-Hant"
    assert get_language() == "en"
    assert read_page_language(client) == "en"
