"""A real web server for webhooks that can be down, answer anything, or be slow; signatures are checked by a library."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from standardwebhooks import Webhook

from tests.support.arena import free_port


class Receiver:
    """An endpoint on loopback, and the received requests in order."""

    def __init__(self) -> None:
        self.port = free_port()
        self.arrived: list[tuple[dict[str, str], bytes]] = []
        self.status = 200
        self.headers: dict[str, str] = {}
        self.body = b""
        self.after: Callable[[int], None] = lambda _count: None
        """Function that is called before each response with the number of requests received so far."""
        self._server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def open(self, tls: ssl.SSLContext | None = None) -> None:
        """Listen on the same port as before."""
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), self._handler())
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,)).start()

    def close(self) -> None:
        """Stop listening: connections are refused."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def read(self, secret: str) -> list[dict[str, Any]]:
        """Return the payloads in order of arrival; raises WebhookVerificationError for a bad signature."""
        return [Webhook(secret).verify(body, headers) for headers, body in self.arrived]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.arrived.append(({name.lower(): value for name, value in self.headers.items()}, body))
                receiver.after(len(receiver.arrived))
                self.send_response(receiver.status)
                for name, value in {"Content-Length": str(len(receiver.body)), **receiver.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(receiver.body)

            def log_message(self, *_words: object) -> None:
                pass

        return Handler


@contextmanager
def run_receiver() -> Iterator[Receiver]:
    """Run a receiver during the `with` block."""
    receiver = Receiver()
    receiver.open()
    try:
        yield receiver
    finally:
        receiver.close()


@contextmanager
def serve_tls(certificate: Path) -> Iterator[int]:
    """Yield the port of a receiver with this certificate."""
    receiver, context = Receiver(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    receiver.open(context)
    try:
        yield receiver.port
    finally:
        receiver.close()


@contextmanager
def serve_slowly(head: bytes, drop: bytes, every: float) -> Iterator[str]:
    """Yield the URL of a server that sends `head` at once, and then `drop` every `every` seconds without end."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            while not over.is_set():
                try:
                    visitor, _ = door.accept()
                except OSError:
                    return
                threading.Thread(target=drip, args=(visitor,)).start()

        def drip(visitor: socket.socket) -> None:
            with visitor:
                try:
                    visitor.sendall(head)
                    while not over.wait(every):
                        visitor.sendall(drop)
                except OSError:
                    pass  # the client has closed the connection, as the test expects

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}/"
        finally:
            over.set()
            door.shutdown(socket.SHUT_RDWR)
            thread.join()
