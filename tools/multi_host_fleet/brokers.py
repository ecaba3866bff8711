"""Message brokers that run on a simulated host, which is a set of namespaces on this machine."""

from __future__ import annotations

import os
import shutil
import signal
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path

from tests.support.brokers import RABBITMQ, REDIS
from tests.support.waiting import wait_for
from tools.multi_host_fleet.simulated_hosts import PATIENCE, SimulatedHost

MISSING = "rabbitmq-server is not installed (Debian: apt-get install --no-install-recommends rabbitmq-server)"


class BrokerOnSimulatedHost(ABC):
    """A broker on a simulated host; it can be killed and restarted, and starts without messages."""

    port: int

    def __init__(self, host: SimulatedHost, folder: Path) -> None:
        self.host, self.folder = host, folder

    @property
    @abstractmethod
    def urls(self) -> dict[str, str]:
        """Environment variables with the broker's URLs, for all processes of a site."""

    @abstractmethod
    def command(self) -> list[str]:
        """Return the command line of the broker's server."""

    def environment(self) -> Mapping[str, str]:
        return dict(os.environ)

    def start(self) -> None:
        """Start the server without messages, and wait until it accepts connections."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        log = self.folder.with_suffix(".log")
        self.host.start("broker", self.command(), log=log, env=self.environment(), folder=self.folder)
        wait_for(lambda: self.host.listens(self.port) or not self.host.runs("broker"), "the broker", PATIENCE)
        assert self.host.runs("broker"), log.read_text()[-2000:]

    def kill(self) -> None:
        """Kill the server; its messages are lost."""
        self.host.end("broker", signal.SIGKILL)


class RedisBroker(BrokerOnSimulatedHost):
    """Redis, used as Celery's broker and for the Channels layer."""

    port = 6379

    @property
    def urls(self) -> dict[str, str]:
        address = f"redis://{self.host.address}:{self.port}"
        return {"CELERY_BROKER_URL": f"{address}/0", "CHANNEL_LAYER_URL": f"{address}/1"}

    def command(self) -> list[str]:
        assert REDIS
        return [REDIS, "--port", str(self.port), "--save", "", "--appendonly", "no", "--protected-mode", "no"]


class RabbitMqBroker(BrokerOnSimulatedHost):
    """RabbitMQ, used as Celery's broker; the Channels layer uses the database."""

    port = 5672

    @property
    def urls(self) -> dict[str, str]:
        return {"CELERY_BROKER_URL": f"amqp://guest:guest@{self.host.address}:{self.port}//"}

    def command(self) -> list[str]:
        assert RABBITMQ
        return [RABBITMQ]

    def environment(self) -> Mapping[str, str]:
        (self.folder / "plugins").write_text("[].")
        (self.folder / "environment").touch()
        # the user `guest` may connect from other hosts, because only the fleet can reach this broker
        (self.folder / "broker.conf").write_text("loopback_users = none\nconsumer_timeout = 7200000\n")
        ours = {
            "CONF_ENV_FILE": self.folder / "environment",
            "CONFIG_FILE": self.folder / "broker.conf",
            "ENABLED_PLUGINS_FILE": self.folder / "plugins",
            "LOG_BASE": self.folder / "log",
            "MNESIA_BASE": self.folder / "mnesia",
            "NODENAME": "ftk@localhost",
            "SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
        }
        named = {f"RABBITMQ_{name}": str(value) for name, value in ours.items()}
        return {**os.environ, **named, "HOME": str(self.folder), "RUNNING_UNDER_SYSTEMD": "true"}


BROKERS: dict[str, type[BrokerOnSimulatedHost]] = {"RabbitMQ": RabbitMqBroker, "Redis": RedisBroker}


def explain_missing_broker(name: str) -> str:
    """Return the reason why a broker's server is not installed here; empty if it is installed."""
    there = {"RabbitMQ": RABBITMQ, "Redis": REDIS}[name]
    return "" if there else (MISSING if name == "RabbitMQ" else "redis-server is not installed")
