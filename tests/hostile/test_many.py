"""After many matches against hostile bots nothing is left, and who played honestly beside them lost nothing by it."""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import Any

import pytest

from bots.cage.plan import BotProgram
from bots.cage.spawn import caged_all
from ftk_core.entries import Clock
from ftk_core.games import game
from ftk_core.kit.house import house_bots
from ftk_core.log import MemoryLog
from ftk_core.referee import play
from ftk_core.rng import seed_of
from tests.support.hostile.harness import COMMAND, store
from tests.support.hostile.suite import Hostile, hostile_bots
from tests.support.hostile.world import descendants
from tests.support.machine import cage_of, held_tiers
from tests.support.waiting import wait_for

MATCHES = int(os.environ.get("FTK_HOSTILE_MATCHES", "20"))
"""`make chaos` plays 500."""
WARM = 10
FLAT_KIB = 16 * 1024
"""As much may the worker's memory grow, whatever the number of matches."""


def stored(tmp_path: Path, bot: Hostile, hints: dict[str, Any], number: int) -> Path:
    folder = tmp_path / str(number)
    folder.mkdir()
    store(bot, folder, hints)
    return folder


@pytest.mark.parametrize("tier", [tier for tier in held_tiers() if tier != "landlock"])
def test_nothing_is_left_of_many_hostile_matches(
    tier: str, tmp_path: Path, hints: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, milliseconds in (("IDLE_MS", 1000), ("IDLE_BANK_MS", 2000), ("STARTUP_MS", 3000)):
        monkeypatch.setattr(f"ftk_core.kit.pipe.{name}", milliseconds)
    honest = tmp_path / "honest"
    honest.mkdir()
    (honest / "bot.py").write_bytes(house_bots("pig")["hold20"].read_bytes())
    bots = hostile_bots()
    step = max(1, len(bots) // MATCHES)
    before, faults = (0, 0, set[int]()), []
    for number in range(MATCHES + WARM):
        hostile = bots[number * step % len(bots)]
        entries = [
            ("hostile", BotProgram(stored(tmp_path, hostile, hints, number), COMMAND)),
            ("honest", BotProgram(honest, COMMAND)),
        ]
        with caged_all(cage_of(tier), entries) as players:
            seed = seed_of("hostile", number)
            play(game("pig"), list(players), seed, log=MemoryLog(), clock=Clock(200, 500))
            faults += [(hostile.name, fault) for fault in players[1].faults]
        if number == WARM - 1:
            before = held()
    assert faults == [], "an honest bot beside a hostile one is never at fault"
    wait_for(lambda: held()[2] <= before[2], "no process is left")
    assert held()[0] == before[0], "no descriptor is left open"
    assert held()[1] - before[1] < FLAT_KIB, "the worker's memory stays flat"


def held() -> tuple[int, int, set[int]]:
    """Return what this process has: open descriptors, memory in KiB, processes below it."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        resident = int(statm.read().split()[1]) * resource.getpagesize() // 1024
    return len(os.listdir("/proc/self/fd")), resident, set(descendants())
