"""HTTP endpoint with the metrics of a Celery worker, protected by a bearer token."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Thread
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client.exposition import ThreadingWSGIServer

from foundation import process_metrics

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

METRICS_PATH = "/metrics"
TEXT_CONTENT_TYPE = "text/plain; charset=utf-8"


class NoAccessLogRequestHandler(WSGIRequestHandler):
    """HTTP request handler that writes no access log."""

    timeout = 10
    """Timeout of a request's socket in seconds."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the library's parameter
        """Log nothing, because the endpoint is scraped every few seconds."""


def serve_request(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer a WSGI request for the metrics, or refuse it with 404, 405 or 401."""
    refused = ""
    if environ["PATH_INFO"] != METRICS_PATH:
        refused, said = "404 Not Found", f"there is nothing but {METRICS_PATH}"
    elif environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        refused, said = "405 Method Not Allowed", f"{METRICS_PATH} is only read"
    elif not process_metrics.is_authorized(environ.get("HTTP_AUTHORIZATION", "")):
        refused, said = "401 Unauthorized", process_metrics.REFUSAL_MESSAGE
    if refused:
        start_response(refused, [("Content-Type", TEXT_CONTENT_TYPE), ("WWW-Authenticate", "Bearer")])
        return [f"{said}\n".encode()]
    start_response("200 OK", [("Content-Type", process_metrics.CONTENT_TYPE_LATEST)])
    return [process_metrics.generate_latest(process_metrics.collect_metrics())]


def serve(address: str, port: int) -> WSGIServer:
    """Serve metrics at this address from a daemon thread; raises OSError if the port is taken."""
    process_metrics.delete_counters_of_others()
    server = make_server(address, port, serve_request, ThreadingWSGIServer, NoAccessLogRequestHandler)
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
