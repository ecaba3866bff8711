"""CPU time and sleep of a bot are distinguished, also after its process has ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from ftk_core.kit.protocol import cpu_clock
from ftk_core.kit.protocol.cpu_clock import BotProcessTimer, cpu_us
from ftk_core.kit.protocol.process_player import POLL_MS
from tests.support.load import crowded_processor
from tests.support.waiting import until, wait_for

BURN = "import time\nwhile time.process_time() < 0.4: pass\nprint(flush=True)\ninput()"


@pytest.mark.slow
def test_the_cpu_time_of_an_ended_process_does_not_count_as_sleep() -> None:
    with subprocess.Popen([sys.executable, "-c", BURN], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        clocks = BotProcessTimer(process.pid)
        assert process.stdout
        process.stdout.readline()
        before = clocks.spent()
        process.kill()
        process.wait()
        after = clocks.spent()
        clocks.close()
    assert (after.idle_us or 0) - (before.idle_us or 0) < 200_000


@pytest.mark.slow
def test_without_per_process_cpu_clocks_the_cpu_time_is_read_from_the_process_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with subprocess.Popen([sys.executable, "-c", BURN], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        exact = cpu_us(process.pid)
        monkeypatch.setattr(cpu_clock, "HAS_PROCESS_CLOCKS", False)
        assert abs(cpu_us(process.pid) - exact) < 50_000  # the table counts in hundredths of a second
        process.kill()
    assert cpu_us(process.pid) == 0


def test_cpu_time_a_bot_uses_between_two_questions_is_charged_to_the_second_question() -> None:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy, ExitStack() as stack:
        stack.callback(busy.kill)
        clocks = BotProcessTimer(busy.pid)
        stack.callback(clocks.close)
        wait_for(lambda: clocks.spent().charged_us > 10_000, "it computes", 10)
        paid = clocks.spent().charged_us
        wait_for(lambda: cpu_us(busy.pid) > paid + 60_000, "it goes on", 10)
        clocks.start(charges_earlier_cpu=True)
        owed = clocks.spent().charged_us
        clocks.start()
        fresh = clocks.spent().charged_us
    assert owed > 20_000
    assert fresh < owed


SLEEPER = "import time; print(flush=True); time.sleep(3600)"
PAUSED_WORKER = """
import json, sys
from pathlib import Path
from ftk_core.kit.built_in_bots import start_bot
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from tests.support.sandbox.bots import question
with BotProcessPlayer("bot", start_bot("pig", sys.argv[1]), suspends_when_idle=True) as player:
    player.choose(question(1))
    print(player.pid, flush=True)
    spent = player.choose(question(2)).spent
    print(json.dumps([spent.idle_us, spent.queued_us]), flush=True)
"""
"""A worker that asks a bot two questions and prints the bot's sleep and its wait for the second answer."""
SLOW_BOT = """
import json, sys, time
for line in sys.stdin:
    number = json.loads(line)["id"]
    time.sleep((number - 1) * 0.5)
    print(json.dumps({"id": number, "choose": 0}), flush=True)
"""
"""A bot that sleeps for half a second before its second answer."""


@pytest.mark.slow
def test_a_pause_of_the_worker_and_the_bot_together_is_not_counted_as_sleep_of_the_bot(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(SLOW_BOT)
    command = [sys.executable, "-c", PAUSED_WORKER, str(program)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker, ExitStack() as stack:
        stack.callback(worker.kill)
        assert worker.stdout
        pids = (worker.pid, int(worker.stdout.readline()))
        for signal_number, seconds in ((signal.SIGSTOP, 0.2), (signal.SIGCONT, 2.5)):
            until(time.monotonic() + seconds)
            for pid in pids:
                os.kill(pid, signal_number)
        idle_us, queued_us = json.loads(worker.stdout.readline())
    assert idle_us < 1_000_000
    assert queued_us > 2_000_000


@pytest.mark.slow
def test_a_sleeping_bot_is_charged_for_short_waits_but_not_for_a_long_pause_of_the_worker() -> None:
    with subprocess.Popen([sys.executable, "-c", SLEEPER], stdout=subprocess.PIPE) as process, ExitStack() as stack:
        stack.callback(process.kill)
        assert process.stdout
        process.stdout.readline()
        clocks = BotProcessTimer(process.pid)
        stack.callback(clocks.close)
        for _ in range(15):
            until(time.monotonic() + POLL_MS / 1000)
            before = clocks.spent(silent=True)
        until(time.monotonic() + 0.5)
        after = clocks.spent(silent=True)
    assert int(before.idle_us or 0) > 250_000
    assert int(after.idle_us or 0) - int(before.idle_us or 0) < 250_000
    assert int(after.queued_us or 0) > 250_000


HIDDEN_LOOP = """
import threading, time
def think():
    while True:
        pass
threading.Thread(target=think, daemon=True).start()
print(flush=True)
time.sleep(3600)
"""
"""A program whose first thread only waits for its working thread, as in a Java virtual machine."""
HOGS = 20


@pytest.mark.nightly
@pytest.mark.parametrize(("program", "sleeps"), [(SLEEPER, True), (HIDDEN_LOOP, False)])
def test_sleep_and_work_are_distinguished_on_an_overloaded_machine(program: str, *, sleeps: bool) -> None:
    with ExitStack() as stack:
        process = stack.enter_context(subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE))
        stack.callback(process.kill)
        assert process.stdout
        process.stdout.readline()
        stack.enter_context(crowded_processor(HOGS, process.pid))
        clocks = BotProcessTimer(process.pid)
        stack.callback(clocks.close)
        wait_for(lambda: int(clocks.spent(silent=True).wall_us or 0) > 3_000_000, "three seconds have passed")
        spent = clocks.spent(silent=True)
    idle, wall = int(spent.idle_us or 0), int(spent.wall_us or 0)
    assert idle > wall / 2 if sleeps else idle < wall / 5, spent
