"""``manage.py up`` waits for a web server that is slow to answer, and gives up on one that keeps ending."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.supervisor import up
from deploy.supervisor.alone import CannotStart
from deploy.supervisor.children import WATCHED, Children
from deploy.supervisor.processes import start
from deploy.supervisor.roles import Plan, Role
from tests.support.arena import free_port

SLOW = """
import socket, sys, time
time.sleep(2)
door = socket.create_server(("127.0.0.1", int(sys.argv[1])))
time.sleep(60)
"""
ENDING = "raise SystemExit(1)"


@pytest.fixture(autouse=True)
def _blocked() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    yield
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def waiting_for(code: str, var: Path, said: list[str]) -> up.Supervisor:
    """Return a supervisor whose only child is a web server with this code."""
    plan = Plan(var=var, database_url="postgresql://nobody@localhost/none", port=free_port())
    supervisor = up.Supervisor(plan, said.append, lambda: None, lambda: None)
    role = Role(name="web", command=[sys.executable, "-c", code, str(plan.port)])
    supervisor._children = Children([role], lambda role: start(role.command, log=var / "web.log"), said.append)
    supervisor._children.begin()
    return supervisor


def test_a_slow_web_server_is_waited_for_and_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(up, "TOLD_SECONDS", 0.5)
    said: list[str] = []
    supervisor = waiting_for(SLOW, tmp_path, said)
    try:
        assert supervisor._await_web()
    finally:
        supervisor._children.stop()
    assert said[0].startswith("Waiting for the web server to answer at port")
    assert str(tmp_path) in said[0]


def test_a_web_server_that_keeps_ending_is_given_up(tmp_path: Path) -> None:
    said: list[str] = []
    supervisor = waiting_for(ENDING, tmp_path, said)
    try:
        with pytest.raises(CannotStart, match=f"ended 3 times before it answered; see web.*{tmp_path}"):
            supervisor._await_web()
    finally:
        supervisor._children.stop()
