"""Out of memory: a bot killed because the machine lacked memory is not at fault; a bot that kills itself is."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.sandbox.out_of_memory_detection import BotMemoryCounters
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version, create_waiting_match

KILLS_ITSELF = """
import os, signal
from ftk_core.kit.bot import run
def choose(ask):
    os.kill(os.getpid(), signal.SIGKILL)
run(choose)
"""


def write_counters(file: Path, **counts: int) -> Path:
    file.write_text("".join(f"{name} {count}\n" for name, count in {"low": 0, **counts}.items()))
    return file


@pytest.mark.parametrize(
    ("before", "after", "host"), [(3, 3, False), (3, 4, True)], ids=["nothing was killed", "something was killed"]
)
def test_without_a_cgroup_the_host_is_blamed_if_the_kernel_counted_an_oom_kill(
    tmp_path: Path, *, before: int, after: int, host: bool
) -> None:
    witness = BotMemoryCounters(None, vmstat := write_counters(tmp_path / "vmstat", oom_kill=before))
    write_counters(vmstat, oom_kill=after)
    assert witness.was_killed() == host


@pytest.mark.parametrize(
    ("oom", "oom_kill", "host"),
    [(0, 0, False), (1, 1, False), (0, 1, True)],
    ids=["it ended by itself", "it reached its own limit", "the machine had no memory"],
)
def test_an_oom_kill_is_blamed_on_the_host_unless_the_cgroup_of_the_bot_reached_its_limit(
    tmp_path: Path, *, oom: int, oom_kill: int, host: bool
) -> None:
    vmstat = write_counters(tmp_path / "vmstat", oom_kill=0)
    witness = BotMemoryCounters(tmp_path, vmstat)
    write_counters(tmp_path / "memory.events", oom=oom, oom_kill=oom_kill)
    write_counters(vmstat, oom_kill=9)
    assert witness.was_killed() == host


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("host", [False, True])
def test_a_bot_that_kills_itself_loses_unless_the_kernel_counted_an_oom_kill_during_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, host: bool
) -> None:
    vmstat = write_counters(tmp_path / "vmstat", oom_kill=0)
    made = BotMemoryCounters.__init__

    def begin(witness: BotMemoryCounters, group: Path | None) -> None:
        made(witness, None, vmstat)
        write_counters(vmstat, oom_kill=int(host))

    monkeypatch.setattr(BotMemoryCounters, "__init__", begin)
    match = create_waiting_match([create_active_version(KILLS_ITSELF), create_active_version()])
    assert play_match(match.pk) != host
    match.refresh_from_db()
    if host:
        assert (match.status, match.attempts) == (Match.Status.PLAYING, 1), "it was put back"
        return
    assert match.status == Match.Status.CLOSED
    assert [seat.place for seat in match.seats.order_by("seat")] == [2, 1]
