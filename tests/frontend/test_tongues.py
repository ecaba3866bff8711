"""A page speaks the tongue that its reader asks for, chose before, or prefers."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.translation import get_language

from tests.support.addresses import addresses
from tests.support.factories import AuthorFactory

pytestmark = pytest.mark.django_db
HOME, CHINESE = "/leagues/", {"Accept-Language": "zh-TW,zh;q=0.9,en;q=0.5"}


def tongue_of(client: Client, address: str = HOME, **headers: str) -> str:
    """Return what a page says that it speaks, and check that it does."""
    answer = client.get(address, headers={name.replace("_", "-"): value for name, value in headers.items()})
    page = answer.content.decode()
    tongue = page.split('<html lang="')[1].split('"')[0]
    assert answer["Content-Language"] == tongue
    assert {"Accept-Language", "Cookie"} <= set(answer["Vary"].split(", "))
    assert ("聯賽" in page) == (tongue == "zh-Hant")
    assert ("No league has been opened yet" in page) == (tongue == "en")
    return tongue


def test_without_a_wish_it_is_english(client: Client) -> None:
    assert tongue_of(client) == "en"
    assert tongue_of(client, Accept_Language="tlh,de;q=0.5") == "en"


@pytest.mark.parametrize("tags", ["zh-TW", "zh-Hant", "zh-HK,en;q=0.3", "ja,zh-Hant-TW;q=0.8,en;q=0.1"])
def test_the_browsers_preference_is_heard(client: Client, tags: str) -> None:
    assert tongue_of(client, Accept_Language=tags) == "zh-Hant"


def test_an_address_asks_and_what_it_asked_for_is_kept(client: Client) -> None:
    assert tongue_of(client, f"{HOME}?lang=zh-Hant") == "zh-Hant"
    assert tongue_of(client) == "zh-Hant"
    assert tongue_of(client, f"{HOME}?lang=en", Accept_Language="zh-TW") == "en"
    assert tongue_of(client, Accept_Language="zh-TW") == "en"


def test_what_was_chosen_is_kept_for_a_year_and_sent_to_nobody_else(client: Client) -> None:
    kept = client.get(f"{HOME}?lang=zh-Hant").cookies["language"]
    assert (kept.value, kept["max-age"], kept["samesite"], kept["path"]) == ("zh-hant", 31_536_000, "Lax", "/")


@pytest.mark.parametrize("word", ["tlh", "", "zh_Hant", "../en", "%00".replace("%", "x")])
def test_a_tongue_that_nobody_speaks_here_is_as_none(client: Client, word: str) -> None:
    assert tongue_of(client, f"{HOME}?lang={word}") == "en"
    assert "language" not in client.cookies
    client.cookies["language"] = word
    assert tongue_of(client) == "en"


def test_the_switch_leads_to_the_same_page_with_all_that_was_asked_of_it(client: Client) -> None:
    page = client.get("/leagues/?single=yes").content.decode()
    assert 'href="?single=yes&amp;lang=zh-Hant" lang="zh-Hant" hreflang="zh-Hant"' in page
    other = client.get("/leagues/?single=yes&lang=zh-Hant").content.decode()
    assert 'href="?single=yes&amp;lang=en" lang="en" hreflang="en"' in other
    assert client.get("/search/?lang=zh-Hant").status_code == 200


def test_what_is_not_there_is_not_there_in_the_readers_tongue(client: Client) -> None:
    answer = client.get("/nothing-here/", headers=CHINESE)
    assert (answer.status_code, "宮中沒有這個名字" in answer.content.decode()) == (404, True)


def test_a_program_is_refused_in_the_tongue_of_its_header_with_the_same_codes(client: Client) -> None:
    answers = [client.get("/api/v1/nothing/", headers={"Accept-Language": tongue}) for tongue in ("en", "zh-TW")]
    english, chinese = (answer.json() for answer in answers)
    assert (english["title"], chinese["title"]) == ("Not Found", "找不到")
    assert "位址" in chinese["detail"]
    assert (chinese["status"], chinese["type"]) == (english["status"], english["type"]) == (404, "about:blank")
    assert [answer["Content-Language"] for answer in answers] == ["en", "zh-Hant"]
    assert all("Accept-Language" in answer["Vary"] for answer in answers)


def test_a_programs_fields_are_found_at_fault_in_the_tongue_of_its_header(client: Client) -> None:
    client.force_login(AuthorFactory.create())
    answer = client.post("/api/v1/bots/remote/", {}, "application/json", headers=CHINESE)
    assert answer.json()["errors"] == {"game": ["此為必需欄位。"], "bot": ["此為必需欄位。"]}


@pytest.mark.parametrize("tags", ["", "*", "tlh,*;q=0.5", "en,zh-TW;q=0.5"])
def test_a_program_that_prefers_no_tongue_of_ours_is_refused_in_english(client: Client, tags: str) -> None:
    client.cookies["language"] = "zh-hant"
    answer = client.get("/api/v1/matches/nobody/", headers={"Accept-Language": tags})
    assert (answer.json()["title"], answer["Content-Language"]) == ("Not Found", "en")


@pytest.mark.slow
def test_what_programs_are_given_is_the_same_in_every_tongue(client: Client) -> None:
    paths = [path for path in sorted(set(addresses())) if path.startswith("/api/") and "<" not in path]
    given = [path for path in paths if client.get(path).status_code == 200]
    assert len(given) > 5
    for path in given:
        chinese = client.get(path, headers=CHINESE)
        assert chinese.content == client.get(path).content, path
        assert "Content-Language" not in chinese


def test_programs_know_no_such_word(client: Client) -> None:
    refused = client.get("/api/v1/matches/?lang=zh-Hant")
    assert (refused.status_code, "'lang' is not known here" in refused.json()["detail"]) == (400, True)


def test_a_readers_tongue_is_not_that_of_whoever_comes_next(client: Client) -> None:
    assert tongue_of(Client(), Accept_Language="zh-TW") == "zh-Hant"
    assert get_language() == "en"
    assert tongue_of(client) == "en"
