"""Uvicorn's HTTP protocol with a time and size limit for request heads and a connection limit per address.

Behind our proxies (`PROXIES`) each connection is the proxy's, and both limits are its task: see deploy/nginx/.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from deploy.entrance.gate import AGAIN_SECONDS, CONNECTIONS, Full
from foundation.throttles import believed


class Door(HttpToolsProtocol):
    """A connection."""

    _late: asyncio.TimerHandle | None = None
    """Timer of the current request head; None while no head is expected."""
    _head_bytes = 0
    _whose: str | None = None
    """The address that the connection is counted for; None if it is not counted."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Count the connection, and wait for the first head."""
        super().connection_made(transport)
        if self.client and not settings.PROXIES:
            whose = believed(self.client[0], "")
            try:
                CONNECTIONS.take(whose)
            except Full:
                self._show_out(HTTPStatus.TOO_MANY_REQUESTS, f"retry-after: {AGAIN_SECONDS}\r\n")
                return
            self._whose = whose
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Uncount the connection."""
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process more data, unless the head exceeds its limit."""
        if self.transport.is_closing():
            return
        if self._late:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._late and self._head_bytes > settings.GATE["head_bytes"] and not self.transport.is_closing():
            self._show_out(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """Start the timer of the head."""
        super().on_message_begin()
        self._await_head()
        self._head_bytes = max(1, self._head_bytes)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Store a header line; ignore trailers, which nobody reads."""
        if self._late:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Stop the timer."""
        self._head_came()
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to WebSockets, which are counted separately."""
        self._leave()
        super().handle_websocket_upgrade()

    def _await_head(self) -> None:
        if self._late is None:
            self._head_bytes = 0
            self._late = self.loop.call_later(settings.GATE["head_seconds"], self._too_late)

    def _head_came(self) -> None:
        if self._late:
            self._late.cancel()
            self._late = None

    def _too_late(self) -> None:
        self._late = None
        if self.cycle is not None and not self.cycle.response_complete:  # the server, not the visitor, causes the delay
            bytes_so_far = self._head_bytes
            self._await_head()
            self._head_bytes = bytes_so_far
        elif self._head_bytes:
            self._show_out(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self.transport.close()

    def _leave(self) -> None:
        self._head_came()
        if self._whose is not None:
            CONNECTIONS.leave(self._whose)
            self._whose = None

    def _show_out(self, status: HTTPStatus, more: str = "") -> None:
        """Send the reason and close the connection."""
        self._head_came()
        if not self.transport.is_closing():
            if self.cycle is None or self.cycle.response_complete:
                said = f"content-length: 0\r\nconnection: close\r\n{more}\r\n"
                self.transport.write(STATUS_LINE[status] + said.encode())
            self.transport.close()
