"""HTTP client for webhook deliveries: checked addresses, bounded time, and bounded answers.

It connects to the very address that was checked, so that a name that resolves differently the second time (DNS
rebinding) has no effect; the host's name is still used in the request and by TLS. It does not follow redirects or use
proxies of the environment.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import httpcore

from notices.addresses import Forbidden, Resolve, checked, resolved

SECONDS = 10.0
"""Timeout of a whole request, from name resolution to the last byte of the answer."""
ANSWER_BYTES = 64 * 1024
"""Maximum size of an answer with its head; only its status is used."""
MOST_ADDRESSES = 3
"""Maximum number of a host's addresses that are tried in turn."""
GOOD, GONE = range(200, 300), 410


class Undelivered(Exception):
    """Raised for a message without an answer; the message gives the reason in our own words."""


class Bounds:
    """Remaining time and bytes of one request."""

    def __init__(self, seconds: float) -> None:
        self.whole = seconds
        self.renew()

    def renew(self) -> None:
        """Reset the bounds for a new request."""
        self._ends, self._bytes = time.monotonic() + self.whole, ANSWER_BYTES

    def seconds(self, wanted: float | None) -> float:
        """Return the shorter of a timeout and the remaining time; raises Undelivered if none remains."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise Undelivered(f"no whole answer within {self.whole:.0f} s")
        return left if wanted is None else min(wanted, left)

    def take(self, read: bytes) -> bytes:
        """Count the bytes and return them; raises Undelivered if the answer is too long."""
        self._bytes -= len(read)
        if self._bytes < 0:
            raise Undelivered(f"the answer is longer than {ANSWER_BYTES} bytes")
        return read


class BoundedStream(httpcore.NetworkStream):
    """A network stream whose reads and writes obey the bounds of the request."""

    def __init__(self, inner: httpcore.NetworkStream, bounds: Bounds) -> None:
        self._inner, self._bounds = inner, bounds

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read the next bytes."""
        return self._bounds.take(self._inner.read(max_bytes, self._bounds.seconds(timeout)))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write the whole buffer."""
        self._inner.write(buffer, self._bounds.seconds(timeout))

    def close(self) -> None:
        """Close the connection."""
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """Start TLS and verify the certificate against the host's name."""
        inner = self._inner.start_tls(ssl_context, server_hostname, self._bounds.seconds(timeout))
        return BoundedStream(inner, self._bounds)

    def get_extra_info(self, info: str) -> Any:
        """Return information about the underlying connection."""
        return self._inner.get_extra_info(info)


class CheckedBackend(httpcore.NetworkBackend):
    """A network backend that connects to checked addresses only."""

    def __init__(self, bounds: Bounds, resolve: Resolve, *, private: bool) -> None:
        self._bounds, self._resolve, self._private = bounds, resolve, private
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to a host at the first of its addresses that answers; raises Undelivered."""
        failed: Exception = Undelivered("cannot connect")
        for address in self._addresses(host, port)[:MOST_ADDRESSES]:
            try:
                inner = self._inner.connect_tcp(
                    address, port, self._bounds.seconds(timeout), local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
            else:
                return BoundedStream(inner, self._bounds)
        raise failed

    def _addresses(self, host: str, port: int) -> list[str]:
        """Resolve a host; raises Undelivered.

        The reason is the same for internal and unknown names, so that nobody can map our network by it.
        """
        try:
            return list(checked(host, port, self._resolve, private=self._private))
        except (Forbidden, OSError, UnicodeError):
            raise Undelivered(f"the name {host[:60]} has no public address") from None


class Courier:
    """Client that sends messages over one connection for as long as the server keeps it open."""

    def __init__(
        self,
        *,
        private: bool,
        resolve: Resolve = resolved,
        seconds: float = SECONDS,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        """Allow public addresses, with `private` internal ones too; `trust` is the TLS context with accepted CAs."""
        self._bounds = Bounds(seconds)
        backend = CheckedBackend(self._bounds, resolve, private=private)
        context = trust or httpcore.default_ssl_context()
        self._pool = httpcore.ConnectionPool(ssl_context=context, max_connections=1, network_backend=backend)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.close()

    def carry(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Post a message and return the status of the answer; raises Undelivered."""
        self._bounds.renew()
        try:
            with self._pool.stream("POST", url, headers=list(headers.items()), content=body) as answer:
                self._drain(answer)
                return int(answer.status)
        except httpcore.TimeoutException:
            raise Undelivered(f"no answer within {self._bounds.whole:.0f} s") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, ssl.SSLError, OSError) as error:
            raise Undelivered(_reason(error)) from None

    def _drain(self, answer: httpcore.Response) -> None:
        """Read the rest of an answer, so that the connection can be reused; httpcore closes it on an error."""
        with suppress(Undelivered, httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException):
            for _ in answer.iter_stream():
                pass


REASONS: tuple[tuple[type[Exception], str], ...] = (
    (httpcore.ConnectError, "cannot connect"),
    (ssl.SSLError, "no TLS connection with that name"),
    (httpcore.RemoteProtocolError, "the answer is no HTTP"),
    (httpcore.NetworkError, "the connection broke off"),
)


def _reason(error: Exception) -> str:
    """Return the reason in our own words; no text of the server is shown."""
    text = str(error)
    if "CERTIFICATE" in text or "SSL" in text:
        return "no TLS connection with that name"
    return next((words for kind, words in REASONS if isinstance(error, kind)), "the message could not be sent")
