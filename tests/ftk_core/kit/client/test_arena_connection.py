"""Answers of remote bots on their way to the arena."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from ftk_core.kit.client.arena_connection import (
    LONGEST_PAUSE_SECONDS,
    ArenaConnection,
    ArenaConnectionLost,
)
from ftk_core.kit.client.bot_output_lines import decode_answer
from ftk_core.kit.client.local_bot_processes import LocalBotProcess, LocalBotProcesses
from ftk_core.kit.protocol.protocol_lines import read_reply
from replays.live.remote_bot_consumer import MESSAGE_BYTES, IncomingRemoteBotMessage

TALKATIVE = """
import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "ask":
        print("x" * 20_000 if ask["id"] == 2 else json.dumps({"id": ask["id"], "choose": 0}), flush=True)
"""


def test_an_answer_with_a_note_of_maximum_length_in_non_latin_letters_fits_into_a_message_to_the_arena() -> None:
    line = json.dumps({"id": 1, "choose": 0, "note": "\N{CYRILLIC SMALL LETTER ZHE}" * 2000}, ensure_ascii=False)
    answer = read_reply(line.encode())
    connection = ArenaConnection("ws://127.0.0.1:9", "token", print)
    connection.send("match/0", {"id": answer.id, "choose": answer.choose, "note": answer.note})
    assert len(connection._outbox.get_nowait()) < MESSAGE_BYTES


@pytest.mark.parametrize(
    "line",
    ["NaN", "-Infinity", "1e999", '{"id":3,"choose":NaN}', '{"id":1,"choose":0,"note":"\\ud83d"}', "not JSON"],
)
def test_an_output_line_that_the_arena_cannot_decode_is_sent_as_text_so_that_it_faults_one_question(line: str) -> None:
    connection = ArenaConnection("ws://127.0.0.1:9", "token", print)
    connection.send("match/0", decode_answer(line.encode()))
    sent = msgspec.json.decode(connection._outbox.get_nowait(), type=IncomingRemoteBotMessage)
    assert msgspec.json.decode(sent.line) == line


def test_a_bot_goes_on_after_a_line_that_is_too_long(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(TALKATIVE)

    async def play() -> list[Any]:
        answers: asyncio.Queue[Any] = asyncio.Queue()
        process = LocalBotProcess(
            "match/0", [sys.executable, str(bot)], None, lambda _seat, line: answers.put_nowait(line), print
        )
        process.hear({"type": "hello"})
        received = []
        for number in range(1, 5):
            process.hear({"type": "ask", "id": number})
            received.append(await asyncio.wait_for(answers.get(), 20))
        await process.end()
        return received

    answers = asyncio.run(play())
    assert answers == [{"id": 1, "choose": 0}, "x" * 200, {"id": 3, "choose": 0}, {"id": 4, "choose": 0}]


class ImpatientConnection(ArenaConnection):
    """A connection that records its pauses instead of making them, and gives up after twenty."""

    def __init__(self, port: int) -> None:
        super().__init__(f"ws://127.0.0.1:{port}", "token", lambda _line: None)
        self.pauses = list[float]()

    async def _wait(self, seconds: float) -> None:
        self.pauses.append(seconds)
        if len(self.pauses) == 20:
            raise ArenaConnectionLost("enough")


@pytest.mark.parametrize("arena", ["absent", "busy", "closing"])
async def test_a_program_tries_to_connect_again_after_short_pauses_whatever_the_error_was(arena: str) -> None:
    attempts = list[int]()

    def refuse(connection: ServerConnection, _request: Request) -> Response | None:
        attempts.append(1)
        return connection.respond(429, "Too many sockets.") if arena == "busy" else None

    async def close(connection: ServerConnection) -> None:
        await connection.close(4500)

    async with serve(close, "127.0.0.1", 0, process_request=refuse) as server:
        connection = ImpatientConnection(server.sockets[0].getsockname()[1])
        if arena == "absent":
            server.close()
            await server.wait_closed()
        with pytest.raises(ArenaConnectionLost, match="enough"):
            await connection.run(LocalBotProcesses([], None, connection.send, print))
    assert connection.pauses[0] == 0
    assert connection.pauses[-1] > 1, "a server that closes every connection is not dialled without end"
    assert max(connection.pauses) <= LONGEST_PAUSE_SECONDS
    assert len(attempts) == (0 if arena == "absent" else 20)
