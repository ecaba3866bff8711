"""Uvicorn's HTTP protocol with limits on request heads and on connections per client."""
# Behind trusted proxies (`PROXIES`) the proxy counts the connections (deploy/nginx/).

from __future__ import annotations

import asyncio
from http import HTTPStatus

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from deploy.http.body_size_and_connection_limits import CONNECTIONS, RETRY_SECONDS, OpenConnectionLimitExceeded
from foundation.ratelimits.limits import client_address


class ConnectionLimitedHttpProtocol(HttpToolsProtocol):
    """HTTP connection with limits on request heads and on the number of connections of its client address."""

    _head_timer: asyncio.TimerHandle | None = None
    """Timer until the current request head must be complete; None while no head is expected."""
    _head_bytes = 0
    _counted_address: str | None = None
    """The client address for which the connection is counted; None if it is not counted."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Count the connection, and start the timer for its first request head."""
        super().connection_made(transport)
        if self.client and not settings.PROXIES:
            address = client_address(self.client[0], "")
            try:
                CONNECTIONS.take(address)
            except OpenConnectionLimitExceeded:
                self._refuse(HTTPStatus.TOO_MANY_REQUESTS, f"retry-after: {RETRY_SECONDS}\r\n")
                return
            self._counted_address = address
        self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection for its client address."""
        self._uncount()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process received data; refuse the request if its head exceeds the size limit."""
        if self.transport.is_closing():
            return
        if self._head_timer:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._head_timer and self._head_bytes > settings.GATE["head_bytes"] and not self.transport.is_closing():
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """Start the timer for a new request head."""
        super().on_message_begin()
        self._start_head_timer()
        self._head_bytes = max(1, self._head_bytes)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Store a header line; ignore trailers after the body."""
        if self._head_timer:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Stop the timer for the request head."""
        self._stop_head_timer()
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        """Switch the connection to the WebSocket protocol, and stop counting it: WebSockets are counted separately."""
        self._uncount()
        super().handle_websocket_upgrade()

    def _start_head_timer(self) -> None:
        if self._head_timer is None:
            self._head_bytes = 0
            self._head_timer = self.loop.call_later(settings.GATE["head_seconds"], self._head_timed_out)

    def _stop_head_timer(self) -> None:
        if self._head_timer:
            self._head_timer.cancel()
            self._head_timer = None

    def _head_timed_out(self) -> None:
        self._head_timer = None
        if self.cycle is not None and not self.cycle.response_complete:  # the delay is the server's, not the client's
            bytes_so_far = self._head_bytes
            self._start_head_timer()
            self._head_bytes = bytes_so_far
        elif self._head_bytes:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self.transport.close()

    def _uncount(self) -> None:
        self._stop_head_timer()
        if self._counted_address is not None:
            CONNECTIONS.leave(self._counted_address)
            self._counted_address = None

    def _refuse(self, status: HTTPStatus, more: str = "") -> None:
        """Send an error response and close the connection."""
        self._stop_head_timer()
        if not self.transport.is_closing():
            if self.cycle is None or self.cycle.response_complete:
                said = f"content-length: 0\r\nconnection: close\r\n{more}\r\n"
                self.transport.write(STATUS_LINE[status] + said.encode())
            self.transport.close()
