"""A bot that the kernel ended for want of the machine's memory is not charged; one that ends itself is."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.cage.oom import BotMemory
from replays.models import Match
from replays.playing.runner import play_match
from tests.support.factories import active_version, waiting_match

SUICIDE = """
import os, signal
from ftk_core.kit.bot import run
def choose(ask):
    os.kill(os.getpid(), signal.SIGKILL)
run(choose)
"""


def kills(file: Path, **counts: int) -> Path:
    file.write_text("".join(f"{name} {count}\n" for name, count in {"low": 0, **counts}.items()))
    return file


@pytest.mark.parametrize(
    ("before", "after", "host"), [(3, 3, False), (3, 4, True)], ids=["nothing was killed", "something was killed"]
)
def test_without_a_cgroup_the_machine_is_to_blame_if_it_killed_meanwhile(
    tmp_path: Path, *, before: int, after: int, host: bool
) -> None:
    witness = BotMemory(None, vmstat := kills(tmp_path / "vmstat", oom_kill=before))
    kills(vmstat, oom_kill=after)
    assert witness.was_killed() == host


@pytest.mark.parametrize(
    ("oom", "oom_kill", "host"),
    [(0, 0, False), (1, 1, False), (0, 1, True)],
    ids=["it ended by itself", "it reached its own limit", "the machine had no memory"],
)
def test_with_a_cgroup_its_own_counters_say_who_is_to_blame(
    tmp_path: Path, *, oom: int, oom_kill: int, host: bool
) -> None:
    vmstat = kills(tmp_path / "vmstat", oom_kill=0)
    witness = BotMemory(tmp_path, vmstat)
    kills(tmp_path / "memory.events", oom=oom, oom_kill=oom_kill)
    kills(vmstat, oom_kill=9)
    assert witness.was_killed() == host


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("host", [False, True])
def test_a_bot_that_kills_itself_loses_and_one_that_the_kernel_killed_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, host: bool
) -> None:
    vmstat = kills(tmp_path / "vmstat", oom_kill=0)
    made = BotMemory.__init__

    def begin(witness: BotMemory, group: Path | None) -> None:
        made(witness, None, vmstat)
        kills(vmstat, oom_kill=int(host))

    monkeypatch.setattr(BotMemory, "__init__", begin)
    match = waiting_match([active_version(SUICIDE), active_version()])
    assert play_match(match.pk) != host
    match.refresh_from_db()
    if host:
        assert (match.status, match.attempts) == (Match.Status.PLAYING, 1), "it was put back"
        return
    assert match.status == Match.Status.CLOSED
    assert [seat.place for seat in match.seats.order_by("seat")] == [2, 1]
