"""Kills during a league: the league ends and every match is played once, whichever process is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.support.arena import STARTED, Arena
from tests.support.waiting import wait_for

PLAYED = 180.0
SHORT_LEAGUE = ("--exit-after-demo", "--game", "for_the_king", "--rounds", "2")


def asked(arena: Arena, question: str) -> list[tuple[Any, ...]]:
    """Return the result of a query in the arena's database; None while it has no tables."""
    try:
        with psycopg.connect(arena.database) as connection:
            return connection.execute(question.encode()).fetchall()
    except (psycopg.OperationalError, psycopg.errors.UndefinedTable):
        return []


def mid_match(arena: Arena) -> bool:
    """Return True if a match is being played and has pages already."""
    return bool(
        asked(
            arena,
            "SELECT 1 FROM replays_match m JOIN replays_page p ON p.stream_id = 'match/' || m.id"
            " WHERE m.status = 'playing'",
        )
    )


def kill_worker(arena: Arena) -> None:
    os.kill(arena.started("matches@")[0], signal.SIGKILL)


def kill_pool_process(arena: Arena) -> None:
    os.kill(arena.forked("matches@")[0], signal.SIGKILL)


@pytest.mark.parametrize("kill", [kill_worker, kill_pool_process])
def test_a_league_completes_all_matches_after_a_worker_or_pool_process_is_killed(
    tmp_path: Path, kill: Callable[[Arena], None]
) -> None:
    arena = Arena(tmp_path / "var", *SHORT_LEAGUE).wait_until_open()
    wait_for(lambda: mid_match(arena), "a match is being played", STARTED)
    kill(arena)
    assert arena.process.wait(PLAYED) == 0, arena.read_output()
    assert "6 of 6 logs verified" in arena.read_output()
    arena.wait_until_gone()


def test_a_league_continues_after_kill_9_of_every_process(tmp_path: Path) -> None:
    arena = Arena(tmp_path / "var", *SHORT_LEAGUE).wait_until_open()
    wait_for(lambda: mid_match(arena), "a match is being played", STARTED)
    arena.process.kill()
    arena.process.wait()
    arena.wait_until_gone()
    again = Arena(arena.var).wait_until_open()
    assert again.answers()
    wait_for(lambda: asked(again, "SELECT 1 FROM tournaments_league WHERE status = 'closed'"), "the end", PLAYED)
    assert asked(again, "SELECT count(*) FROM replays_match WHERE status = 'closed'") == [(6,)]
    again.process.terminate()
    assert again.process.wait(STARTED) == 0
    again.wait_until_gone()
