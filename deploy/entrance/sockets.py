"""Uvicorn's own WebSocket, with a way for bytes that are framed already: they are the same for thousands."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from replays.live.watchers import FRAMED


class Socket(WebSocketsSansIOProtocol):
    """One connection; its scope has `write_framed` as the extension `FRAMED`."""

    def handle_connect(self, event: Any) -> None:
        """Begin to serve it; the application runs later, and sees the extension."""
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = {**(self.scope["extensions"] or {}), FRAMED: self.write_framed}
            self.scope["extensions"] = extensions

    def write_framed(self, framed: bytes) -> bool:
        """Write a whole frame at once; False where there is no room for it now, or it is being closed.

        What was sent before stands before it, as all of it is written to the transport when it is sent. There is
        room as long as the transport has not asked for a pause, some 64 KiB that were not read.
        """
        if not self.writable.is_set() or not self.handshake_complete or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(framed)
        return True
