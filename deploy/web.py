"""The web server: uvicorn behind our door, with its own limits set. ``python -m deploy.web --port 8000``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any

import uvicorn
from django.conf import settings

from deploy import asgi
from deploy.entrance.door import Door

SOCKET_BYTES = 65_536
"""No watcher has a long question."""
BEHIND = 4
"""How nice pages are to matches on the same machine: a move has a clock, a page has a reader who is patient."""


def configuration(**more: Any) -> uvicorn.Config:
    """Return how uvicorn is to run: sockets uncompressed, as the same bytes go to every watcher."""
    return uvicorn.Config(
        asgi.application,
        **{
            "http": Door,
            "lifespan": "off",
            "log_level": "warning",
            "proxy_headers": False,
            "server_header": False,
            "limit_concurrency": settings.GATE["connections"],
            "timeout_keep_alive": 5,
            "timeout_graceful_shutdown": 3,
            "ws_per_message_deflate": False,
            "ws_max_size": SOCKET_BYTES,
            "ws_max_queue": 4,
            **more,
        },
    )


def main(words: Sequence[str] | None = None) -> None:
    """Serve until asked to end."""
    parser = argparse.ArgumentParser(prog="deploy.web", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    said = parser.parse_args(words)
    os.nice(BEHIND)
    uvicorn.Server(configuration(host=said.host, port=said.port)).run()


if __name__ == "__main__":
    main()
