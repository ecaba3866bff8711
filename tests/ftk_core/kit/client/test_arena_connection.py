"""Answers of remote bots on their way to the arena."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ftk_core.kit.client.arena_connection import ArenaConnection, LocalBotProcess
from ftk_core.kit.client.bot_output_lines import decode_answer
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
