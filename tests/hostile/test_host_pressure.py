"""Bots are killed first when memory runs out, and a table that does not fit into memory is not started."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from bots.cage import spawn as spawning
from bots.cage.build import build
from bots.cage.inside.boot import OOM_SCORE
from bots.cage.limits import CAGE, MIB
from bots.cage.plan import BotProgram
from bots.cage.runtime import CageUnavailable
from bots.cage.spawn import caged_all
from tests.support.cage.bots import SAYS, bot_in, question
from tests.support.hostile.world import descendants
from tests.support.machine import cage_of, have, held_tiers
from tests.support.waiting import wait_for

EVERYWHERE = pytest.mark.parametrize("tier", held_tiers())
SLOW_SOURCE = """
#include <iostream>
#include <regex>
int main() { std::cout << std::regex_match("a", std::regex("a+")); }
"""


def scores_of(*pids: int) -> set[int]:
    """Return the scores by which processes are chosen where memory runs out, of those that still live."""
    found = set()
    for pid in pids:
        with suppress(OSError):
            found.add(int(Path(f"/proc/{pid}/oom_score_adj").read_text()))
    return found


@EVERYWHERE
def test_the_kernel_ends_bots_before_the_worker(tier: str, tmp_path: Path) -> None:
    with bot_in(tier, tmp_path, SAYS.format(body="    return ''")) as player:
        player.choose(question())
        assert scores_of(player.pid) == {OOM_SCORE}
    assert max(scores_of(os.getpid())) < OOM_SCORE


@pytest.mark.slow
@pytest.mark.skipif(not have("bwrap", "c++"), reason="there is no compiler")
def test_the_kernel_ends_compilers_before_the_worker(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "bot.cpp").write_text(SLOW_SOURCE)
    thread = threading.Thread(target=build, args=(tmp_path, "cpp", "bot.cpp"))
    thread.start()
    try:
        scores = wait_for(
            lambda: scores_of(*(pid for pid, name in descendants().items() if name == "cc1plus")), "it compiles"
        )
    finally:
        thread.join()
    assert scores == {OOM_SCORE}


def test_a_table_that_the_machine_cannot_hold_is_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spawning, "physical_memory", lambda: 2048 * MIB)
    (tmp_path / "bot.py").write_text(SAYS.format(body="    return ''"))
    entry = BotProgram(tmp_path, ("python", "bot.py"))
    tmp_path.chmod(0o755)
    with (
        pytest.raises(CageUnavailable, match=r"7 bots at one table may use 1792 MiB of memory .* 1536 of its 2048 MiB"),
        caged_all(cage_of(held_tiers()[0]), [("bot", entry)] * 7),
    ):
        pass
    with caged_all(cage_of(held_tiers()[0]), [("bot", entry)] * 6) as players:
        assert len(players) == 6


def test_a_table_of_twelve_fits_where_the_arena_asks_for_it() -> None:
    assert os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") == spawning.physical_memory()
    assert 12 * CAGE.memory_bytes <= 4096 * MIB * spawning.MEMORY_SHARE
