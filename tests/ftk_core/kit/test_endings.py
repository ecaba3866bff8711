"""Endings of `ftk`: it leaves no child process running, whatever ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.support.waiting import wait_for

FTK = [str(Path(sys.executable).with_name("ftk"))]
ENDLESS = """
import os, pathlib, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdin=subprocess.DEVNULL)
mark = pathlib.Path({folder!r}, str(os.getpid()))
mark.with_suffix(".draft").write_text(str(child.pid))
mark.with_suffix(".draft").rename(mark)
while True:
    pass
"""
SIGNALLED_TWICE = """
import os, sys
from ftk_core.kit.protocol.child_termination import initialize_pool_worker
initialize_pool_worker()
try:
    os.kill(os.getpid(), int(sys.argv[1]))
finally:
    os.kill(os.getpid(), int(sys.argv[1]))
    print("cleaned up")
"""
CHECK = ("check", "pig", "{bot}", "--sandbox", "none")
PLAY = ("play", "pig", "{bot}", "random", "--games", "1")
SIDE_BY_SIDE = ("play", "pig", "{bot}", "random", "--games", "4", "--jobs", "2")
COMMANDS = ((CHECK, 1), (PLAY, 1), (SIDE_BY_SIDE, 2))
"""Commands, and the number of bots that each runs."""
QUICK = ((CHECK, signal.SIGHUP), (PLAY, signal.SIGINT), (SIDE_BY_SIDE, signal.SIGTERM), (SIDE_BY_SIDE, signal.SIGKILL))
"""Each command and each signal at least once: a command handles all signals in one place.

Both signals that need worker processes to end their bots are sent to the command that has worker processes.
"""
COMBINATIONS = [
    pytest.param(words, count, sign, marks=() if (words, sign) in QUICK else pytest.mark.slow)
    for words, count in COMMANDS
    for sign in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL)
]


def running(pid: int) -> bool:
    """Return True if a process runs; a zombie does not."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def started(folder: Path, count: int) -> dict[int, int]:
    """Return the process ids of this many bots, each with that of the process that the bot started."""

    def found() -> dict[int, int]:
        return {int(mark.name): int(mark.read_text()) for mark in folder.iterdir() if mark.name.isdigit()}

    return wait_for(lambda: bots if len(bots := found()) >= count else {}, f"{count} bots run", 60)


@pytest.mark.parametrize(("words", "count", "sign"), COMBINATIONS)
def test_any_signal_that_ends_an_ftk_command_ends_its_bot_processes(
    tmp_path: Path, words: tuple[str, ...], count: int, sign: signal.Signals
) -> None:
    folder, bot = tmp_path / "marks", tmp_path / "endless.py"
    folder.mkdir()
    bot.write_text(ENDLESS.format(folder=str(folder)))
    command = [*FTK, *(word.format(bot=bot) for word in words)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    bots = started(folder, count)
    try:
        process.send_signal(sign)
        process.wait(10)
        wait_for(lambda: not any(map(running, bots)), "no bot is left")
        if sign != signal.SIGKILL:  # after SIGKILL, nothing remains to end the processes that bots started
            wait_for(lambda: not any(map(running, bots.values())), "nothing that a bot has started is left")
            said = process.stderr.read().decode() if process.stderr else ""
            assert "Traceback" not in said
            assert process.returncode == 128 + sign
    finally:
        for pid in (process.pid, *bots, *bots.values()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.slow
def test_bot_processes_end_when_the_ftk_command_ends_even_if_its_worker_process_is_suspended(tmp_path: Path) -> None:
    folder, bot = tmp_path / "marks", tmp_path / "endless.py"
    folder.mkdir()
    bot.write_text(ENDLESS.format(folder=str(folder)))
    process = subprocess.Popen([*FTK, *(word.format(bot=bot) for word in SIDE_BY_SIDE)], stdout=subprocess.DEVNULL)
    bots = started(folder, 2)
    try:
        psutil.Process(min(bots)).parent().suspend()
        process.terminate()
        wait_for(lambda: not any(map(running, (*bots, *bots.values()))), "no process of a bot is left")
        assert process.wait(10) == 128 + signal.SIGTERM
    finally:
        for pid in (process.pid, *bots, *bots.values()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait(10)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGHUP])
def test_a_second_signal_does_not_interrupt_the_cleanup_after_the_first(sign: signal.Signals) -> None:
    command = [sys.executable, "-c", SIGNALLED_TWICE, str(int(sign))]
    process = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (process.stdout, process.returncode) == ("cleaned up\n", 128 + sign)


@pytest.mark.slow
def test_a_command_started_with_nohup_continues_after_a_hangup(tmp_path: Path) -> None:
    folder, bot = tmp_path / "marks", tmp_path / "endless.py"
    folder.mkdir()
    bot.write_text(ENDLESS.format(folder=str(folder)))
    command = ["nohup", *FTK, *(word.format(bot=bot) for word in SIDE_BY_SIDE)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    bots = started(folder, 2)
    try:
        workers = {psutil.Process(pid).parent().pid for pid in bots}
        for pid in (process.pid, *workers):
            os.kill(pid, signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        assert all(map(running, (*workers, *bots)))
        process.terminate()
        assert process.wait(10) == 128 + signal.SIGTERM
    finally:
        for pid in (process.pid, *bots, *bots.values()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait(10)
