"""Two hundred remote programs beside a league: the arena makes none of them late, even if the web server is killed."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.support.arena import STARTED, Arena
from tests.support.prepared_leagues import build_environment, query_database
from tests.support.waiting import wait_for

SECONDS = int(os.environ.get("FTK_TEST_SEATS_SECONDS", "6"))
"""Seconds of play before the web server is killed, and again afterwards; `make chaos` plays for ten minutes in all."""
SEATS = 200
PREPARE = """
import sys
import django
django.setup()
from bots import remote_bots
from bots.access.api_tokens import create_token
from ftk_core.log_entries import TimeControl
from ftk_core.random_streams import seed_of
from replays.services import MatchRequest, order_matches
from tests.support.factories import CLOCK, AuthorFactory, create_active_version
from tournaments.leagues import services
from tournaments.leagues.league_settings import LeagueSettings

seats, each = map(int, sys.argv[1:])
author = AuthorFactory.create(username="afar")
versions = [remote_bots.register_remote_bot(author, "pig", f"afar{number}") for number in range(seats)]
clock = TimeControl(move_ms=1000, bank_ms=5000)
order_matches(
    MatchRequest(game="pig", versions=versions[n : n + 2], seed=seed_of("afar", n, m), clock=clock, asked_by=author)
    for m in range(each)
    for n in range(0, seats, 2)
)
league = services.open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=3, clock=CLOCK))
for number in range(4):
    services.enter_bot(league.pk, create_active_version(slug=f"b{number}"))
services.start(league.pk)
print(create_token(author, scopes=("play",)))
"""
ROOM = {"FTK_GATE_SOCKETS_EACH": "400", "FTK_GATE_SOCKETS_PERSON": "400", "FTK_GATE_CONNECTIONS_EACH": "800"}
QUOTA = {"FTK_QUOTA_UPLOADS": str(SEATS)}  # a new remote bot counts as an upload
BESIDE_OTHERS = {"FTK_SEATS_ALLOWANCE_MS": "5000", "FTK_SEATS_GRACE_SECONDS": "180"} if SECONDS < 60 else {}
"""Tolerances of the short form, which shares the machine with other tests. The long form uses the defaults."""


class Crowd:
    """A number of remote programs in one thread, each of which reconnects when necessary."""

    def __init__(self, port: int, token: str) -> None:
        self._port, self._token = port, token
        self.connected, self.answers = 0, 0

        self.loop, self._over = asyncio.new_event_loop(), asyncio.Event()

    def run(self) -> None:
        """Play until stopped."""
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self._all())

    def stop(self) -> None:
        """Disconnect all of them; called from another thread."""
        self.loop.call_soon_threadsafe(self._over.set)

    async def _all(self) -> None:
        tasks = [asyncio.create_task(self._play(f"afar{number}")) for number in range(SEATS)]
        await self._over.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, bot: str) -> None:
        header = {"Authorization": f"Token {self._token}"}
        async for socket in connect(f"ws://127.0.0.1:{self._port}/seat?bot={bot}", additional_headers=header):
            self.connected += 1
            try:
                async for message in socket:
                    await self._answer(socket, json.loads(message))
            except ConnectionClosed:
                pass
            finally:
                self.connected -= 1
                await socket.close()

    async def _answer(self, socket: Any, message: dict[str, Any]) -> None:
        line = message.get("line", {})
        if line.get("type") == "ask":
            answer = {"id": line["id"], "choose": int(line["view"]["gathered"] < 12)}
            await socket.send(json.dumps({"seat": message["seat"], "line": answer}))
            self.answers += 1


@contextmanager
def crowd(port: int, token: str) -> Iterator[Crowd]:
    """Run remote programs during the block."""
    programs = Crowd(port, token)
    thread = threading.Thread(target=programs.run)
    thread.start()
    try:
        yield programs
    finally:
        programs.stop()
        thread.join()


def late(arena: Arena) -> dict[str, int]:
    """Return the number of choices in all logs, and the number of late or invalid answers."""
    rows = query_database(arena, "SELECT convert_from(body, 'UTF8') FROM replays_page WHERE stream_id LIKE 'match/%'")
    choices = [line for (body,) in rows for line in body.splitlines() if line.startswith('{"kind":"chose"')]
    return {"choices": len(choices), "excused": sum('"excuse":null' not in line for line in choices)}


def test_two_hundred_remote_bots_continue_their_matches_after_kill_9_of_the_web_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("WARNING", "websockets.client")
    arena = Arena(
        tmp_path / "var", **ROOM, **BESIDE_OTHERS, FTK_SEATS_EACH="400", FTK_LEASE_SECONDS="15"
    ).wait_until_open()
    command = [sys.executable, "-c", PREPARE, str(SEATS), str(1 + SECONDS // 20)]
    environment = build_environment(arena.var) | QUOTA
    made = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    try:
        with crowd(arena.port, made.stdout.split()[-1]) as programs:
            wait_for(lambda: programs.connected == SEATS, "all are connected", STARTED)
            _play_on(programs)
            os.kill(arena.started("deploy.web")[0], signal.SIGKILL)
            wait_for(lambda: programs.connected == 0, "all are cut off")
            wait_for(lambda: programs.connected == SEATS, "all are back", STARTED)
            _play_on(programs)
            wait_for(
                lambda: query_database(arena, "SELECT 1 FROM tournaments_league WHERE status = 'closed'"),
                "the league",
                60,
            )
        told = late(arena)
        said = f"{SEATS} seats, twice {SECONDS} s: {programs.answers} answers, {told}"
        logging.getLogger(__name__).warning(said)
        assert told["excused"] == 0
        assert told["choices"] > SEATS
    finally:
        arena.process.terminate()
        assert arena.process.wait(STARTED) == 0


def _play_on(programs: Crowd) -> None:
    """Wait while they play, until each has answered at least once on average."""
    began, answers = time.monotonic(), programs.answers
    wait_for(lambda: time.monotonic() - began >= SECONDS, "the time", SECONDS + 60)
    wait_for(lambda: programs.answers - answers >= SEATS, "an answer of each", 120)
