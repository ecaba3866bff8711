"""Cgroups of bots on machines that delegate a cgroup: one for each bot, removed afterwards.

``FTK_TEST_CGROUP`` names an empty cgroup (version 2) that the tests may divide; `.ci/run` creates one if it can.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

from bots.sandbox import cgroup
from bots.sandbox.cgroup import CONTROLLERS, WORKER_LEAF, cgroup_limits, create_cgroup, prepare_cgroup
from bots.sandbox.language_runtimes import SandboxUnavailable
from bots.sandbox.sandbox_self_test import probe_sandbox
from tests.support.machine import sandbox_config, working_backends
from tests.support.sandbox.bots import NOTING_BOT, question, start_bot_in

FOLDER = Path(os.environ["FTK_TEST_CGROUP"])
FAMILY = """
import subprocess, time
input()
subprocess.Popen(["sleep", "60"])
print("up", flush=True)
time.sleep(60)
"""


def available_controllers() -> list[str]:
    """Return those of our controllers that this machine has in cgroup version 2."""
    return [name for name in CONTROLLERS if name in (FOLDER / "cgroup.controllers").read_text().split()]


def members(group: Path) -> list[int]:
    return [int(line) for line in (group / "cgroup.procs").read_text().split()]


@pytest.fixture
def parent_group() -> Iterator[Path]:
    """A cgroup prepared by a worker."""
    folder = FOLDER / f"tests-{os.getpid()}"
    folder.mkdir()
    prepare_cgroup(folder, available_controllers())
    yield folder
    (folder / WORKER_LEAF).rmdir()
    folder.rmdir()


@pytest.fixture
def worker(parent_group: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make this process appear to be in the leaf of that cgroup, with limits for the machine's controllers."""
    monkeypatch.setattr(cgroup, "own_cgroup", lambda: parent_group / WORKER_LEAF)
    files = {name: n for name, n in cgroup_limits("python").items() if name.split(".")[0] in available_controllers()}
    monkeypatch.setattr(cgroup, "cgroup_limits", lambda _kind: files)
    with override_settings(BOT_CGROUP=True):
        yield parent_group


@pytest.mark.parametrize("backend", working_backends())
def test_each_bot_process_runs_in_its_own_cgroup(backend: str, tmp_path: Path, worker: Path) -> None:
    with start_bot_in(backend, tmp_path, NOTING_BOT.format(body="    return 'plays'")) as player:
        (group,) = worker.glob("bot-*")
        assert members(group) == [player.pid]
        assert player.choose(question()).index == 0
        assert player.notes == [(1, "plays")]
        assert "usage_usec 0\n" not in (group / "cpu.stat").read_text()
    assert list(worker.glob("bot-*")) == []


@pytest.mark.parametrize("backend", working_backends())
def test_the_sandbox_self_test_runs_in_a_cgroup_and_removes_it(backend: str, worker: Path) -> None:
    report = probe_sandbox(sandbox_config(backend))
    assert report.passed, report.reason
    assert list(worker.glob("bot-*")) == []


def test_removing_a_cgroup_kills_all_of_its_processes(parent_group: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", FAMILY], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        with create_cgroup(parent_group, process.pid, {}) as group:
            process.stdin.write(b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"up\n"
            assert len(members(group)) == 2
        assert process.wait() == -signal.SIGKILL
    assert not group.exists()


def test_a_process_that_has_ended_leaves_no_cgroup(parent_group: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="cannot have a cgroup"), create_cgroup(parent_group, 2**22 + 1, {}):
        pass
    assert list(parent_group.glob("bot-*")) == []


def test_a_worker_without_a_required_cgroup_starts_no_bot(tmp_path: Path) -> None:
    why = "no cgroup that a worker has made ready"
    bot = start_bot_in(working_backends()[0], tmp_path, NOTING_BOT.format(body="    return 1"))
    with override_settings(BOT_CGROUP=True):
        assert why in probe_sandbox(sandbox_config(working_backends()[0])).reason
        with pytest.raises(SandboxUnavailable, match=why), bot:
            pass


def test_preparing_a_cgroup_that_is_not_delegated_to_the_worker_raises_an_error(tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="is not delegated to the worker"):
        prepare_cgroup(tmp_path)


def test_a_delegated_cgroup_is_used_only_if_no_other_process_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = FOLDER / f"given-{os.getpid()}"
    folder.mkdir()
    monkeypatch.setattr(cgroup, "CONTROLLERS", available_controllers())
    monkeypatch.setattr(cgroup, "own_cgroup", lambda: folder)
    with subprocess.Popen(["sleep", "60"]) as process:
        try:
            (folder / "cgroup.procs").write_text(str(process.pid))
            cgroup.prepare_delegated_cgroup()
            assert not (folder / WORKER_LEAF).exists(), "somebody else sits in it"
            monkeypatch.setattr(os, "getpid", lambda: process.pid)
            cgroup.prepare_delegated_cgroup()
            assert members(folder / WORKER_LEAF) == [process.pid]
            monkeypatch.setattr(cgroup, "own_cgroup", lambda: folder / WORKER_LEAF)
            assert cgroup.is_ready()
        finally:
            process.kill()
            process.wait()
            (folder / WORKER_LEAF).rmdir()
            folder.rmdir()


def test_a_cgroup_that_lacks_a_controller_is_not_used(parent_group: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "CONTROLLERS", (*available_controllers(), "no such controller"))
    monkeypatch.setattr(cgroup, "own_cgroup", lambda: parent_group / WORKER_LEAF)
    assert not cgroup.is_ready()
