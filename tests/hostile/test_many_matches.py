"""Many matches against hostile bots: they leave nothing behind, and honest bots lose nothing by them."""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import Any

import pytest

from bots.sandbox.bot_start_settings import BotStartCommand
from bots.sandbox.sandboxed_bot_start import start_all_in_sandbox
from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.log_entries import TimeControl
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from tests.support.hostile.harness import COMMAND, write_hostile_bot
from tests.support.hostile.suite import HostileBot, list_hostile_bots
from tests.support.hostile.targets import list_descendants
from tests.support.machine import sandbox_config, working_backends
from tests.support.waiting import wait_for

MATCHES = int(os.environ.get("FTK_HOSTILE_MATCHES", "20"))
"""Number of matches; `make chaos` plays 500."""
WARM = 10
FLAT_KIB = 16 * 1024
"""Maximum growth of the worker's memory, whatever the number of matches."""


def stored(tmp_path: Path, bot: HostileBot, hints: dict[str, Any], number: int) -> Path:
    folder = tmp_path / str(number)
    folder.mkdir()
    write_hostile_bot(bot, folder, hints)
    return folder


@pytest.mark.nightly
@pytest.mark.parametrize("backend", [backend for backend in working_backends() if backend != "landlock"])
def test_many_matches_of_hostile_bots_leave_no_processes_or_files(
    backend: str, tmp_path: Path, hints: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, milliseconds in (("IDLE_MS", 1000), ("IDLE_BANK_MS", 2000), ("STARTUP_MS", 3000)):
        monkeypatch.setattr(f"ftk_core.kit.protocol.process_player.{name}", milliseconds)
    honest = tmp_path / "honest"
    honest.mkdir()
    (honest / "bot.py").write_bytes(list_built_in_bots("pig")["hold20"].read_bytes())
    bots = list_hostile_bots()
    step = max(1, len(bots) // MATCHES)
    before, faults = (0, 0, set[int]()), []
    for number in range(MATCHES + WARM):
        hostile = bots[number * step % len(bots)]
        entries = [
            ("hostile", BotStartCommand(stored(tmp_path, hostile, hints, number), COMMAND)),
            ("honest", BotStartCommand(honest, COMMAND)),
        ]
        with start_all_in_sandbox(sandbox_config(backend), entries) as players:
            seed = seed_of("hostile", number)
            play(game("pig"), list(players), seed, log=InMemoryLog(), clock=TimeControl(200, 500))
            faults += [(hostile.name, fault) for fault in players[1].faults]
        if number == WARM - 1:
            before = read_used_resources()
    assert faults == [], "an honest bot beside a hostile one is never at fault"
    wait_for(lambda: read_used_resources()[2] <= before[2], "no process is left")
    assert read_used_resources()[0] == before[0], "no descriptor is left open"
    assert read_used_resources()[1] - before[1] < FLAT_KIB, "the worker's memory stays flat"


def read_used_resources() -> tuple[int, int, set[int]]:
    """Return the open descriptors, the memory in KiB, and the descendants of this process."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        resident = int(statm.read().split()[1]) * resource.getpagesize() // 1024
    return len(os.listdir("/proc/self/fd")), resident, set(list_descendants())
