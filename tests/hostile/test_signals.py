"""No bot reaches another process with a signal, whatever the kernel's Landlock knows of that, or no gate opens."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bots.cage import runtime
from bots.cage.filter import policy
from bots.cage.filter.bpf import assembled
from bots.cage.filter.calls import NUMBERS
from bots.cage.filter.policy import Test as Argument
from bots.cage.probe import probe
from tests.support.cage.unfiltered import refiltered
from tests.support.hostile.harness import play, spawn, store
from tests.support.hostile.suite import Hostile, hostile_bots
from tests.support.machine import cage_of, held_tiers

SIGNALS = [bot for bot in hostile_bots() if bot.group == "processes" and bot.name.startswith(("signal_", "abort_"))]
OLD = "version = min(5, libc.syscall(LANDLOCK_CREATE, None, 0, LANDLOCK_VERSION))"
"""As kernels before 6.12 answer, which have no scope for signals."""


@pytest.fixture
def old_landlock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    source = runtime.BOOT.read_text()
    older = source.replace(OLD.replace("min(5, ", "").replace("))", ")"), OLD)
    assert older != source
    (tmp_path / "boot.py").write_text(older)
    monkeypatch.setattr(runtime, "BOOT", tmp_path / "boot.py")
    runtime.boot_file.cache_clear()
    yield
    runtime.boot_file.cache_clear()


@pytest.mark.usefixtures("old_landlock")
@pytest.mark.parametrize("bot", SIGNALS, ids=str)
@pytest.mark.parametrize("tier", held_tiers())
def test_no_signal_leaves_the_cage_of_an_older_kernel(
    tier: str, bot: Hostile, tmp_path: Path, hints: dict[str, Any]
) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    store(bot, folder, hints)
    assert play(bot, folder, partial(spawn, tier)).outcome == "held"


@pytest.mark.usefixtures("old_landlock")
def test_a_tier_without_a_scope_for_signals_does_not_hold_where_the_filter_lets_one_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(policy.CAREFUL, "tgkill", (Argument(2, (6,)),))
    monkeypatch.setitem(NUMBERS["x86_64"], "tgkill", 234)
    with refiltered(monkeypatch, assembled):
        reports = {tier: probe(cage_of(tier)) for tier in held_tiers()}
    assert {tier: report.held for tier, report in reports.items()} == {tier: tier != "landlock" for tier in reports}
    assert all("signal by tgkill" in report.reason for tier, report in reports.items() if tier == "landlock")
