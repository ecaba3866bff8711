"""`ftk challenge` orders matches from a server and prints their results."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest
from django.db import connections

from bots.access.api_tokens import create_token
from replays.tasks import play_next
from tests.support.factories import create_active_version
from tests.support.served import serve
from tournaments.challenges import services as challenge_services

FTK = str(Path(sys.executable).with_name("ftk"))
pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def play_until(over: Event) -> None:
    """Play waiting matches, as a worker does, until the event is set."""
    while not over.wait(0.05):
        play_next("friendly")
        challenge_services.sweep()
    connections.close_all()


def test_ftk_challenge_prints_the_results_of_the_matches_that_it_requested_and_waited_for() -> None:
    token = create_token(create_active_version(slug="mine").bot.owner)
    create_active_version(slug="bold")
    over = Event()
    worker = Thread(target=play_until, args=(over,))
    worker.start()
    try:
        with serve() as running:
            words = ["challenge", "mine", "--against", "bold", "--matches", "2", "--server", running.address]
            command = [FTK, *words, "--token", token]
            done = subprocess.run([*command, "--wait", "--json"], capture_output=True, text=True, check=False)
            told = subprocess.run(command, capture_output=True, text=True, check=False)
            wrong = subprocess.run([*command, "--neighbours"], capture_output=True, text=True, check=False)
    finally:
        over.set()
        worker.join()
    row = json.loads(done.stdout)
    assert (row["state"], row["done"], {line["name"] for line in row["shares"]}) == ("over", 2, {"mine-1", "bold-1"})
    assert " of 2 matches" in told.stdout
    assert (wrong.returncode, "and not both" in wrong.stderr) == (2, True)
