"""SMTP server that refuses every recipient with one reply."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def refuse_recipients(reply: str) -> Iterator[int]:
    """Run a mail server on a free port of this machine until the block ends; yield the port."""

    class Session(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 ready\r\n")
            for line in self.rfile:
                answer = reply if line.upper().startswith(b"RCPT") else "250 done"
                self.wfile.write(f"{answer}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()
