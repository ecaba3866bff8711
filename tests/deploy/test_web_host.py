"""Several web processes at one port: they share requests and counters, and one can die alone."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from django.urls import get_resolver

from deploy import web
from deploy.supervisor.child_process_start_and_stop import start, stop
from tests.support.arena import children_of, free_port
from tests.support.browser.live import is_listening
from tests.support.channel_layers import send_notifications_in_test_database
from tests.support.live import LiveMatch
from tests.support.match_subscribers import read_entries_to
from tests.support.prepared_leagues import build_environment
from tests.support.processes import read_database_url
from tests.support.prometheus import parse_samples
from tests.support.sockets import RawSocket
from tests.support.waiting import wait_for

TOKEN = "a-token-of-the-settings"
STARTED = 60.0
SPREAD = 24
"""Number of sockets. All of them connect to the same one of two processes once in eight million times."""
pytestmark = pytest.mark.django_db(transaction=True)


class Host:
    """Two web processes, and the process that restarts them."""

    def __init__(self, var: Path) -> None:
        self.port, self.log = free_port(), var / "web.log"
        env = {**build_environment(var, FTK_METRICS_TOKEN=TOKEN), "DATABASE_URL": read_database_url()}
        command = [sys.executable, "-m", "deploy.web", "--port", str(self.port), "--workers", "2"]
        self.process = start(command, log=self.log, env=env, folder=Path.cwd())

    def at(self, descriptor_port: int) -> int:
        """Return the process at the other end of a connection from one of our ports."""
        line = next(
            words
            for words in (row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:])
            if words[1].endswith(f":{self.port:04X}") and words[2].endswith(f":{descriptor_port:04X}")
        )
        wanted = f"socket:[{line[9]}]"
        for pid in children_of(self.process.pid):
            for descriptor in Path(f"/proc/{pid}/fd").iterdir():
                if descriptor.is_symlink() and os.readlink(descriptor) == wanted:
                    return pid
        raise AssertionError("nobody has it")

    def watchers(self) -> float:
        asked = Request(f"http://127.0.0.1:{self.port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        with urlopen(asked, timeout=20) as answer:
            return parse_samples(answer.read().decode())[("ftk_watchers",)]

    def full(self) -> bool:
        """Return True if both processes listen."""
        rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum(words[1].endswith(f":{self.port:04X}") and words[3] == "0A" for words in rows) == 2


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with ExitStack() as stack:
        stack.enter_context(send_notifications_in_test_database())
        made = Host(tmp_path)
        stack.callback(stop, made.process, [(signal.SIGTERM, 10)])
        wait_for(made.full, lambda: f"both listen; {made.log.read_text()}", STARTED)
        wait_for(lambda: is_listening(made.port), "they answer", STARTED)
        yield made


def redialled(host: Host, match: LiveMatch) -> RawSocket | None:
    """Connect; try once more if the accepting process was just killed, as viewers do."""
    try:
        return RawSocket(host.port, match.path)
    except ConnectionError:
        return None


def watching(stack: ExitStack, host: Host, match: LiveMatch, after: int = -1) -> RawSocket:
    watcher = wait_for(lambda: redialled(host, match), "somebody answers who knocks again")
    stack.callback(watcher.close)
    watcher.watch(after=after)
    return watcher


@pytest.mark.slow
def test_after_a_web_process_is_killed_only_its_subscribers_reconnect_and_miss_no_frame(
    host: Host,
) -> None:
    with ExitStack() as stack:
        match = LiveMatch("pig")
        match.grow(3)
        watchers = [watching(stack, host, match) for _ in range(SPREAD)]
        told = [read_entries_to(watcher, match.pictured[-1]) for watcher in watchers]
        places = [host.at(watcher.socket.getsockname()[1]) for watcher in watchers]
        assert len(set(places)) == 2, "one process has them all"
        wait_for(lambda: host.watchers() == SPREAD, "whoever is asked counts the watchers of both")
        killed = places[0]
        os.kill(killed, signal.SIGKILL)
        match.grow(10)
        for number, place in enumerate(places):
            if place == killed:
                with pytest.raises(ConnectionError):
                    read_entries_to(watchers[number], match.pictured[-1])
                watchers[number] = watching(stack, host, match, after=told[number][-1])
            told[number] += read_entries_to(watchers[number], match.pictured[-1])
        assert told == [match.pictured] * SPREAD
        wait_for(host.full, "the one that died is back", STARTED)
        assert killed not in children_of(host.process.pid)
        wait_for(lambda: host.watchers() == SPREAD, "what the dead one had is counted no more")
        assert "ended (-9)" in host.log.read_text()


@pytest.mark.slow
def test_a_web_server_on_a_port_in_use_exits_with_an_error_message(host: Host, tmp_path: Path) -> None:
    log = tmp_path / "second.log"
    command = [sys.executable, "-m", "deploy.web", "--port", str(host.port), "--workers", "2"]
    second = start(
        command, log=log, env=build_environment(tmp_path, DATABASE_URL=read_database_url()), folder=Path.cwd()
    )
    assert second.wait() == 2
    assert f"port {host.port} is not free" in log.read_text()


def test_a_web_process_listens_only_after_its_modules_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel divides connections among listeners; those of a process that is still loading would wait."""
    loaded_when_it_listened: list[bool] = []
    loaded_config = web.uvicorn_configuration()
    monkeypatch.setenv("DATABASE_POOL", "16")  # the function under test sets it; monkeypatch restores it
    monkeypatch.setattr(web, "lower_priority", lambda _niceness: None)
    monkeypatch.delitem(sys.modules, "deploy.asgi", raising=False)  # a test may have cleared its URLs
    monkeypatch.setattr(web, "uvicorn_configuration", lambda: loaded_config)

    def listen(_host: str, _port: int) -> socket.socket:
        loaded_when_it_listened.append(loaded_config.loaded and "url_patterns" in get_resolver().__dict__)
        raise ConnectionAbortedError

    monkeypatch.setattr(web, "shared_socket", listen)
    with pytest.raises(ConnectionAbortedError):
        web._serve("127.0.0.1", free_port(), shared=True)
    assert loaded_when_it_listened == [True]
