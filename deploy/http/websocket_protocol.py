"""Uvicorn's WebSocket protocol with a method to write a frame that was encoded once for thousands of clients."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from replays.live.spectator_sockets import FRAMED


class PreframedWebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket connection whose ASGI scope offers `write_framed` as the extension named by `FRAMED`."""

    def handle_connect(self, event: Any) -> None:
        """Add the extension to the scope before the application runs."""
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = {**(self.scope["extensions"] or {}), FRAMED: self.write_framed}
            self.scope["extensions"] = extensions

    def write_framed(self, framed: bytes) -> bool:
        """Write an encoded WebSocket frame; return False if the buffer is full or the connection closes.

        Messages sent earlier are already written to the transport, so the order is kept. The buffer is full when the
        client has not read some 64 KiB, at which the transport asks for a pause.
        """
        if not self.writable.is_set() or not self.handshake_complete or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(framed)
        return True
