"""`ftk remote` plays with a local bot: one process for each match, over one connection that reconnects."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from bots.models import BotVersion
from ftk_core.kit.built_in_bots import list_built_in_bots
from replays.models import Match
from replays.models.remote_bot_presences import RemoteBotPresence
from replays.playing.match_cancellation import end_match
from replays.services import verify_match
from tests.support.arena import free_port
from tests.support.factories import create_active_version
from tests.support.seats import (
    create_owner_token,
    create_remote_version,
    create_seated_match,
    list_choices,
    play_in_thread,
)
from tests.support.served import serve
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)
FTK = str(Path(sys.executable).with_name("ftk"))
HOLD20 = str(list_built_in_bots("pig")["hold20"])


@contextmanager
def remote(port: int, version: BotVersion, *words: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    """Run the command during the block, then interrupt it, and check that it exits well."""
    command = [FTK, "remote", version.bot.slug, *words]
    env = {**os.environ, "FTK_TOKEN": create_owner_token(version), "FTK_SERVER": f"http://127.0.0.1:{port}", **more}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, env=env, text=True, **pipes) as process:  # type: ignore[call-overload]  # of one kind all
        try:
            yield process
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0, process.stdout.read()
        finally:
            process.kill()


def is_there(version: BotVersion) -> bool:
    # A connection that a server lost is not closed, but its presence expires.
    return RemoteBotPresence.objects.filter(bot=version.bot, closed_at=None, alive_until__gt=timezone.now()).exists()


def excuses(match: Match) -> set[str | None]:
    return {chose.excuse for chose in list_choices(match)}


@pytest.mark.nightly
@pytest.mark.parametrize("words", [[HOLD20], ["--command", f"{sys.executable} {HOLD20}"]], ids=["a file", "a command"])
def test_ftk_remote_lets_a_local_bot_play_a_match_on_the_server(words: list[str]) -> None:
    version = create_remote_version()
    match = create_seated_match([version, create_active_version()])
    with serve() as arena, remote(arena.port, version, *words), play_in_thread(match):
        pass
    assert verify_match(match.pk).game == "pig"
    assert excuses(match) == {None}


@pytest.mark.nightly
def test_ftk_remote_reopens_a_lost_connection_and_the_match_continues() -> None:
    version, port = create_remote_version(), free_port()
    match = create_seated_match([version, create_active_version()])
    slow = f'{sys.executable} -c "{SLOW}"'
    with serve(port) as first, remote(port, version, "--command", slow), play_in_thread(match) as played:
        wait_for(lambda: len(list_choices(match)) > 1, "some choices")
        first.server.should_exit = True
        wait_for(lambda: not is_there(version), "it is away")
        assert not played.done()
        with serve(port):
            wait_for(lambda: is_there(version), "it is back")
            wait_for(played.done, "the match ends", 60)
    assert excuses(match) == {None}


SLOW = "import time;from ftk_core.kit.bot import run;run(lambda ask: time.sleep(0.05) or int(ask.view['gathered'] < 8))"


@pytest.mark.nightly
def test_requested_challenges_rotate_the_seat_of_the_remote_bot() -> None:
    version = create_remote_version()
    create_active_version(slug="rival")
    with serve() as arena, remote(arena.port, version, HOLD20, "--challenge", "rival", "--matches", "2"):
        wait_for(lambda: Match.objects.count() == 2, "they are ordered")
        for match in Match.objects.all():
            with play_in_thread(match):
                pass
    assert {(match.move_ms, match.bank_ms) for match in Match.objects.all()} == {(1000, 10_000)}
    seats = [[seat.version.bot.slug for seat in match.seats.all()] for match in Match.objects.order_by("created_at")]
    assert seats == [["afar", "rival"], ["rival", "afar"]]


@pytest.mark.slow
def test_a_person_at_a_terminal_has_a_minute_per_choice_and_plays_the_granted_matches(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "friendlies_each": 1}
    version = create_remote_version()
    create_active_version(slug="rival")
    with serve() as arena, remote(arena.port, version, "--text", "--challenge", "rival", "--matches", "2") as process:
        wait_for(lambda: is_there(version), "it is there")
        assert process.stdout
        said = [process.stdout.readline() for _ in range(2)]
    assert "only 1 of 2 are ordered" in "".join(said)
    match = Match.objects.get()
    assert (match.move_ms, match.bank_ms) == (60_000, 600_000)


@pytest.mark.nightly
def test_a_remote_bot_refused_by_the_server_prints_the_reason(tmp_path: Path) -> None:
    version = create_remote_version()
    with serve() as arena:
        command = [FTK, "remote", version.bot.slug, HOLD20]
        env = {**os.environ, "FTK_TOKEN": create_owner_token(version, "read"), "FTK_SERVER": arena.address}
        ended = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60, cwd=tmp_path)
    assert ended.returncode == 1
    assert "it lacks the scope 'play'" in ended.stderr


@pytest.mark.nightly
def test_a_person_playing_in_the_terminal_enters_numbers_and_is_asked_again_after_invalid_input() -> None:
    version = create_remote_version()
    match = create_seated_match([version, create_active_version()])
    with serve() as arena, remote(arena.port, version, "--text") as process, play_in_thread(match):
        assert process.stdin
        process.stdin.write("seven\n2\n1\n")
        process.stdin.flush()
        wait_for(lambda: list_choices(match), "the first choice")
        end_match(match.pk, "enough")
        assert process.stdout
        said = [process.stdout.readline() for _ in range(12)]
    assert [chose.excuse for chose in list_choices(match)] == [None]
    assert any("You are afar-1, in seat 0." in line for line in said)
