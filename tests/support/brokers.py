"""Real brokers for tests: a server in a folder of its own on free loopback ports, which can be killed and restarted."""

from __future__ import annotations

import os
import shutil
from abc import ABC, abstractmethod
from pathlib import Path

from kombu import Connection
from kombu.exceptions import OperationalError

from deploy.supervisor.child_process_start_and_stop import Process, start, stop
from tests.support.arena import free_port
from tests.support.waiting import wait_for

REDIS = shutil.which("redis-server")
EPMD = shutil.which("epmd")
RABBITMQ = next(map(str, Path("/usr/lib/rabbitmq/bin").glob("rabbitmq-server")), None)
"""The server itself: Debian's launcher would change the user."""
STARTED = 60.0


class Broker(ABC):
    """One broker server, without persistence: it is empty after a restart."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.folder.mkdir(parents=True)
        self._process: Process | None = None
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    @property
    @abstractmethod
    def url(self) -> str:
        """The URL for CELERY_BROKER_URL."""

    @abstractmethod
    def command(self) -> list[str]:
        """Return the server's command."""

    def environment(self) -> dict[str, str]:
        return dict(os.environ)

    def answers(self) -> bool:
        try:
            with Connection(self.url, connect_timeout=2) as connection:
                connection.ensure_connection(max_retries=1, interval_start=0, timeout=2)
        except OperationalError:
            return False
        return True

    def start(self) -> None:
        """Start the server on the port it had before; return when it answers."""
        log = self.folder / "out.log"
        self._process = process = start(self.command(), log=log, env=self.environment(), folder=self.folder)
        wait_for(lambda: process.poll() is not None or self.answers(), f"an answer from {self.url}", STARTED)
        assert process.poll() is None, log.read_text()[-2000:]

    def kill(self) -> None:
        """Kill the server; its messages are lost."""
        if self._process:
            stop(self._process, [])

    def close(self) -> None:
        """Stop the server at the end of a test."""
        self.kill()


class RedisServer(Broker):
    """A Redis that writes nothing to disk."""

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pokes_url(self) -> str:
        """The URL for CHANNEL_LAYER_URL."""
        return self.url

    def command(self) -> list[str]:
        assert REDIS
        return [REDIS, "--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no"]


class RabbitServer(Broker):
    """A RabbitMQ of one node with its own port mapper; Erlang would start a port mapper that is never stopped."""

    def __init__(self, folder: Path) -> None:
        self._mapper_port, self._distribution_port = free_port(), free_port()
        self._mapper = start([str(EPMD), "-port", str(self._mapper_port), "-address", "127.0.0.1"])
        super().__init__(folder)

    def close(self) -> None:
        """Stop the server and its port mapper."""
        super().close()
        stop(self._mapper, [])

    @property
    def url(self) -> str:
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"

    def start(self) -> None:
        """Start the server empty, on the port it had before; return when it answers."""
        shutil.rmtree(self.folder / "mnesia", ignore_errors=True)
        (self.folder / "plugins").write_text("[].")
        (self.folder / "environment").touch()
        super().start()

    def command(self) -> list[str]:
        assert RABBITMQ
        return [RABBITMQ]

    def environment(self) -> dict[str, str]:
        ours = {
            "CONF_ENV_FILE": self.folder / "environment",
            "CONFIG_FILE": self.folder / "none",
            "DIST_PORT": self._distribution_port,
            "ENABLED_PLUGINS_FILE": self.folder / "plugins",
            "LOG_BASE": self.folder / "log",
            "MNESIA_BASE": self.folder / "mnesia",
            "NODENAME": "ftk@localhost",
            "NODE_IP_ADDRESS": "127.0.0.1",
            "NODE_PORT": self.port,
            "SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none -kernel inet_dist_use_interface {127,0,0,1}",
        }
        named = {f"RABBITMQ_{name}": str(value) for name, value in ours.items()}
        mapper = {"ERL_EPMD_PORT": str(self._mapper_port), "ERL_EPMD_ADDRESS": "127.0.0.1"}
        # with RUNNING_UNDER_SYSTEMD the server replaces its launcher, so that it is our child and dies with us
        own = {"HOME": str(self.folder), "RUNNING_UNDER_SYSTEMD": "true"}
        return {**os.environ, **named, **mapper, **own}
