"""`ftk enter` enters a bot in a league of a server, or prints the reason why it cannot."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from bots.access.api_tokens import create_token
from people.person_roles import make_organiser
from tests.support.factories import create_active_version
from tests.support.served import serve
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import load
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League

FTK = str(Path(sys.executable).with_name("ftk"))
pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def address() -> Iterator[str]:
    with serve() as running:
        yield running.address


def enter(*words: str, server: str, token: str) -> tuple[int, str]:
    # a separate process, because the server in this process logs to the same terminal
    command = [FTK, "enter", *words, "--server", server, "--token", token]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def test_ftk_enters_a_bot_in_a_league_once_and_a_second_entry_is_refused_with_the_reason(address: str) -> None:
    league = services.open_league(
        LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=1, per_author=1)
    )
    token = create_token(create_active_version(slug="ada", owner=User.objects.create(username="olga")).bot.owner)
    assert enter("night", "ada", "--newest", server=address, token=token) == (
        0,
        "entered: ada-1, entry 1, from round 1 on; a newer version takes its place until then\n",
    )
    assert [(e.name, e.newest) for e in load(league)[1].entrants] == [("ada-1", True)]
    assert enter("night", "ada", server=address, token=token) == (2, "409: ada-1 has entered already\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none", "ada"], "404: there is no league 'none'"),
        (["night", "bob"], "404: there is no bot 'bob'"),
        (["night", "ada", "--version", "9"], "404: ada has no version 9"),
        (["night", "cyd"], "403: cyd is somebody else's bot; its authors enter it"),
        (["night", "A b"], "the bot 'A b'"),
        (["night", "ada", "--version", "1", "--newest"], "say --version or --newest, but not both"),
        (["https://arena.example/leagues/night/", "ada"], "use the part after /leagues/ in the address of its page"),
    ],
)
def test_a_league_entry_refused_by_the_server_prints_the_reason(address: str, words: list[str], said: str) -> None:
    services.open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=1))
    create_active_version(slug="cyd")
    code, output = enter(*words, server=address, token=create_token(create_active_version(slug="ada").bot.owner))
    assert code == 2
    assert said in output.replace("\n", " ")


def test_the_error_for_entering_a_league_with_an_unknown_token_says_that_the_token_was_perhaps_revoked(
    address: str,
) -> None:
    code, output = enter("night", "ada", server=address, token="0" * 64)
    assert code == 2
    assert "Nobody has this token; it may have been revoked" in output


def test_an_organiser_announces_a_league_from_the_command_line(address: str) -> None:
    olga = User.objects.create(username="olga")
    make_organiser(olga)
    token = create_token(olga, scopes=["organise"])
    command = [FTK, "league", "new", "cup", "pig", "--seats", "2", "--rounds", "3", "--name", "The cup"]
    command += ["--terms", '{"late": 2, "tiebreaks": ["wins"]}', "--server", address, "--token", token]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.replace("\n", "") == f"The cup: open, {address}/leagues/cup/"
    header = load(League.objects.get(slug="cup"))[1].header
    assert (header.late, header.by, header.stages[0].tiebreaks) == (2, "olga", ("wins",))
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stderr.startswith("409: ")) == (2, True)
