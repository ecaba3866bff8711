"""Leagues with a game, a format and a tie-break from plug-ins, while these are installed and afterwards."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.commands.new_bot import create_game_folder
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.kit.verify.match_log_verification import InvalidLogError, verify_matches
from people.person_roles import make_organiser
from replays.models import Match
from tests.support.browser.pages import fetch_text
from tests.support.factories import CLOCK, create_active_version
from tests.support.leagues import create_entrants, end_matches, play_all, start_league
from tests.support.plugin_packages import install_packages, installed, write_league_rules
from tournaments.leagues import finished_league_export, services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League

pytestmark = pytest.mark.slow

READING_BOT = """
from importlib.util import find_spec
from ftk_core.kit.bot import Ask, run

def choose(ask: Ask) -> int:
    rules = find_spec("ftk_high_card").submodule_search_locations[0] + "/rules.py"
    with open(rules) as file:
        assert "High card" in file.read()
    try:
        open(rules, "a")
    except OSError:
        return len(ask.menu) - 1
    raise SystemExit("the package can be written")

run(choose)
"""
"""A bot that reads the plug-in's package in the sandbox, and crashes if it could write there."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("plugins")
    packages = [create_game_folder("high_card", "High card", base), write_league_rules(base / "rules")]
    return install_packages(base / "site", packages)


def start_card_league(sources: list[str | Path]) -> League:
    """Start a league of the plug-in's game with bots made of these sources."""
    terms = LeagueSettings(slug="cards", name="Cards", game="high_card", seats=2, rounds=2, games=1, clock=CLOCK)
    league = services.open_league(terms)
    for number, source in enumerate(sources):
        services.enter_bot(league.pk, create_active_version(source, slug=f"b{number}", game="high_card"))
    services.start(league.pk)
    return league


@pytest.mark.django_db(transaction=True)
def test_a_league_of_a_plugin_game_is_played_and_remains_readable_without_the_plugin(
    folder: Path, tmp_path: Path, client: Client
) -> None:
    with installed(folder):
        league = start_card_league([list_built_in_bots("high_card")["careful"], READING_BOT])
        play_all(league)
        match = Match.objects.filter(table__league=league).first()
        assert match
        assert match.status == Match.Status.CLOSED
        assert not any(seat.excuses for each in Match.objects.all() for seat in each.seats.all()), "nobody crashed"
        shown = client.get(f"/matches/{match.pk}/").content.decode()
        assert "Round 1 begins." in shown
        assert "High card" in client.get("/games/high_card/").content.decode()
        pieces = re.search(r'<meta name="pieces-high_card" content="([^"]+)">', shown)
        assert pieces
        answer = client.get(pieces[1])
        assert (answer.status_code, answer["Content-Type"]) == (200, "text/javascript")
        assert b"export function draw" in answer.content
        assert client.get(pieces[1].replace("pieces.js", "../rules.py")).status_code == 404
        assert client.get("/pieces/pig/x/pieces.js").status_code == 404
        assert client.get("/pieces/high_card/0123456789abcdef/pieces.js").status_code == 404, "another version's"
        finished_league_export.export_league("cards", tmp_path / "cards.tar")
        assert verify_export(tmp_path / "cards.tar").flaws == ()
    assert "Cards" in client.get("/leagues/").content.decode()
    assert client.get("/leagues/cards/").status_code == 200
    missing = "comes from the plug-in ftk_high_card 0.1.0, which is not installed here; install it first"
    assert missing in client.get(f"/matches/{match.pk}/").content.decode()
    assert match.pk in client.get("/search/?game=high_card").content.decode() + client.get("/search/").content.decode()
    log = tmp_path / "match.jsonl"
    downloaded = client.get(f"/api/v1/matches/{match.pk}/log/")
    assert downloaded.status_code == 200, downloaded.content
    log.write_bytes(b"".join(downloaded) if downloaded.streaming else downloaded.content)
    with pytest.raises(InvalidLogError, match="comes from the plug-in ftk_high_card"):
        list(verify_matches(log))
    first = (tmp_path / "cards.tar").read_bytes()
    finished_league_export.export_league("cards", tmp_path / "again.tar")
    assert (tmp_path / "again.tar").read_bytes() == first


@pytest.mark.django_db(transaction=True)
def test_without_the_plugin_signed_in_people_can_still_read_the_pages_of_a_plugin_league_and_its_matches(
    folder: Path, client: Client, settings: Any
) -> None:
    settings.COMMENTS = "at_once"
    ada = User.objects.create_user("ada", is_staff=True)
    make_organiser(ada)
    with installed(folder):
        start_card_league([list_built_in_bots("high_card")["careful"]] * 2)
        match = Match.objects.get()
        assert 'id="comments"' in fetch_text(client, "/leagues/cards/")
    assert 'id="comments"' not in fetch_text(client, "/leagues/cards/")
    client.force_login(ada)
    for path in ("/leagues/cards/", f"/matches/{match.pk}/"):
        text = fetch_text(client, path)
        pages = [f"/leagues/cards/{page}/" for page in ("desk", "enter", "predictions")]
        for part in ('id="comments"', "?like=cards", *pages):
            assert part not in text, path


@pytest.mark.django_db(transaction=True)
def test_the_page_of_a_league_names_its_plugin_tiebreak_after_the_plugin_is_removed(
    folder: Path, client: Client
) -> None:
    with installed(folder):
        form = {"format": "all_play_all", "tiebreaks": ("early-bird",)}
        league = start_league(create_entrants(), rounds=0, **form)
        while League.objects.get(pk=league.pk).status != League.Status.CLOSED:
            end_matches(league, Random(1))
        assert "Early bird" in client.get("/leagues/night/standings/").content.decode()
    assert "Night" in client.get("/leagues/").content.decode()
    answer = client.get("/leagues/night/")
    assert answer.status_code == 404
    assert answer.content.decode() == "there is no tie-break 'early-bird' here; install the plug-in that brings it\n"
