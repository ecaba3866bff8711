"""Uvicorn's own door with what it lacks: an end to heads that do not end, and a limit to connections of an address.

Behind proxies of ours (`PROXIES`) a connection is the proxy's, and so are these two concerns: see deploy/nginx/.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from common.throttles import believed
from deploy.entrance.gate import AGAIN_SECONDS, CONNECTIONS, Full


class Door(HttpToolsProtocol):
    """One connection."""

    _late: asyncio.TimerHandle | None = None
    """Goes off when a head has taken too long; None while none is awaited."""
    _head_bytes = 0
    _whose: str | None = None
    """The address that it is counted for; None when it is not."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Count it, and wait for the first head."""
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
        """Forget it."""
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in more, unless it is more head than there may be."""
        if self.transport.is_closing():
            return
        if self._late:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._late and self._head_bytes > settings.GATE["head_bytes"] and not self.transport.is_closing():
            self._show_out(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """Begin to wait for the end of a head."""
        super().on_message_begin()
        self._await_head()
        self._head_bytes = max(1, self._head_bytes)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a line of the head; what comes behind a body is nothing that anybody reads."""
        if self._late:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Stop waiting."""
        self._head_came()
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand it over to the sockets, which are counted by themselves."""
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
        if self.cycle is not None and not self.cycle.response_complete:  # it is we who keep the visitor waiting
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
        """Say why, and hang up."""
        self._head_came()
        if not self.transport.is_closing():
            if self.cycle is None or self.cycle.response_complete:
                said = f"content-length: 0\r\nconnection: close\r\n{more}\r\n"
                self.transport.write(STATUS_LINE[status] + said.encode())
            self.transport.close()
