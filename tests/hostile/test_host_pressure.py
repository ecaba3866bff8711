"""Memory pressure: bots are killed first, and a table that does not fit into memory is not started."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from bots.sandbox import sandboxed_bot_start as spawning
from bots.sandbox.bot_start_settings import BotStartCommand
from bots.sandbox.inside.boot import OOM_SCORE
from bots.sandbox.language_runtimes import SandboxUnavailable
from bots.sandbox.sandboxed_bot_start import start_all_in_sandbox
from bots.sandbox.sandboxed_compilation import build_program
from ftk_core.kit.sandboxing.sandbox_limits import MIB, SANDBOX_LIMITS
from tests.support.hostile.targets import list_descendants
from tests.support.machine import has_programs, sandbox_config, working_backends
from tests.support.sandbox.bots import NOTING_BOT, question, start_bot_in
from tests.support.waiting import wait_for

EVERYWHERE = pytest.mark.parametrize("backend", working_backends())
SLOW_SOURCE = """
#include <iostream>
#include <regex>
int main() { std::cout << std::regex_match("a", std::regex("a+")); }
"""


def scores_of(*pids: int) -> set[int]:
    """Return the out-of-memory scores of those processes that still run."""
    found = set()
    for pid in pids:
        with suppress(OSError):
            found.add(int(Path(f"/proc/{pid}/oom_score_adj").read_text()))
    return found


@EVERYWHERE
def test_the_oom_killer_kills_bots_before_the_worker(backend: str, tmp_path: Path) -> None:
    with start_bot_in(backend, tmp_path, NOTING_BOT.format(body="    return ''")) as player:
        player.choose(question())
        assert scores_of(player.pid) == {OOM_SCORE}
    assert max(scores_of(os.getpid())) < OOM_SCORE


@pytest.mark.nightly
@pytest.mark.skipif(not has_programs("bwrap", "c++"), reason="there is no compiler")
def test_the_oom_killer_kills_compilers_before_the_worker(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "bot.cpp").write_text(SLOW_SOURCE)
    thread = threading.Thread(target=build_program, args=(tmp_path, "cpp", "bot.cpp"))
    thread.start()
    try:
        scores = wait_for(
            lambda: scores_of(*(pid for pid, name in list_descendants().items() if name == "cc1plus")), "it compiles"
        )
    finally:
        thread.join()
    assert scores == {OOM_SCORE}


def test_a_match_whose_bots_need_more_memory_than_the_machine_has_is_not_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spawning, "physical_memory", lambda: 2048 * MIB)
    (tmp_path / "bot.py").write_text(NOTING_BOT.format(body="    return ''"))
    entry = BotStartCommand(tmp_path, ("python", "bot.py"))
    tmp_path.chmod(0o755)
    with (
        pytest.raises(
            SandboxUnavailable, match=r"7 bots at one table may use 1792 MiB of memory .* 1536 of its 2048 MiB"
        ),
        start_all_in_sandbox(sandbox_config(working_backends()[0]), [("bot", entry)] * 7),
    ):
        pass
    with start_all_in_sandbox(sandbox_config(working_backends()[0]), [("bot", entry)] * 6) as players:
        assert len(players) == 6


@pytest.mark.parametrize("limit", ["max\n", "2147483648\n", None])
def test_the_memory_limit_of_a_container_counts_as_the_memory_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str | None
) -> None:
    monkeypatch.setattr(spawning, "CONTAINER_LIMIT", tmp_path / "memory.max")
    if limit is not None:
        (tmp_path / "memory.max").write_text(limit)
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert spawning.physical_memory() == (min(machine, 2048 * MIB) if limit == "2147483648\n" else machine)


def test_a_match_of_twelve_bots_fits_into_a_machine_with_4_gib_of_memory() -> None:
    assert 12 * SANDBOX_LIMITS.memory_bytes <= 4096 * MIB * spawning.MEMORY_SHARE
