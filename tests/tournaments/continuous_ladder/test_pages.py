"""Pages and API of continuous ladders, and their settings by staff."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from foundation.management_commands import InvalidCommandInputError
from people.models import StaffAct
from tests.support.bouts import CRASHING, NOON, SILENT, STAFF, play_ladder_matches, start_continuous_ladder
from tests.support.factories import AuthorFactory, create_active_version
from tournaments.continuous_ladder import services as continuous_services
from tournaments.continuous_ladder.continuous_ladder_settings import (
    ContinuousLadderSettingsError,
    make_default_ladder_settings,
)
from tournaments.models.continuous_ladders import ContinuousLadder

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_by_itself(settings: Any) -> None:
    settings.LADDER_RATE = 0


def test_staff_can_configure_the_continuous_ladder_from_the_shell_and_the_reason_is_stored() -> None:
    call_command("ladder", "pig", "--rate", "30", "--sizes", "2,3", "--why", "there is room", stdout=StringIO())
    row = ContinuousLadder.objects.get()
    assert (row.rate, row.sizes) == (30, [2, 3])
    act = StaffAct.objects.get()
    assert (act.on, act.why) == ("pig: 30 bouts an hour at tables of 2, 3", "there is room")


def test_changing_a_continuous_ladder_from_the_shell_keeps_settings_that_are_not_given() -> None:
    first = ["--sizes", "7", "--options", '{"fake": true}', "--move-ms", "200", "--bank-ms", "900"]
    call_command("ladder", "kings_court", "--rate", "30", *first, "--why", "there is room", stdout=StringIO())
    call_command("ladder", "kings_court", "--rate", "40", "--bank-ms", "800", "--why", "more", stdout=StringIO())
    row = ContinuousLadder.objects.get()
    assert (row.rate, row.sizes, row.options) == (40, [7], '{"fake": true}')
    assert (row.move_ms, row.bank_ms) == (200, 800)


def test_changing_the_table_sizes_of_a_ladder_from_the_shell_keeps_its_rate() -> None:
    call_command("ladder", "pig", "--rate", "30", "--why", "there is room", stdout=StringIO())
    call_command("ladder", "pig", "--sizes", "3,4", "--why", "more", stdout=StringIO())
    row = ContinuousLadder.objects.get()
    assert (row.rate, row.sizes) == (30, [3, 4])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["go", "--rate", "5", "--why", "x"], "go"),
        (["pig", "--rate", "5000", "--why", "x"], r"between 0 and 3600 \(got 5000\)"),
        (["pig", "--rate", "5"], "say why"),
        (["pig", "--rate", "5", "--sizes", "1", "--why", "x"], "is played by"),
        (["pig", "--rate", "5", "--sizes", "2,2", "--why", "x"], "once"),
        (
            ["pig", "--rate", "5", "--move-ms", "0", "--why", "x"],
            "must be between 10 and 600000",
        ),
        (["pig", "--rate", "5", "--options", "[]", "--why", "x"], "object"),
    ],
)
def test_invalid_settings_of_a_continuous_ladder_are_refused_and_nothing_is_stored(words: list[str], said: str) -> None:
    with pytest.raises(InvalidCommandInputError, match=said):
        call_command("ladder", *words, stdout=StringIO())
    assert not ContinuousLadder.objects.exists()


def test_a_game_without_ladder_settings_uses_the_default_rate_of_matches(settings: Any) -> None:
    settings.LADDER_RATE = 7
    start_continuous_ladder(0)
    continuous_services.sweep(NOON)
    rates = dict(ContinuousLadder.objects.values_list("game", "rate"))
    assert rates.pop("pig") == 0, "what staff has switched off stays off"
    assert set(rates.values()) == {7}


def test_invalid_settings_of_a_continuous_ladder_are_refused_with_a_reason() -> None:
    with pytest.raises(ContinuousLadderSettingsError, match="matches an hour"):
        continuous_services.set_ladder(STAFF, "pig", make_default_ladder_settings("pig", -1), NOON)


@pytest.mark.nightly
def test_the_page_and_the_api_show_the_state_and_the_best_bots_of_a_continuous_ladder(client: Client) -> None:
    good, silent = create_active_version(slug="good"), create_active_version(SILENT, slug="silent")
    start_continuous_ladder()
    play_ladder_matches(8)
    continuous_services.sweep(NOON + 3600)
    page = client.get("/leaderboards/pig/continuous/").content.decode()
    assert "60 matches an hour at tables of 2, 9 started so far" in page
    assert page.index(f">{good.bot.slug}</a>") < page.index(f">{silent.bot.slug}</a>")
    told = client.get("/api/v1/ladders/pig/continuous/").json()
    assert [row["bot"] for row in told["ladder"]["rows"]] == ["good", "silent"]
    assert [len(told[name]) for name in ("going", "ended")] == [1, 8]
    assert told["going"][0]["status"] == "waiting"
    assert "Continuous ladder" in client.get("/bots/good/").content.decode()
    assert "No rated match has been played yet" in client.get("/leaderboards/pig/").content.decode()
    assert client.get("/api/v1/ladders/chess/continuous/").status_code == 404


@pytest.mark.slow
def test_only_staff_can_change_a_continuous_ladder_on_its_page(client: Client) -> None:
    said = {"rate": "30", "sizes": "2, 3", "move_ms": "500", "bank_ms": "1000", "why": "there is room"}
    address = "/leaderboards/pig/continuous/"
    person = AuthorFactory.create(username="ada")
    client.force_login(person)
    assert client.post(address, said).status_code == 403
    assert "How it goes on" not in client.get(address).content.decode()
    person.is_staff = True
    person.save()
    assert "How it goes on" in client.get(address).content.decode()
    wrong = client.post(address, {**said, "sizes": "1"})
    assert wrong.status_code == 400
    assert "is played by" in wrong.content.decode()
    assert client.post(address, said).status_code == 302
    row = ContinuousLadder.objects.get()
    assert (row.rate, row.sizes, StaffAct.objects.get().by) == (30, [2, 3], person)


def test_staff_set_game_options_of_a_continuous_ladder_in_a_form_that_shows_the_stored_values(client: Client) -> None:
    client.force_login(AuthorFactory.create(username="zoe", is_staff=True))
    address = "/leaderboards/kings_court/continuous/"
    said = {"rate": "5", "sizes": "7", "move_ms": "100", "bank_ms": "100", "option-gifts": "3", "why": "more mistakes"}
    assert client.post(address, said).status_code == 302
    assert ContinuousLadder.objects.get().options == '{"gifts":3}'
    [gifts] = re.findall(r'<input[^>]*name="option-gifts"[^>]*>', client.get(address).content.decode())
    assert 'value="3"' in gifts


@pytest.mark.slow
def test_the_page_of_a_bot_names_its_suspended_version_until_staff_reinstate_it(client: Client, settings: Any) -> None:
    settings.BENCH_AFTER = 1
    create_active_version(CRASHING, slug="broken")
    create_active_version()
    start_continuous_ladder()
    play_ladder_matches(1)
    told = "v1 is benched on the"
    assert told in client.get("/bots/broken/").content.decode()
    call_command("ladder", "pig", "--back", "broken", stdout=StringIO())
    assert told not in client.get("/bots/broken/").content.decode()
    with pytest.raises(InvalidCommandInputError, match="broken is not benched"):
        call_command("ladder", "pig", "--back", "broken", stdout=StringIO())
