"""Signals: no bot can send one to another process, also on kernels whose Landlock cannot restrict them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bots.sandbox import language_runtimes
from bots.sandbox.filter import system_call_policy
from bots.sandbox.filter.bpf import assemble_filter
from bots.sandbox.filter.system_call_numbers import NUMBERS
from bots.sandbox.filter.system_call_policy import SystemCallCondition as Argument
from bots.sandbox.sandbox_self_test import probe_sandbox
from tests.support.hostile.harness import play, spawn_in_sandbox, write_hostile_bot
from tests.support.hostile.suite import HostileBot, list_hostile_bots
from tests.support.machine import sandbox_config, working_backends
from tests.support.sandbox.unfiltered import replaced_filter

SIGNALS = [
    bot for bot in list_hostile_bots() if bot.group == "processes" and bot.name.startswith(("signal_", "abort_"))
]
OLD = "version = min(5, libc.syscall(LANDLOCK_CREATE, None, 0, LANDLOCK_VERSION))"
"""Line that limits Landlock to the version of kernels before 6.12, which has no scopes for signals."""


@pytest.fixture
def old_landlock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    source = language_runtimes.BOOT_FILE.read_text()
    older = source.replace(OLD.replace("min(5, ", "").replace("))", ")"), OLD)
    assert older != source
    (tmp_path / "boot.py").write_text(older)
    monkeypatch.setattr(language_runtimes, "BOOT_FILE", tmp_path / "boot.py")
    language_runtimes.compile_bootstrap.cache_clear()
    yield
    language_runtimes.compile_bootstrap.cache_clear()


@pytest.mark.usefixtures("old_landlock")
@pytest.mark.parametrize("bot", SIGNALS, ids=str)
@pytest.mark.parametrize("backend", working_backends())
def test_no_bot_can_signal_a_process_outside_its_sandbox_on_a_kernel_without_landlock_scopes(
    backend: str, bot: HostileBot, tmp_path: Path, hints: dict[str, Any]
) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    write_hostile_bot(bot, folder, hints)
    assert play(bot, folder, partial(spawn_in_sandbox, backend)).outcome == "held"


@pytest.mark.usefixtures("old_landlock")
def test_the_landlock_self_test_fails_if_the_seccomp_filter_lets_bots_send_signals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(system_call_policy.CONDITIONAL_CALLS, "tgkill", (Argument(2, (6,)),))
    monkeypatch.setitem(NUMBERS["x86_64"], "tgkill", 234)
    with replaced_filter(monkeypatch, assemble_filter):
        reports = {backend: probe_sandbox(sandbox_config(backend)) for backend in working_backends()}
    assert {backend: report.passed for backend, report in reports.items()} == {
        backend: backend != "landlock" for backend in reports
    }
    assert all("signal by tgkill" in report.reason for backend, report in reports.items() if backend == "landlock")
