"""Where the machine delegates a cgroup, each bot sits in one of its own, and nothing of it is left.

``FTK_TEST_CGROUP`` names an empty cgroup (version 2) that we may divide; `.ci/run` makes one where it can.
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

from bots.cage import cgroup
from bots.cage.cgroup import CONTROLLERS, WORKER, group_of, limits, settle
from bots.cage.probe import probe
from bots.cage.runtime import CageUnavailable
from tests.support.cage.bots import SAYS, bot_in, question
from tests.support.machine import cage_of, held_tiers

FOLDER = Path(os.environ["FTK_TEST_CGROUP"])
FAMILY = """
import subprocess, time
input()
subprocess.Popen(["sleep", "60"])
print("up", flush=True)
time.sleep(60)
"""


def controllers() -> list[str]:
    """Those of ours that this machine has in version 2."""
    return [name for name in CONTROLLERS if name in (FOLDER / "cgroup.controllers").read_text().split()]


def members(group: Path) -> list[int]:
    return [int(line) for line in (group / "cgroup.procs").read_text().split()]


@pytest.fixture
def ground() -> Iterator[Path]:
    """A cgroup that a worker has made ready."""
    folder = FOLDER / f"tests-{os.getpid()}"
    folder.mkdir()
    settle(folder, controllers())
    yield folder
    (folder / WORKER).rmdir()
    folder.rmdir()


@pytest.fixture
def worker(ground: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """As if this process sat in the leaf of that cgroup, with the limits that the machine's controllers have."""
    monkeypatch.setattr(cgroup, "own", lambda: ground / WORKER)
    files = {name: n for name, n in limits("python").items() if name.split(".")[0] in controllers()}
    monkeypatch.setattr(cgroup, "limits", lambda _kind: files)
    with override_settings(BOT_CGROUP=True):
        yield ground


@pytest.mark.parametrize("tier", held_tiers())
def test_a_bot_plays_in_a_cgroup_of_its_own(tier: str, tmp_path: Path, worker: Path) -> None:
    with bot_in(tier, tmp_path, SAYS.format(body="    return 'plays'")) as player:
        (group,) = worker.glob("bot-*")
        assert members(group) == [player.pid]
        assert player.choose(question()).index == 0
        assert player.notes == [(1, "plays")]
        assert "usage_usec 0\n" not in (group / "cpu.stat").read_text()
    assert list(worker.glob("bot-*")) == []


@pytest.mark.parametrize("tier", held_tiers())
def test_the_probe_is_tried_in_one(tier: str, worker: Path) -> None:
    report = probe(cage_of(tier))
    assert report.held, report.reason
    assert list(worker.glob("bot-*")) == []


def test_all_that_is_in_it_ends_with_it(ground: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", FAMILY], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        with group_of(ground, process.pid, {}) as group:
            process.stdin.write(b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"up\n"
            assert len(members(group)) == 2
        assert process.wait() == -signal.SIGKILL
    assert not group.exists()


def test_a_process_that_is_gone_leaves_no_cgroup(ground: Path) -> None:
    with pytest.raises(CageUnavailable, match="cannot have a cgroup"), group_of(ground, 2**22 + 1, {}):
        pass
    assert list(ground.glob("bot-*")) == []


def test_a_worker_that_has_none_starts_no_bot(tmp_path: Path) -> None:
    why = "no cgroup that a worker has made ready"
    bot = bot_in(held_tiers()[0], tmp_path, SAYS.format(body="    return 1"))
    with override_settings(BOT_CGROUP=True):
        assert why in probe(cage_of(held_tiers()[0])).reason
        with pytest.raises(CageUnavailable, match=why), bot:
            pass


def test_what_is_not_delegated_is_named(tmp_path: Path) -> None:
    with pytest.raises(CageUnavailable, match="is not delegated to the worker"):
        settle(tmp_path)


def test_a_cgroup_is_taken_where_it_was_given_to_the_worker_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = FOLDER / f"given-{os.getpid()}"
    folder.mkdir()
    monkeypatch.setattr(cgroup, "CONTROLLERS", controllers())
    monkeypatch.setattr(cgroup, "own", lambda: folder)
    with subprocess.Popen(["sleep", "60"]) as process:
        try:
            (folder / "cgroup.procs").write_text(str(process.pid))
            cgroup.settle_if_given()
            assert not (folder / WORKER).exists(), "somebody else sits in it"
            monkeypatch.setattr(os, "getpid", lambda: process.pid)
            cgroup.settle_if_given()
            assert members(folder / WORKER) == [process.pid]
            monkeypatch.setattr(cgroup, "own", lambda: folder / WORKER)
            assert cgroup.is_ready()
        finally:
            process.kill()
            process.wait()
            (folder / WORKER).rmdir()
            folder.rmdir()


def test_what_lacks_a_controller_is_not_taken(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "CONTROLLERS", (*controllers(), "no such controller"))
    monkeypatch.setattr(cgroup, "own", lambda: ground / WORKER)
    assert not cgroup.is_ready()
