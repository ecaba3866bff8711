"""People who visit the site of a bare server.

Usage, on the server: ``python -m tests.support.bare_server.visitors sign-up <link> <name>`` or ``... watch <match>
<watchers>``.
"""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import sys
from collections import Counter

import httpx
from websockets.asyncio.client import ClientConnection, connect

from tools.multi_host_fleet.spectator_messages import MatchFramesDigest, parse_message

SITE = "https://arena.example"
CERTIFICATE = "/etc/ssl/arena/fullchain.pem"
ADDRESSES = 100
"""Number of addresses (127.0.1.1 and following) from which the watchers connect."""
AT_ONCE = 50
PATIENCE = 120.0


def sign_up(link: str, name: str) -> None:
    """Open an invitation's link and create an account; raises httpx.HTTPStatusError if the site refuses."""
    with httpx.Client(verify=ssl.create_default_context(cafile=CERTIFICATE), follow_redirects=True) as client:
        page = client.get(link).raise_for_status()
        (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text))
        form = {"username": name, "email": f"{name}@arena.example", "password1": "correct horse battery staple"}
        sent = client.post(
            page.url, data={**form, "csrfmiddlewaretoken": token}, headers={"Referer": str(page.url)}
        ).raise_for_status()
        sys.stdout.write(f"{sent.url.path}\n")
        client.get(f"{SITE}/account/", follow_redirects=False).raise_for_status()


async def _connect(match: str, number: int, gate: asyncio.Semaphore) -> ClientConnection:
    async with gate:
        socket = await connect(
            f"wss://arena.example/ws/match/{match}/",
            host="127.0.0.1",
            local_addr=(f"127.0.1.{number % ADDRESSES + 1}", 0),
            ssl=ssl.create_default_context(cafile=CERTIFICATE),
            origin=SITE,  # type: ignore[arg-type]  # a type of its own for texts
            compression=None,
            ping_interval=None,
            open_timeout=PATIENCE,
            max_size=None,
        )
        await socket.send('{"type": "watch", "after": -1}')
        return socket


async def _follow(socket: ClientConnection) -> str:
    story = MatchFramesDigest()
    while not story.over:
        story.hear(parse_message(await socket.recv()))
    await socket.close()
    return f"{story.digest}:{story.missed}"


async def watch(match: str, watchers: int) -> None:
    """Connect all watchers, report when each is answered, and follow the match to its end with all of them.

    The last line is a JSON object: how many watchers received each digest of the frames.
    """
    gate = asyncio.Semaphore(AT_ONCE)
    sockets = await asyncio.gather(*(_connect(match, number, gate) for number in range(watchers)))
    for socket in sockets:
        await asyncio.wait_for(await socket.ping(), PATIENCE)
    sys.stdout.write(f"{len(sockets)} connected\n")
    sys.stdout.flush()
    async with asyncio.timeout(PATIENCE):
        digests = await asyncio.gather(*map(_follow, sockets))
    sys.stdout.write(json.dumps(Counter(digests)) + "\n")


if __name__ == "__main__":
    if sys.argv[1] == "sign-up":
        sign_up(*sys.argv[2:])
    else:
        asyncio.run(watch(sys.argv[2], int(sys.argv[3])))
