"""Readers of one page, each of whom asks again as soon as it is answered, and the least server that can answer them.

``python -m tests.support.bench.readers <port> <bytes>`` serves a page of that size with uvicorn and no application.
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
"""The niceness of our web server, so that both are treated alike."""


def percentile(times: Sequence[float], percent: float) -> float:
    """Return the time within which so many in a hundred answers came, in milliseconds."""
    return 1000 * sorted(times)[min(len(times) - 1, int(len(times) * percent / 100))]


def read_for(port: int, seconds: float, path: str = "/") -> list[float]:
    """Return the seconds that each answer took; raises AssertionError for one that is no page."""
    return asyncio.run(_read_all(port, seconds, path))


async def _read_all(port: int, seconds: float, path: str) -> list[float]:
    until = time.monotonic() + seconds
    times = await asyncio.gather(*(_read(port, number, until, path) for number in range(READERS)))
    return [one for each in times for one in each]


async def _read(port: int, number: int, until: float, path: str) -> list[float]:
    """Read from an address of its own: the limits of the gate are those of one address."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(f"127.0.1.{number + 1}", 0))
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Language: en\r\n\r\n".encode()
    times: list[float] = []
    while time.monotonic() < until:
        asked = time.monotonic()
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert head.startswith(b"http/1.1 200 "), head
        await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
        times.append(time.monotonic() - asked)
    writer.close()
    return times


def main() -> None:
    """Serve a page of so many bytes."""
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
