"""A minimal WebSocket client, for thousands of connections and for clients that do not read."""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import time
from collections.abc import Iterator, Sequence
from typing import Any

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class RawSocket:
    """One connection; it reads only on request."""

    def __init__(
        self,
        port: int,
        path: str,
        *,
        receive_buffer: int | None = None,
        wait: float = 20.0,
        headers: Sequence[str] = (),
    ) -> None:
        """Shake hands; `receive_buffer` is the size of the kernel's receive buffer in bytes."""
        self.socket = socket.socket()
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._wait = wait
        self.socket.settimeout(wait)
        try:
            self._shake_hands(port, path, headers)
        except BaseException:
            self.socket.close()
            raise

    def _shake_hands(self, port: int, path: str, headers: Sequence[str]) -> None:
        self.socket.connect(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n".encode()
            + "".join(f"{line}\r\n" for line in (*headers, "")).encode()
        )
        self._waiting = b""
        while b"\r\n\r\n" not in self._waiting:
            self._waiting += self._more()
        head, _, self._waiting = self._waiting.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head

    def _more(self) -> bytes:
        chunk = self.socket.recv(65536)
        if not chunk:
            raise ConnectionResetError("the server hung up")
        return chunk

    def send(self, body: bytes, kind: int = TEXT) -> None:
        """Send one message, masked with zeros, because loopback needs no masking."""
        size = len(body)
        length = bytes([0x80 | size]) if size < 126 else struct.pack("!BQ", 0x80 | 127, size)
        if 126 <= size <= 0xFFFF:
            length = struct.pack("!BH", 0x80 | 126, size)
        self.socket.sendall(bytes([0x80 | kind]) + length + bytes(4) + body)

    def watch(self, **wanted: Any) -> None:
        """Subscribe to the match like the viewer."""
        self.send(json.dumps({"type": "watch", **wanted}).encode())

    def take(self, chunk: bytes = b"") -> Iterator[tuple[int, bytes]]:
        """Yield the complete frames in the bytes read so far, as (kind, body)."""
        self._waiting += chunk
        while len(self._waiting) >= 2:
            size, start = self._waiting[1] & 0x7F, 2
            if size == 126:
                size, start = int.from_bytes(self._waiting[2:4]), 4
            elif size == 127:
                size, start = int.from_bytes(self._waiting[2:10]), 10
            if len(self._waiting) < start + size:
                return
            frame = self._waiting[0] & 0x0F, self._waiting[start : start + size]
            self._waiting = self._waiting[start + size :]
            yield frame

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """Yield frames as they arrive, until the timeout."""
        yield from self.take()
        deadline = time.monotonic() + self._wait
        while time.monotonic() < deadline:
            yield from self.take(self._more())
        raise TimeoutError("what was waited for did not come")

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield the server's messages and answer its pings."""
        for kind, body in self.frames():
            if kind == PING:
                self.send(body, PONG)
            elif kind == CLOSE:
                return
            else:
                yield json.loads(body)

    def close_code(self) -> int:
        """Read to the end and return the server's close code."""
        for kind, body in self.frames():
            if kind == CLOSE:
                return int.from_bytes(body[:2])
        raise AssertionError("never closed")

    def close(self) -> None:
        """Close the connection without a close frame."""
        self.socket.close()
