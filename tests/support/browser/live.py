"""Parts of live matches in browser tests: a slow bot, and a server that can be killed."""

from __future__ import annotations

import os
import subprocess
import sys

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
