"""WebSocket servers for comparison with this project's web server.

``python -m tools.bench.baseline_websocket_servers stock|bare <port>`` sends each input line to all connections.
``stock`` is Channels under daphne; ``bare`` uses the package `websockets`.
"""

from __future__ import annotations

import asyncio
import sys
from threading import Thread
from typing import Any

GROUP = "crowd"


def serve_with_channels(port: int) -> None:
    """Run daphne with a minimal Channels consumer that sends each line of standard input to all clients."""
    from django.conf import settings

    settings.configure(CHANNEL_LAYERS={"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}})
    from channels.generic.websocket import AsyncWebsocketConsumer
    from channels.layers import get_channel_layer
    from daphne.server import Server

    def read(loop: asyncio.AbstractEventLoop) -> None:
        for line in sys.stdin:
            told = get_channel_layer().group_send(GROUP, {"type": "tell", "text": line})
            asyncio.run_coroutine_threadsafe(told, loop)

    class Tell(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels ships no types
        reader: Thread | None = None

        async def connect(self) -> None:
            await self.channel_layer.group_add(GROUP, self.channel_name)
            await self.accept()
            if Tell.reader is None:
                Tell.reader = Thread(target=read, args=[asyncio.get_running_loop()], daemon=True)
                Tell.reader.start()

        async def disconnect(self, _code: int) -> None:
            await self.channel_layer.group_discard(GROUP, self.channel_name)

        async def tell(self, event: dict[str, Any]) -> None:
            await self.send(text_data=event["text"])

    Server(application=Tell.as_asgi(), endpoints=[f"tcp:port={port}:interface=127.0.0.1:backlog=1024"]).run()


def serve_with_websockets(port: int) -> None:
    """Send each line of standard input to all clients with the broadcast function of the `websockets` library."""
    import uvloop
    from websockets.asyncio.server import ServerConnection, broadcast, serve

    crowd: set[ServerConnection] = set()

    async def attend(connection: ServerConnection) -> None:
        crowd.add(connection)
        await connection.wait_closed()
        crowd.discard(connection)

    async def run() -> None:
        loop = asyncio.get_running_loop()

        def read() -> None:
            for line in sys.stdin:
                loop.call_soon_threadsafe(broadcast, set(crowd), line)

        async with serve(attend, "127.0.0.1", port, compression=None, backlog=1024):
            await asyncio.to_thread(read)

    uvloop.run(run())


if __name__ == "__main__":
    {"stock": serve_with_channels, "bare": serve_with_websockets}[sys.argv[1]](int(sys.argv[2]))
