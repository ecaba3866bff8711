"""The real web server on the test database, in a thread of the test's process."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread

import uvicorn


@dataclass(frozen=True, slots=True)
class WebServer:
    """A running web server."""

    server: uvicorn.Server
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def serve(port: int = 0, *, send_buffer: int | None = None) -> Iterator[WebServer]:
    """Serve during the `with` block, by default on a free port; `send_buffer` is the size of the kernel's buffers."""
    from deploy.web import uvicorn_configuration

    with socket.create_server(("127.0.0.1", port)) as door:
        if send_buffer is not None:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        # long enough for all requests: one that is cut off would leave a connection to the database open
        server = uvicorn.Server(uvicorn_configuration(timeout_graceful_shutdown=120))
        thread = Thread(target=server.run, kwargs={"sockets": [door]})
        thread.start()
        try:
            yield WebServer(server, door.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()
