"""Development server for the viewer, with a match of random players.

Start ``PYTHONPATH=. python frontend/ui/dev/viewer_server.py`` and ``npm run dev``, then open
``/?match=<game>.<seats>.<seed>``. Add ``.live`` after the seed to watch the match as if it were running.
"""

from __future__ import annotations

import asyncio
import json

from websockets.asyncio.server import ServerConnection, serve

from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.match_replay_frames import MatchFrames
from ftk_core.players import RandomPlayer
from ftk_core.referee import play

VIEWERS = {"public": -1, "all": -2}
ENTRIES_PER_BEAT, BEAT_SECONDS = 2, 0.7
"""A live match grows by this number of log entries at this interval."""


def play_match(name: str, seats: int, seed: int) -> list[bytes]:
    """Return the log lines of a match between random players; the seed determines the match."""
    secret = seed.to_bytes(32, "big")
    log = InMemoryLog()
    play(
        game(name),
        [RandomPlayer((seed + 1 + seat).to_bytes(32, "big"), f"Player {seat}") for seat in range(seats)],
        secret,
        log=log,
    )
    return list(lines_of(log))


async def serve_connection(socket: ServerConnection) -> None:
    """Send the requested match over a WebSocket connection, as the viewer expects it."""
    request = socket.request
    name, seats, seed, *rest = (request.path if request else "").strip("/").split("/")[-1].split(".")
    lines = play_match(name, int(seats), int(seed))
    shown = 30 if rest else len(lines)
    reel, cursor, eyes = MatchFrames(-1), -1, ""
    while True:
        try:
            watch = json.loads(await asyncio.wait_for(socket.recv(), BEAT_SECONDS))
        except TimeoutError:
            if not eyes or shown >= len(lines):
                continue
            reel.extend(lines[shown : shown + ENTRIES_PER_BEAT])
            shown, frames = shown + ENTRIES_PER_BEAT, reel.frames(reel.span(cursor), whole=False)
        else:
            if watch["eyes"] == "all" and shown < len(lines):
                detail = "everything is shown once the match has ended"
                await socket.send(json.dumps({"type": "refused", "code": "eyes_closed", "detail": detail}))
                continue
            eyes = watch["eyes"]
            reel = MatchFrames(VIEWERS.get(eyes, int(eyes) if eyes.isdigit() else -1), watch["language"])
            reel.extend(lines[:shown])
            frames = reel.frames(reel.span(watch["after"], watch["until"]), whole=True)
        cursor = reel.length - 1
        tail = {"eyes": eyes, "length": reel.length, "open": not reel.ended}
        for start in range(0, max(1, len(frames)), 128):
            body = b",".join(frames[start : start + 128]).decode()
            await socket.send('{"type":"frames","frames":[' + body + "]," + json.dumps(tail)[1:])


async def main() -> None:
    """Serve matches until the process is stopped."""
    async with serve(serve_connection, "127.0.0.1", 8765) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
