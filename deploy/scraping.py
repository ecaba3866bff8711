"""Metrics endpoint of a worker: the totals of all its processes, for bearers of the settings' token."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Thread
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client.exposition import ThreadingWSGIServer

from foundation import metering

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

PATH = "/metrics"
PLAIN = "text/plain; charset=utf-8"


class Quiet(WSGIRequestHandler):
    """Request handler that logs nothing."""

    timeout = 10
    """Timeout of a request in seconds."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library calls it so
        """Log nothing: the endpoint is scraped every few seconds."""


def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer a request: 404 except at `/metrics`, 405 except for reading, 401 without the token."""
    refused = ""
    if environ["PATH_INFO"] != PATH:
        refused, said = "404 Not Found", f"there is nothing but {PATH}"
    elif environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        refused, said = "405 Method Not Allowed", f"{PATH} is only read"
    elif not metering.may_read(environ.get("HTTP_AUTHORIZATION", "")):
        refused, said = "401 Unauthorized", metering.REFUSED
    if refused:
        start_response(refused, [("Content-Type", PLAIN), ("WWW-Authenticate", "Bearer")])
        return [f"{said}\n".encode()]
    start_response("200 OK", [("Content-Type", metering.CONTENT_TYPE_LATEST)])
    return [metering.generate_latest(metering.counted())]


def serve(address: str, port: int) -> WSGIServer:
    """Serve from a daemon thread until the process ends; raises OSError if the port is taken."""
    metering.forget_others()
    server = make_server(address, port, answer, ThreadingWSGIServer, Quiet)
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
