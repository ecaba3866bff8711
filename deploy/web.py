"""The web server: uvicorn with request limits. ``python -m deploy.web --port 8000 --workers 2``."""

from __future__ import annotations

import argparse
import os
import socket
from collections.abc import Sequence
from typing import Any

import uvicorn
from django.conf import settings

from deploy.config.telemetry import share_counters
from deploy.process_resources import lower_priority, raise_open_files
from deploy.supervisor.data_folder_and_port_checks import ArenaStartError, check_port
from deploy.supervisor.process_roles import SOLE_POOLED
from deploy.supervisor.web_process_supervisor import supervise_web_processes

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

SOCKET_BYTES = 65_536
"""Maximum size of a WebSocket message from a client, because clients send only short messages."""
WEB_NICENESS = 4
"""Niceness of the web server: matches on the same machine go first, because their moves have time limits."""
MAX_WORKERS = 16


def uvicorn_configuration(**more: Any) -> uvicorn.Config:
    """Return uvicorn's configuration with this site's protocols and limits."""
    # WebSockets are not compressed, because all spectators get the same bytes. The application is given by name, so
    # that its import comes after the set-up of the shared metrics counters.
    return uvicorn.Config(
        "deploy.asgi:application",
        **{
            "http": "deploy.http.http_protocol:ConnectionLimitedHttpProtocol",
            "ws": "deploy.http.websocket_protocol:PreencodedFrameWebSocketProtocol",
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


def shared_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket for one of several web processes on the same port."""
    # With SO_REUSEPORT the kernel distributes the connections. From one inherited socket, the process that wakes first
    # would take a whole burst.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=2048, reuse_port=True)


def main(words: Sequence[str] | None = None) -> None:
    """Parse the arguments and run one or several web processes until a signal stops them."""
    parser = argparse.ArgumentParser(prog="deploy.web", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    how = parser.add_mutually_exclusive_group()
    many = range(1, MAX_WORKERS + 1)
    how.add_argument("--workers", type=int, default=1, choices=many, metavar="N", help="processes that share the port")
    how.add_argument("--shared", action="store_true", help="be one of several at this port; who starts us sees to them")
    said = parser.parse_args(words)
    if said.workers > 1:
        try:
            check_port(said.port, said.host)
        except ArenaStartError as error:
            parser.error(str(error))
        supervise_web_processes(settings.VAR, said.host, said.port, said.workers)
    else:
        _serve(said.host, said.port, shared=said.shared)


def _serve(host: str, port: int, *, shared: bool) -> None:
    # not at import: a supervisor divides the connections among its web processes
    os.environ.setdefault("DATABASE_POOL", SOLE_POOLED)
    lower_priority(WEB_NICENESS)
    raise_open_files(settings.GATE["connections"])
    if not shared:
        uvicorn.Server(uvicorn_configuration(host=host, port=port)).run()
        return
    if settings.METRICS_TOKEN:
        share_counters(settings.VAR, port)
    loaded = uvicorn_configuration()
    loaded.load()  # before listening: the kernel gives every listener its share of connections, ready or not
    with shared_socket(host, port) as door:
        uvicorn.Server(loaded).run(sockets=[door])


if __name__ == "__main__":
    main()
