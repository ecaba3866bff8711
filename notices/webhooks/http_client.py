"""HTTP client for webhooks that checks IP addresses and limits the time and size of responses."""
# The client resolves a host name once and connects to the checked address, so DNS rebinding has no effect. It follows
# no redirects and ignores the environment's proxy settings.

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpcore

from notices.webhook_url_validation import ForbiddenAddressError, Resolver, resolve_checked, resolve_host

REQUEST_SECONDS = 10.0
"""Timeout in seconds of a whole request, from name resolution to the last byte of the response."""
MAX_RESPONSE_BYTES = 64 * 1024
"""Maximum size of a response including its headers; only its status is used."""
MAX_TRIED_ADDRESSES = 3
"""Maximum number of a host's addresses that are tried in turn."""
SUCCESS_CODES, GONE_CODE = range(200, 300), 410


class WebhookDeliveryError(Exception):
    """Raised if a server returns no HTTP status within the limits of time and size."""

    # The text contains nothing from the server.


class WebhookRequestLimits:
    """Remaining time and remaining response bytes of the current request."""

    def __init__(self, seconds: float) -> None:
        self.total_seconds = seconds
        self.renew()

    def renew(self) -> None:
        """Reset the limits for a new request."""
        self._ends, self._bytes = time.monotonic() + self.total_seconds, MAX_RESPONSE_BYTES

    def limit_seconds(self, timeout: float | None) -> float:
        """Return the smaller of `timeout` and the request's remaining seconds.

        Raises WebhookDeliveryError if none remain.
        """
        left = self._ends - time.monotonic()
        if left <= 0:
            raise WebhookDeliveryError(f"no whole answer within {self.total_seconds:.0f} s")
        return left if timeout is None else min(timeout, left)

    def count_bytes(self, read: bytes) -> bytes:
        """Count received data against the limit, and return the data. Raises WebhookDeliveryError beyond the limit."""
        self._bytes -= len(read)
        if self._bytes < 0:
            raise WebhookDeliveryError(f"the answer is longer than {MAX_RESPONSE_BYTES} bytes")
        return read


class TimeAndSizeLimitedStream(httpcore.NetworkStream):
    """Network stream that stops when a request has used up its time or response size."""

    def __init__(self, inner: httpcore.NetworkStream, bounds: WebhookRequestLimits) -> None:
        self._inner, self._bounds = inner, bounds

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read up to `max_bytes` within the limits; raises WebhookDeliveryError beyond them."""
        return self._bounds.count_bytes(self._inner.read(max_bytes, self._bounds.limit_seconds(timeout)))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write the whole buffer within the remaining time; raises WebhookDeliveryError if none remains."""
        self._inner.write(buffer, self._bounds.limit_seconds(timeout))

    def close(self) -> None:
        """Close the connection."""
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """Start TLS and verify the certificate against the host's name."""
        inner = self._inner.start_tls(ssl_context, server_hostname, self._bounds.limit_seconds(timeout))
        return TimeAndSizeLimitedStream(inner, self._bounds)

    def get_extra_info(self, info: str) -> Any:
        """Return information about the underlying connection."""
        return self._inner.get_extra_info(info)


class IpFilteringNetworkBackend(httpcore.NetworkBackend):
    """Network backend that resolves host names itself and connects only to allowed IP addresses."""

    def __init__(self, bounds: WebhookRequestLimits, resolve: Resolver, *, private: bool) -> None:
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
        """Connect to the first address of a host that accepts the connection.

        Raises WebhookDeliveryError if the host has no allowed address or no time remains, or the last httpcore error if
        no address accepts the connection.
        """
        last_error: Exception = WebhookDeliveryError("cannot connect")
        addresses = self._addresses(host, port)[:MAX_TRIED_ADDRESSES]
        for number, address in enumerate(addresses):
            # an address that does not answer leaves time for the addresses after it
            seconds = self._bounds.limit_seconds(timeout) / (len(addresses) - number)
            try:
                inner = self._inner.connect_tcp(address, port, seconds, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last_error = error
            else:
                return TimeAndSizeLimitedStream(inner, self._bounds)
        raise last_error

    def _addresses(self, host: str, port: int) -> list[str]:
        """Return the checked IP addresses of a host name. Raises WebhookDeliveryError."""
        # The message is the same for internal and unknown names, so it reveals nothing of the server's network.
        try:
            return list(resolve_checked(host, port, self._resolve, private=self._private))
        except (ForbiddenAddressError, OSError, UnicodeError):
            raise WebhookDeliveryError(f"the name {host[:60]} has no public address") from None


@cache
def _load_trusted_authorities() -> ssl.SSLContext:
    """Return the default TLS context, for all threads. Certificates that the system changes need a restart."""
    # Loading the certificates takes more time than a request.
    return httpcore.default_ssl_context()


class WebhookClient:
    """HTTP client that sends webhook messages and reuses its connection."""

    def __init__(
        self,
        *,
        private: bool,
        resolve: Resolver = resolve_host,
        seconds: float = REQUEST_SECONDS,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        """Create a client that waits at most `seconds` for each request.

        `private` allows private IP addresses. `trust` is a TLS context.
        """
        self._bounds = WebhookRequestLimits(seconds)
        backend = IpFilteringNetworkBackend(self._bounds, resolve, private=private)
        context = trust or _load_trusted_authorities()
        self._pool = httpcore.ConnectionPool(ssl_context=context, max_connections=1, network_backend=backend)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.close()

    def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Send a message and return the status code of the response; raises WebhookDeliveryError."""
        # httpcore's own parser drops parameters (`;key=1`) of the path, and the brackets of an IPv6 host
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        address = httpcore.URL(scheme=parts.scheme, host=parts.hostname or "", port=parts.port, target=target)
        self._bounds.renew()
        try:
            sent = [("Host", parts.netloc), *headers.items()]
            with self._pool.stream("POST", address, headers=sent, content=body) as answer:
                self._drain(answer)
                return int(answer.status)
        except httpcore.TimeoutException:
            raise WebhookDeliveryError(f"no answer within {self._bounds.total_seconds:.0f} s") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, ssl.SSLError, OSError) as error:
            raise WebhookDeliveryError(_describe_error(error)) from None

    def _drain(self, answer: httpcore.Response) -> None:
        """Discard the rest of the response, so that the connection can be used again."""
        # Errors are ignored: the status is known, and httpcore closes a connection on which reading failed.
        with suppress(WebhookDeliveryError, httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException):
            for _ in answer.iter_stream():
                pass


REASONS: tuple[tuple[type[Exception], str], ...] = (
    (httpcore.ConnectError, "cannot connect"),
    (ssl.SSLError, "no TLS connection with that name"),
    (httpcore.RemoteProtocolError, "the answer is no HTTP"),
    (httpcore.NetworkError, "the connection broke off"),
)


def _describe_error(error: Exception) -> str:
    """Return a fixed message for the kind of network error; it contains no text from the server."""
    text = str(error)
    if "CERTIFICATE" in text or "SSL" in text:
        return "no TLS connection with that name"
    return next((words for kind, words in REASONS if isinstance(error, kind)), "the message could not be sent")
