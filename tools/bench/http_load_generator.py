"""HTTP load generator with 50 clients, and a minimal server for comparison.

``python -m tools.bench.http_load_generator <port> <bytes>`` starts the server. Its page has a size of ``<bytes>``.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from typing import Any

READERS = 50
WEB_NICE = 4
"""Niceness of the minimal server, equal to that of the arena's web server."""


def percentile_ms(times: Sequence[float], percent: float) -> float:
    """Return a percentile (0 to 100) of response times in seconds, converted to milliseconds."""
    return 1000 * sorted(times)[min(len(times) - 1, int(len(times) * percent / 100))]


def read_for(port: int, seconds: float, interval: float = 0) -> list[float]:
    """Let 50 clients request the page at ``/`` for some seconds. Return the response times in seconds.

    Each client sends a request every `interval` seconds; 0 means without pause. Raises AssertionError for a response
    other than 200.
    """
    # With an interval, a response time begins when the request was due, so that a slow response also counts for the
    # requests behind it.
    return asyncio.run(_read_all(port, seconds, interval))


async def _read_all(port: int, seconds: float, interval: float) -> list[float]:
    until = time.monotonic() + seconds
    times = await asyncio.gather(*(_read(port, number, until, interval) for number in range(READERS)))
    return [one for each in times for one in each]


async def _read(port: int, number: int, until: float, interval: float) -> list[float]:
    """Request the page repeatedly, and return the response times."""
    # Each client has its own address, because rate limits count by address.
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(f"127.0.1.{number + 1}", 0))
    request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Language: en\r\n\r\n".encode()
    times: list[float] = []
    due = time.monotonic() + interval * number / READERS  # so that the clients do not ask all at once
    while due < until:
        if interval:
            await asyncio.sleep(due - time.monotonic())
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert head.startswith(b"http/1.1 200 "), head
        await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
        times.append(time.monotonic() - due)
        due = due + interval if interval else time.monotonic()
    writer.close()
    return times


def main() -> None:
    """Serve a page with the number of bytes given on the command line."""
    import uvicorn

    port, size = int(sys.argv[1]), int(sys.argv[2])
    os.nice(WEB_NICE)

    async def page(_scope: Any, _receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"text/html"), (b"content-length", str(size).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"x" * size})

    uvicorn.run(page, host="127.0.0.1", port=port, log_level="warning", lifespan="off")


if __name__ == "__main__":
    main()
