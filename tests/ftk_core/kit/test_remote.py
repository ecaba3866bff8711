"""`ftk remote` plays a bot from here: a local process for each match, over one connection that dials again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bots.models import BotVersion
from ftk_core.kit.house import house_bots
from replays.models import Attendance, Match
from replays.playing.ending import end_match
from replays.services import verify_match
from tests.support.arena import free_port
from tests.support.factories import active_version
from tests.support.seats import choices, playing, remote_version, seated_match, shown
from tests.support.served import served
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)
FTK = str(Path(sys.executable).with_name("ftk"))
HOLD20 = str(house_bots("pig")["hold20"])


@contextmanager
def remote(port: int, version: BotVersion, *words: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    """Run the command until the block is left, and then interrupt it, which it takes well."""
    command = [FTK, "remote", version.bot.slug, *words]
    env = {**os.environ, "FTK_TOKEN": shown(version), "FTK_SERVER": f"http://127.0.0.1:{port}", **more}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, env=env, text=True, **pipes) as process:  # type: ignore[call-overload]  # of one kind all
        try:
            yield process
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0, process.stdout.read()
        finally:
            process.kill()


def is_there(version: BotVersion) -> bool:
    return Attendance.objects.filter(bot=version.bot, closed_at=None).exists()


def excuses(match: Match) -> set[str | None]:
    return {chose.excuse for chose in choices(match)}


@pytest.mark.slow
@pytest.mark.parametrize("words", [[HOLD20], ["--command", f"{sys.executable} {HOLD20}"]], ids=["a file", "a command"])
def test_a_local_program_plays_a_match_from_afar(words: list[str]) -> None:
    version = remote_version()
    match = seated_match([version, active_version()])
    with served() as arena, remote(arena.port, version, *words), playing(match):
        pass
    assert verify_match(match.pk).game == "pig"
    assert excuses(match) == {None}


@pytest.mark.slow
def test_a_lost_server_is_dialed_again_and_the_match_goes_on() -> None:
    version, port = remote_version(), free_port()
    match = seated_match([version, active_version()])
    slow = f'{sys.executable} -c "{SLOW}"'
    with served(port) as first, remote(port, version, "--command", slow), playing(match) as played:
        wait_for(lambda: len(choices(match)) > 1, "some choices")
        first.server.should_exit = True
        wait_for(lambda: not is_there(version), "it is away")
        assert not played.done()
        with served(port):
            wait_for(lambda: is_there(version), "it is back")
            wait_for(played.done, "the match ends", 60)
    assert excuses(match) == {None}


SLOW = "import time;from ftk_core.kit.bot import run;run(lambda ask: time.sleep(0.05) or int(ask.view['gathered'] < 8))"


@pytest.mark.slow
def test_challenges_are_ordered_with_the_bots_seat_going_round() -> None:
    version = remote_version()
    active_version(slug="rival")
    with served() as arena, remote(arena.port, version, HOLD20, "--challenge", "rival", "--matches", "2"):
        wait_for(lambda: Match.objects.count() == 2, "they are ordered")
        for match in Match.objects.all():
            with playing(match):
                pass
    seats = [[seat.version.bot.slug for seat in match.seats.all()] for match in Match.objects.order_by("created_at")]
    assert seats == [["afar", "rival"], ["rival", "afar"]]


@pytest.mark.slow
def test_who_may_not_play_is_told_why(tmp_path: Path) -> None:
    version = remote_version()
    with served() as arena:
        command = [FTK, "remote", version.bot.slug, HOLD20]
        env = {**os.environ, "FTK_TOKEN": shown(version, "read"), "FTK_SERVER": arena.address}
        ended = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60, cwd=tmp_path)
    assert ended.returncode == 1
    assert "it lacks the scope 'play'" in ended.stderr


@pytest.mark.slow
def test_a_person_at_a_terminal_answers_by_number_and_is_asked_again_for_what_is_none() -> None:
    version = remote_version()
    match = seated_match([version, active_version()])
    with served() as arena, remote(arena.port, version, "--text") as process, playing(match):
        assert process.stdin
        process.stdin.write("seven\n2\n1\n")
        process.stdin.flush()
        wait_for(lambda: choices(match), "the first choice")
        end_match(match.pk, "enough")
        assert process.stdout
        said = [process.stdout.readline() for _ in range(12)]
    assert [chose.excuse for chose in choices(match)] == [None]
    assert any("You are afar-1, in seat 0." in line for line in said)
