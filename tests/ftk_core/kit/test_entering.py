"""`ftk enter` brings a bot into a league of a server, or says in one line why not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from bots.tokens import new_token
from people.roles import make_organiser
from tests.support.factories import active_version
from tests.support.served import served
from tournaments import services
from tournaments.models import League
from tournaments.projections import load
from tournaments.terms import Terms

FTK = str(Path(sys.executable).with_name("ftk"))
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def address() -> Iterator[str]:
    with served() as running:
        yield running.address


def enter(*words: str, server: str, token: str) -> tuple[int, str]:
    # a process of its own: the server, which runs in this one, logs to whatever stands for its terminal
    command = [FTK, "enter", *words, "--server", server, "--token", token]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.slow
def test_a_bot_enters_from_a_shell_and_a_second_time_it_is_told_why_not(address: str) -> None:
    league = services.open_league(Terms(slug="night", name="Night", game="pig", seats=2, rounds=1, per_author=1))
    token = new_token(active_version(slug="ada", owner=User.objects.create(username="olga")).bot.owner)
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
        (["https://arena.example/leagues/night/", "ada"], "take what stands behind /leagues/ in its page's address"),
    ],
)
def test_what_cannot_enter_is_told_in_one_line(address: str, words: list[str], said: str) -> None:
    services.open_league(Terms(slug="night", name="Night", game="pig", seats=2, rounds=1))
    active_version(slug="cyd")
    code, output = enter(*words, server=address, token=new_token(active_version(slug="ada").bot.owner))
    assert code == 2
    assert said in output.replace("\n", " ")


def test_a_token_that_nobody_has_is_told_with_the_remedy(address: str) -> None:
    code, output = enter("night", "ada", server=address, token="0" * 64)
    assert code == 2
    assert "Nobody has this token; it may have been revoked" in output


def test_an_organiser_announces_a_league_from_a_shell_anywhere(address: str) -> None:
    olga = User.objects.create(username="olga")
    make_organiser(olga)
    token = new_token(olga, scopes=["organise"])
    command = [FTK, "league", "new", "cup", "pig", "--seats", "2", "--rounds", "3", "--name", "The cup"]
    command += ["--terms", '{"late": 2, "tiebreaks": ["wins"]}', "--server", address, "--token", token]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.replace("\n", "") == f"open: The cup, {address}/leagues/cup/"
    header = load(League.objects.get(slug="cup"))[1].header
    assert (header.late, header.by, header.stages[0].tiebreaks) == (2, "olga", ("wins",))
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stderr.startswith("409: ")) == (2, True)
