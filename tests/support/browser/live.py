"""Parts of live matches in browser tests: a slow bot, and a server that can be killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import channel_layers
from django.db import connection

from deploy.config.database import conninfo_of
from deploy.messaging.postgres_channel_layer import PostgresChannelLayer
from ftk_core.kit.built_in_bots import list_built_in_bots
from tests.support.processes import read_database_url
from tests.support.sockets import RawSocket
from tests.support.waiting import wait_for


def slow_bot(seconds: float = 0.05) -> str:
    """Return a bot for Pig that sleeps before it answers."""
    source = list_built_in_bots("pig")["hold20"].read_text()
    slowly = f"\n\ndef slowly(ask):\n    time.sleep({seconds})\n    return choose(ask)\n\n\ndef choose"
    return (
        source.replace("\n\ndef choose", slowly)
        .replace("run(choose)", "run(slowly)")
        .replace("from ftk", "import time\nfrom ftk", 1)
    )


@contextmanager
def send_notifications_in_test_database() -> Iterator[None]:
    """Send notifications in the test database, which was created after the settings were read."""
    before = channel_layers.set(DEFAULT_CHANNEL_LAYER, PostgresChannelLayer(conninfo_of(connection.settings_dict)))
    try:
        yield
    finally:
        channel_layers.set(DEFAULT_CHANNEL_LAYER, before)


def is_listening(port: int) -> bool:
    """Return True if a server completes a WebSocket handshake on a port."""
    try:
        RawSocket(port, "/ws/match/none/").close()
    except (ConnectionError, AssertionError):
        return False
    return True


def start_server(port: int) -> subprocess.Popen[bytes]:
    """Start the web server as a process on the test database."""
    words = ["deploy.web", "--port", str(port)]
    process = subprocess.Popen([sys.executable, "-m", *words], env={**os.environ, "DATABASE_URL": read_database_url()})
    wait_for(lambda: is_listening(port), "the server listens")
    return process
