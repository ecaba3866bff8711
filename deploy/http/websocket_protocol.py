"""Uvicorn's WebSocket protocol with two ASGI extensions: sending of encoded frames, and a flag for server shutdown."""
# A live match sends the same message to thousands of spectators. The application encodes it once, not once per client.

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

# without models, because the protocol is imported before Django is set up
from replays.live.spectator_sockets import FRAMED, SERVER_STOPS


class PreencodedFrameWebSocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket connection to which the application can write already encoded frames with `write_framed`."""

    _stopped = False

    def handle_connect(self, event: Any) -> None:
        """Add the two extensions to the ASGI scope before the application runs."""
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = {**(self.scope["extensions"] or {})}
            extensions |= {FRAMED: self.write_framed, SERVER_STOPS: lambda: self._stopped}
            self.scope["extensions"] = extensions

    def shutdown(self) -> None:
        """Close the connection because the server stops."""
        self._stopped = True
        super().shutdown()

    def write_framed(self, framed: bytes) -> bool:
        """Write an encoded WebSocket frame and return True.

        If the send buffer is full or the connection is not open, write nothing and return False.
        """
        # Messages sent before are already in the send buffer, so the order is kept. The buffer is full at about 64 KiB.
        if not self.writable.is_set() or not self.handshake_complete or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(framed)
        return True
