"""Uvicorn's WebSocket protocol with a method that writes bytes already framed, which thousands of clients share."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from replays.live.watchers import FRAMED


class Socket(WebSocketsSansIOProtocol):
    """A connection; its scope offers `write_framed` as the extension `FRAMED`."""

    def handle_connect(self, event: Any) -> None:
        """Add the extension before the application runs."""
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = {**(self.scope["extensions"] or {}), FRAMED: self.write_framed}
            self.scope["extensions"] = extensions

    def write_framed(self, framed: bytes) -> bool:
        """Write a whole frame at once; return False if the buffer is full or the connection closes.

        Earlier messages stay before it, because each is written to the transport when it is sent. The buffer is full
        when the transport asks for a pause, at some 64 KiB of unread data.
        """
        if not self.writable.is_set() or not self.handshake_complete or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(framed)
        return True
