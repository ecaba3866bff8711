"""Who sets a continuous ladder, and where it is read how it goes on."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from foundation.shell import Refusal
from people.models import StaffAct
from tests.support.bouts import CRASHING, NOON, SILENT, STAFF, begin, play_on
from tests.support.factories import AuthorFactory, active_version
from tournaments import continuous
from tournaments.bout_models import ContinuousLadder
from tournaments.bout_terms import BadTerms, usual

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_by_itself(settings: Any) -> None:
    settings.LADDER_RATE = 0


def test_staff_sets_it_from_the_shell_with_a_reason_that_is_kept() -> None:
    call_command("ladder", "pig", "--rate", "30", "--sizes", "2,3", "--why", "there is room", stdout=StringIO())
    row = ContinuousLadder.objects.get()
    assert (row.rate, row.sizes) == (30, [2, 3])
    assert StaffAct.objects.get().on == "pig: 30 bouts an hour at tables of 2, 3"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["go", "--rate", "5", "--why", "x"], "go"),
        (["pig", "--rate", "5000", "--why", "x"], "0 to 3600 bouts an hour, not 5000"),
        (["pig", "--rate", "5"], "say why"),
        (["pig", "--rate", "5", "--sizes", "1", "--why", "x"], "is played by"),
        (["pig", "--rate", "5", "--sizes", "2,2", "--why", "x"], "once"),
        (["pig", "--rate", "5", "--move-ms", "0", "--why", "x"], "a move takes 10 to 600000 ms, not 0"),
        (["pig", "--rate", "5", "--options", "[]", "--why", "x"], "object"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_set(words: list[str], said: str) -> None:
    with pytest.raises(Refusal, match=said):
        call_command("ladder", *words, stdout=StringIO())
    assert not ContinuousLadder.objects.exists()


def test_a_game_for_which_staff_said_nothing_goes_on_as_the_settings_say(settings: Any) -> None:
    settings.LADDER_RATE = 7
    begin(0)
    continuous.sweep(NOON)
    rates = dict(ContinuousLadder.objects.values_list("game", "rate"))
    assert rates.pop("pig") == 0, "what staff has switched off stays off"
    assert set(rates.values()) == {7}


def test_bad_terms_say_what_is_wrong() -> None:
    with pytest.raises(BadTerms, match="bouts an hour"):
        continuous.set_ladder(STAFF, "pig", usual("pig", -1), NOON)


@pytest.mark.slow
def test_its_page_and_the_api_say_how_it_goes_on_and_who_is_best(client: Client) -> None:
    good, silent = active_version(slug="good"), active_version(SILENT, slug="silent")
    begin()
    play_on(8)
    continuous.sweep(NOON + 3600)
    page = client.get("/leaderboards/pig/continuous/").content.decode()
    assert "60 bouts an hour at tables of 2, 9 called so far" in page
    assert page.index(f">{good.bot.slug}</a>") < page.index(f">{silent.bot.slug}</a>")
    told = client.get("/api/v1/ladders/pig/continuous/").json()
    assert [row["bot"] for row in told["ladder"]["rows"]] == ["good", "silent"]
    assert [len(told[name]) for name in ("going", "ended")] == [1, 8]
    assert told["going"][0]["status"] == "waiting"
    assert "Continuous ladder" in client.get("/bots/good/").content.decode()
    assert "No rated match has been played yet" in client.get("/leaderboards/pig/").content.decode()
    assert client.get("/api/v1/ladders/chess/continuous/").status_code == 404


def test_staff_sets_it_on_its_page_and_nobody_else_does(client: Client) -> None:
    said = {"rate": "30", "sizes": "2, 3", "move_ms": "500", "bank_ms": "1000", "why": "there is room"}
    address = "/leaderboards/pig/continuous/"
    person = AuthorFactory.create(username="ada")
    client.force_login(person)
    assert client.post(address, said).status_code == 403
    assert "How it goes on" not in client.get(address).content.decode()
    person.is_staff = True
    person.save()
    wrong = client.post(address, {**said, "sizes": "1"})
    assert wrong.status_code == 400
    assert "is played by" in wrong.content.decode()
    assert client.post(address, said).status_code == 302
    row = ContinuousLadder.objects.get()
    assert (row.rate, row.sizes, StaffAct.objects.get().by) == (30, [2, 3], person)


def test_a_benched_version_is_told_on_its_page_and_staff_puts_it_back(client: Client, settings: Any) -> None:
    settings.BENCH_AFTER = 1
    active_version(CRASHING, slug="broken")
    active_version()
    begin()
    play_on(1)
    told = "v1 is benched on the"
    assert told in client.get("/bots/broken/").content.decode()
    call_command("ladder", "pig", "--back", "broken", stdout=StringIO())
    assert told not in client.get("/bots/broken/").content.decode()
    with pytest.raises(Refusal, match="broken is not benched"):
        call_command("ladder", "pig", "--back", "broken", stdout=StringIO())
