"""`ftk mcp` lets a client of the official MCP SDK practise every game, and refuses wrong input in plain words."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcp import Client
from mcp.server.mcpserver.exceptions import ToolError

from ftk_core.games import game, list_games
from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.kit.commands.new_bot import create_game_folder
from ftk_core.kit.mcp_agents.agent_seats import AgentQuestion, AgentSeatError, AgentSeats
from ftk_core.kit.mcp_agents.agent_tools import OfflineMcpTools
from ftk_core.kit.mcp_agents.mcp_server import _convert, create_server
from ftk_core.kit.mcp_agents.practice_matches import MAX_OPEN_MATCHES, PracticeMatches
from ftk_core.kit.verify.match_log_verification import verify_matches
from ftk_core.match_log_file import dump_pages
from ftk_core.players import RandomPlayer
from ftk_core.referee import play
from tests.support.agents import FTK, play_on, refusal_of, start_server, text_of, use_tool
from tests.support.plugin_packages import installed, register_entry_point
from tests.support.waiting import wait_for


def create_client() -> Client:
    """Return a client of a server in this process that offers practice only."""
    seats = AgentSeats()
    return Client(create_server(OfflineMcpTools(seats, PracticeMatches(seats, "tests")).list_tools()))


@pytest.mark.slow
async def test_an_mcp_client_can_play_every_game_to_its_end_over_stdio_and_read_its_log_and_review(
    tmp_path: Path,
) -> None:
    async with start_server("--seed", "tests", "--logs", str(tmp_path)) as client:
        for number, (name, rules) in enumerate(list_games().items(), 1):
            assert f"{name}: {rules.title}" in text_of(await use_tool(client, "list_games"))
            assert rules.title in text_of(await use_tool(client, "read_rules", game=name))
            first = await use_tool(client, "practise", game=name)
            texts, fields = await play_on(client, first, lambda fields: fields["question"] % min(fields["items"], 3))
            assert len(fields["places"]) == rules.seats.start
            assert "\n\nThe menu:\n0. " in texts[-1]
            assert f"{len(fields['places'])}" in text_of(await use_tool(client, "read_log", match=f"practice-{number}"))
        review = text_of(await use_tool(client, "read_review", match="practice-3", playouts=4))
    assert "of its opponents" in review
    verdicts = [verdict for number in range(1, 5) for verdict in verify_matches(tmp_path / f"practice-{number}.jsonl")]
    assert [verdict.game for verdict in verdicts] == [*list_games()]


async def test_a_question_of_a_practice_match_names_all_players() -> None:
    async with create_client() as client:
        first = await use_tool(client, "practise", game="kings_court")
        texts, _ = await play_on(client, first, lambda fields: fields["question"] % min(fields["items"], 3))
    assert "The box goes next from agent to accuser" in texts[0]
    assert not any(re.search(r"@\d", text) for text in texts)


def test_an_agent_can_read_the_rules_of_a_game_plugin(tmp_path: Path) -> None:
    register_entry_point(tmp_path, "high_card", "high_card = ftk_high_card.rules:GAME")
    package = create_game_folder("high_card", "High card", tmp_path) / "ftk_high_card"
    package.rename(tmp_path / "ftk_high_card")
    with installed(tmp_path):
        seats = AgentSeats()
        rules = OfflineMcpTools(seats, PracticeMatches(seats)).read_rules("high_card")
    assert rules.startswith("# High card")


def test_an_answer_that_a_lost_connection_swallowed_is_sent_again_when_the_server_repeats_the_question() -> None:
    seats, sent = AgentSeats(), list[tuple[int, int, str]]()
    question = AgentQuestion(number=14, item_count=3, text="What now?")

    def send(number: int, choose: int, note: str) -> None:
        sent.append((number, choose, note))

    for _ in range(2):
        seats.ask("match/0", question, send)
    assert sent == []
    seats.answer("match/0", 14, 2, "best")
    seats.ask("match/0", question, send)
    assert sent == [(14, 2, "best")] * 2
    assert [seat.question for seat in seats.list_seats()] == [None]
    seats.ask("match/0", AgentQuestion(number=15, item_count=2, text="And now?"), send)
    seats.answer("match/0", 15, 1, "")
    assert sent[-1] == (15, 1, "")


def test_the_size_of_a_note_is_counted_in_utf_8_bytes() -> None:
    seats = AgentSeats()
    seats.ask("match/0", AgentQuestion(number=1, item_count=2, text="What now?"), lambda *_: None)
    with pytest.raises(AgentSeatError, match="at most 3500 bytes"):
        seats.answer("match/0", 1, 0, "王" * 1200)
    seats.answer("match/0", 1, 0, "王" * 1100)


async def test_an_mcp_server_started_with_the_same_seed_deals_the_same_practice_matches() -> None:
    stories = []
    for _ in range(2):
        async with create_client() as client:
            texts, _ = await play_on(client, await use_tool(client, "practise", game="pig", seat=0), lambda _: 0)
            stories.append(texts)
    assert stories[0] == stories[1]


async def test_an_mcp_answer_returns_only_new_events_but_reading_a_question_returns_all_events() -> None:
    async with create_client() as client:
        first = await use_tool(client, "practise", game="pig", seat=0)
        second = await use_tool(client, "answer", seat="practice-1/0", question=1, choose=0)
        assert first.structured_content is not None
        assert "(1 sentence that you have read)" in text_of(second)
        assert "- agent rolls" in text_of(await use_tool(client, "read_question", seat="practice-1/0"))
        assert "practice-1/0: question 2" in text_of(await use_tool(client, "list_seats"))


async def test_a_practice_match_that_the_mcp_client_leaves_ends_without_a_result() -> None:
    async with create_client() as client:
        await use_tool(client, "practise", game="pig", seat=0)
        await use_tool(client, "leave", match="practice-1")
        ended = await use_tool(client, "read_question", seat="practice-1/0")
        assert text_of(ended) == "Seat practice-1/0: The match is over. It ended without a result."


async def test_refusals_of_the_mcp_server_name_the_wrong_value_and_the_allowed_values() -> None:
    async with create_client() as client:
        assert "there is no game 'chess'; known games: for_the_king" in await refusal_of(
            client, "practise", game="chess"
        )
        no_bot = await refusal_of(client, "practise", game="pig", opponents=["crashy"])
        assert "'crashy' is not an opponent for pig. Choose one of: hold20, random" in no_bot
        too_many = await refusal_of(client, "practise", game="pig", opponents=["random"] * 6)
        assert "Pig needs 1 to 5 opponents (got 6)." in too_many
        no_seat = await refusal_of(client, "practise", game="pig", seat=2)
        assert "seat must be between 0 and 1 (got 2)." in no_seat
        assert "Your seats: none yet; practise" in await refusal_of(client, "read_question", seat="practice-9/0")
        await use_tool(client, "practise", game="pig", seat=0)
        beyond = await refusal_of(client, "answer", seat="practice-1/0", question=1, choose=2)
        assert "choose must be between 0 and 1 (got 2)." in beyond
        stale = await refusal_of(client, "answer", seat="practice-1/0", question=2, choose=0)
        assert "The open question of seat practice-1/0 is 1 (got 2)." in stale
        early = await refusal_of(client, "read_log", match="practice-1")
        assert "practice-1 is not over. Its log contains secrets" in early
        assert "There is no match 'practice-7'." in await refusal_of(client, "read_review", match="practice-7")


async def test_an_mcp_client_can_have_a_limited_number_of_open_practice_matches() -> None:
    async with create_client() as client:
        for _ in range(MAX_OPEN_MATCHES):
            await use_tool(client, "practise", game="pig", seat=0)
        refusal = await refusal_of(client, "practise", game="pig", seat=0)
        assert f"You have {MAX_OPEN_MATCHES} practice matches; finish or leave one first." in refusal
        await use_tool(client, "leave", match="practice-1")
        await use_tool(client, "read_question", seat="practice-1/0")
        await use_tool(client, "practise", game="pig", seat=0)


def test_a_practice_match_that_was_left_before_its_first_choice_has_no_log() -> None:
    practice = PracticeMatches(AgentSeats())
    practice.start("pig", ["hold20"], 0)
    practice.leave("practice-1")

    def refusal() -> str:
        with pytest.raises(AgentSeatError) as refused:
            practice.read_log("practice-1")
        return str(refused.value)

    wait_for(lambda: "is not over" not in refusal(), "the match has ended")
    assert refusal() == "practice-1 has no log: it was left before its first choice was stored."


def test_a_new_mcp_server_does_not_overwrite_practice_logs_of_an_earlier_one(tmp_path: Path) -> None:
    async def play_once() -> None:
        seats = AgentSeats()
        server = create_server(OfflineMcpTools(seats, PracticeMatches(seats, "tests", tmp_path)).list_tools())
        async with Client(server) as client:
            await play_on(client, await use_tool(client, "practise", game="pig", seat=0), lambda _: 0)

    for _ in range(2):
        asyncio.run(play_once())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["practice-1-2.jsonl", "practice-1.jsonl"]


def test_an_mcp_agent_can_review_matches_of_its_bot_that_another_process_played() -> None:
    log = InMemoryLog()
    play(game("pig"), [RandomPlayer(bytes(32), name) for name in ("rival-4", "afar-2")], bytes(32), log=log)
    file = b"".join(dump_pages(log.pages())).splitlines(keepends=True)
    seats, arena = AgentSeats(), SimpleNamespace(bot="afar", read_log=lambda _match: file)
    tools = OfflineMcpTools(seats, PracticeMatches(seats), arena)  # type: ignore[arg-type] - the rest of it is not asked
    assert "Seat 1 finished ahead of" in tools.read_review("earlier", playouts=2)
    arena.bot = "other"
    with pytest.raises(AgentSeatError, match="You have no seat in a match 'earlier'"):
        tools.read_review("earlier", playouts=2)


def test_an_mcp_agent_that_reads_a_damaged_log_gets_a_tool_error_with_the_reason() -> None:
    log = InMemoryLog()
    play(game("pig"), [RandomPlayer(bytes(32), name) for name in ("rival-4", "afar-2")], bytes(32), log=log)
    file = b"".join(dump_pages(log.pages())).replace(b"roll", b"hold", 1).splitlines(keepends=True)
    seats, arena = AgentSeats(), SimpleNamespace(bot="afar", read_log=lambda _match: file)
    tools = OfflineMcpTools(seats, PracticeMatches(seats), arena)  # type: ignore[arg-type] - the rest of it is not asked
    with pytest.raises(ToolError, match="hash"):
        asyncio.run(_convert(tools.read_log)(match="earlier"))


@pytest.mark.slow
def test_the_example_mcp_agent_in_the_handbook_plays_a_match() -> None:
    handbook = Path("docs/agents.md").read_text()
    program = handbook.partition("```python\n")[2].partition("```")[0]
    env = {**os.environ, "PATH": f"{Path(FTK).parent}:{os.environ['PATH']}"}
    ended = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] in ("places: [1, 2]", "places: [2, 1]")


@pytest.mark.slow
def test_an_mcp_server_exits_at_once_when_its_client_disconnects_during_a_waiting_tool_call() -> None:
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}
    call = {"name": "read_question", "arguments": {"wait_seconds": 50}}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": about},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call},
    ]
    with subprocess.Popen([FTK, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin
        assert server.stdout
        for message in messages:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            server.stdin.flush()
        assert json.loads(server.stdout.readline())["id"] == 1
        server.stdin.close()
        assert server.wait(30) == 0
