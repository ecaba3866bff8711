"""``manage.py up`` waits for a web server that starts slowly, and gives up if it keeps exiting."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.supervisor import arena_supervisor
from deploy.supervisor.child_process_start_and_stop import start
from deploy.supervisor.child_process_supervisor import WATCHED_SIGNALS, ChildProcessSupervisor
from deploy.supervisor.data_folder_and_port_checks import ArenaStartError
from deploy.supervisor.process_roles import ArenaStartOptions, ProcessRole
from tests.support.arena import free_port

pytestmark = pytest.mark.slow

SLOW = """
import socket, sys, time
time.sleep(2)
door = socket.create_server(("127.0.0.1", int(sys.argv[1])))
time.sleep(60)
"""
ENDING = "raise SystemExit(1)"


@pytest.fixture(autouse=True)
def _blocked() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED_SIGNALS)
    yield
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def waiting_for(code: str, var: Path, said: list[str]) -> arena_supervisor.ArenaSupervisor:
    """Return a supervisor whose only child is a web server with this code."""
    plan = ArenaStartOptions(var=var, database_url="postgresql://nobody@localhost/none", port=free_port())
    supervisor = arena_supervisor.ArenaSupervisor(plan, said.append, lambda: None, lambda: None)
    role = ProcessRole(name="web", command=[sys.executable, "-c", code, str(plan.port)])
    supervisor._children = ChildProcessSupervisor(
        [role], lambda role: start(role.command, log=var / "web.log"), said.append
    )
    supervisor._children.begin()
    return supervisor


def test_the_supervisor_waits_for_a_slow_web_server_and_prints_that_it_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena_supervisor, "REPORT_SECONDS", 0.5)
    said: list[str] = []
    supervisor = waiting_for(SLOW, tmp_path, said)
    try:
        assert supervisor._await_web()
    finally:
        supervisor._children.stop()
    assert said[0].startswith("Waiting for the web server to answer at port")
    assert str(tmp_path) in said[0]


def test_the_supervisor_gives_up_a_web_server_that_keeps_exiting(tmp_path: Path) -> None:
    said: list[str] = []
    supervisor = waiting_for(ENDING, tmp_path, said)
    try:
        with pytest.raises(ArenaStartError, match=f"ended 3 times before it answered; see web.*{tmp_path}"):
            supervisor._await_web()
    finally:
        supervisor._children.stop()
