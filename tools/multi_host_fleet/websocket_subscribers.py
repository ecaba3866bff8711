"""Program with many WebSocket subscribers of live matches.

Usage: ``python -m tools.multi_host_fleet.websocket_subscribers <url> <watchers> <report>``. Each subscriber follows
one match to its end, then another. The report is a JSON file with a digest of the received messages.
"""
# After SIGTERM all subscribers follow their matches to the end.

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from random import Random
from urllib.error import URLError
from urllib.request import urlopen

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from tools.multi_host_fleet.spectator_messages import MatchFramesDigest, parse_message

LOOK_SECONDS, REPORT_SECONDS = 1.0, 1.0
AGAIN_SECONDS = (0.2, 3.0)
DIAL_SECONDS = 20.0
BROKEN = (OSError, TimeoutError, InvalidHandshake, WebSocketException)


async def _later(seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.Event().wait(), seconds)


class LiveMatchSubscribers:
    """All WebSocket subscribers of one process, and the report about what they received."""

    def __init__(self, url: str, report: Path) -> None:
        self._url, self._report = url, report
        self._draw = Random(report.name)
        self._live: list[str] = []
        self._ending = asyncio.Event()
        self._digests: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._counts: Counter[str] = Counter()

    async def watch(self, watchers: int) -> None:
        """Run `watchers` subscribers until SIGTERM. Then let each subscriber follow its current match to the end."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._ending.set)
        clerks = [asyncio.create_task(work()) for work in (self._look, self._tell)]
        await asyncio.gather(*(self._one() for _ in range(watchers)))
        for clerk in clerks:
            clerk.cancel()
        self._write(done=True)

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ending.wait(), seconds)

    async def _look(self) -> None:
        """Refresh the list of live matches periodically; keep the old list if the site does not answer."""
        while not self._ending.is_set():
            with suppress(URLError, OSError, ValueError):
                self._live = await asyncio.to_thread(self._ask)
            await self._rest(LOOK_SECONDS)

    def _ask(self) -> list[str]:
        address = f"http://{self._url}/api/v1/matches/?status=playing&limit=100"
        with urlopen(address, timeout=10) as answer:
            return [row["id"] for row in json.load(answer)["results"]]

    async def _tell(self) -> None:
        while True:
            self._write(done=False)
            await _later(REPORT_SECONDS)

    def _write(self, *, done: bool) -> None:
        told = {"done": done, "counts": self._counts, "digests": self._digests}
        fresh = self._report.with_suffix(".new")
        fresh.write_text(json.dumps(told))
        fresh.rename(self._report)

    async def _one(self) -> None:
        seen: set[str] = set()
        while not self._ending.is_set():
            if not (fresh := [match for match in self._live if match not in seen]):
                await self._rest(LOOK_SECONDS)
                continue
            match = self._draw.choice(fresh)
            seen.add(match)
            await self._follow(match)

    async def _follow(self, match: str) -> None:
        story = MatchFramesDigest()
        while not story.over:
            try:
                await self._hear(match, story)
            except BROKEN:
                self._counts["redialled"] += 1
                await _later(self._draw.uniform(*AGAIN_SECONDS))
        self._counts["frames"] += story.next
        self._counts["missed"] += story.missed
        self._counts["stories"] += 1
        self._digests[match][story.digest] += 1

    async def _hear(self, match: str, story: MatchFramesDigest) -> None:
        """Receive the frames of a match that `story` lacks, and add them, until the match ends."""
        # If the connection fails, this raises one of the errors in `BROKEN`.
        address = f"ws://{self._url}/ws/match/{match}/"
        options = {"compression": None, "ping_interval": None, "open_timeout": DIAL_SECONDS, "close_timeout": 1}
        async with connect(address, origin=f"http://{self._url}", max_size=None, **options) as socket:  # type: ignore[arg-type]  # one dict of many types
            self._counts["watching"] += 1
            try:
                await socket.send(json.dumps({"type": "watch", "after": story.next - 1}))
                while not story.over:
                    story.hear(parse_message(await socket.recv()))
            finally:
                self._counts["watching"] -= 1


if __name__ == "__main__":
    asyncio.run(LiveMatchSubscribers(sys.argv[1], Path(sys.argv[3])).watch(int(sys.argv[2])))
