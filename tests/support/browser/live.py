"""What the browser's live matches are made of: a bot that takes its time, and a server that can be killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import channel_layers
from django.db import connection

from deploy.database import conninfo_of
from deploy.transports.pokes import PokeLayer
from ftk_core.kit.house import house_bots
from tests.support.processes import database
from tests.support.sockets import RawSocket
from tests.support.waiting import wait_for


def slow_bot(seconds: float = 0.05) -> str:
    """Return a bot for Pig that thinks before it answers, without computing."""
    source = house_bots("pig")["hold20"].read_text()
    slowly = f"\n\ndef slowly(ask):\n    time.sleep({seconds})\n    return choose(ask)\n\n\ndef choose"
    return (
        source.replace("\n\ndef choose", slowly)
        .replace("run(choose)", "run(slowly)")
        .replace("from ftk", "import time\nfrom ftk", 1)
    )


@contextmanager
def pokes_in_the_tests_database() -> Iterator[None]:
    """Poke in the database of the tests, which was made after the settings were read, so that processes hear it."""
    before = channel_layers.set(DEFAULT_CHANNEL_LAYER, PokeLayer(conninfo_of(connection.settings_dict)))
    try:
        yield
    finally:
        channel_layers.set(DEFAULT_CHANNEL_LAYER, before)


def listens(port: int) -> bool:
    """Tell whether a server shakes hands there."""
    try:
        RawSocket(port, "/ws/match/none/").close()
    except (ConnectionError, AssertionError):
        return False
    return True


def start_server(port: int) -> subprocess.Popen[bytes]:
    """Start the web server as a process, over the database of the tests."""
    words = ["deploy.web", "--port", str(port)]
    process = subprocess.Popen([sys.executable, "-m", *words], env={**os.environ, "DATABASE_URL": database()})
    wait_for(lambda: listens(port), "the server listens")
    return process
