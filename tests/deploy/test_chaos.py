"""A league is played to its end whoever is killed in the middle of it, and every match is played once."""

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
    """Return what the arena's database answers; nothing while it has no tables yet."""
    try:
        with psycopg.connect(arena.database) as connection:
            return connection.execute(question.encode()).fetchall()
    except (psycopg.OperationalError, psycopg.errors.UndefinedTable):
        return []


def mid_match(arena: Arena) -> bool:
    """Tell whether a match is being played and has pages already."""
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
def test_a_league_survives_it(tmp_path: Path, kill: Callable[[Arena], None]) -> None:
    arena = Arena(tmp_path / "var", *SHORT_LEAGUE).opened()
    wait_for(lambda: mid_match(arena), "a match is being played", STARTED)
    kill(arena)
    assert arena.process.wait(PLAYED) == 0, arena.said()
    assert "6 of 6 logs verified" in arena.said()
    arena.gone()


def test_a_league_is_played_on_after_kill_9_of_everything(tmp_path: Path) -> None:
    arena = Arena(tmp_path / "var", *SHORT_LEAGUE).opened()
    wait_for(lambda: mid_match(arena), "a match is being played", STARTED)
    arena.process.kill()
    arena.process.wait()
    arena.gone()
    again = Arena(arena.var).opened()
    assert again.answers()
    wait_for(lambda: asked(again, "SELECT 1 FROM tournaments_league WHERE status = 'closed'"), "the end", PLAYED)
    assert asked(again, "SELECT count(*) FROM replays_match WHERE status = 'closed'") == [(6,)]
    again.process.terminate()
    assert again.process.wait(STARTED) == 0
    again.gone()
