"""An agent program plays in an arena by the tools of `ftk mcp`, as a remote bot."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from bots.models import BotVersion
from replays.models import Match
from replays.models.remote_bot_presences import RemoteBotPresence
from tests.support.agents import FTK, play_on, refusal_of, text_of, use_tool
from tests.support.factories import create_active_version
from tests.support.seats import create_owner_token, create_remote_version, list_choices, play_in_thread
from tests.support.served import WebServer, serve
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def arena() -> Iterator[WebServer]:
    with serve() as running:
        yield running


def start_agent(arena: WebServer, version: BotVersion, pid_file: Path, *words: str) -> Client:
    """Return a client of `ftk mcp` for a remote bot; the server process writes its number into a file."""
    script = f'echo $$ > "{pid_file}"; exec "{FTK}" mcp --bot {version.bot.slug} "$@"'
    env = {"FTK_SERVER": arena.address, "FTK_TOKEN": create_owner_token(version, "play", "enter", "read")}
    return Client(StdioServerParameters(command="sh", args=["-c", script, "sh", *words], env=env))


def run(agent: Any) -> Any:
    """Run a coroutine in a thread of its own, so that this thread can use the database."""
    return ThreadPoolExecutor(1).submit(asyncio.run, agent)


def newest_match() -> Match:
    """Return the match that the agent ordered, when it exists."""
    return wait_for(lambda: Match.objects.order_by("-created_at").first(), "the match is ordered", 60)


def test_an_mcp_agent_can_start_a_friendly_match_on_a_server_play_it_and_read_its_log(
    arena: WebServer, tmp_path: Path
) -> None:
    version = create_remote_version()
    create_active_version(slug="rival")
    client, released = start_agent(arena, version, tmp_path / "pid"), Future[None]()

    async def play() -> tuple[str, list[str], dict[str, Any], str]:
        async with client:
            bots = text_of(await use_tool(client, "list_bots"))
            await use_tool(client, "order_friendly", opponents=["rival"])
            question = await use_tool(client, "read_question", wait_seconds=50)
            seat = (question.structured_content or {})["seat"]
            reason = "one roll is safe enough"
            question = await use_tool(client, "answer", seat=seat, question=1, choose=1, note=reason)
            texts, fields = await play_on(client, question, lambda fields: fields["question"] % 2)
            match = fields["seat"].partition("/")[0]
            await asyncio.wrap_future(released)
            return bots, texts, fields, text_of(await use_tool(client, "read_log", match=match))

    agent = run(play())
    assert (newest_match().move_ms, newest_match().bank_ms) == (60_000, 600_000)
    with play_in_thread(newest_match()):
        pass
    released.set_result(None)
    bots, texts, fields, log = agent.result(120)
    assert "Your bot: afar, for pig." in bots
    assert "rival (uploaded)" in bots
    assert "You are afar-1, in seat 0." in texts[0]
    assert newest_match().seats.get(seat=0).notes == ["question 1: one roll is safe enough"]
    assert sorted(fields["places"]) == [1, 2]
    assert "rival-1" in log
    assert {chose.excuse for chose in list_choices(newest_match())} == {None}


def test_a_match_continues_without_an_mcp_agent_whose_process_was_killed(
    arena: WebServer, tmp_path: Path, settings: Any
) -> None:
    settings.SEATS = {**settings.SEATS, "grace_seconds": 0}
    version = create_remote_version()
    create_active_version(slug="rival")
    client = start_agent(arena, version, tmp_path / "pid")

    async def play_and_be_killed() -> None:
        async with client:
            await use_tool(client, "order_friendly", opponents=["rival"])
            question = await use_tool(client, "read_question", wait_seconds=50)
            seat = (question.structured_content or {})["seat"]
            await use_tool(client, "answer", seat=seat, question=1, choose=1)
            os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)

    agent = run(play_and_be_killed())
    match = newest_match()
    with play_in_thread(match) as played:
        agent.exception(120)
    assert played.result()
    assert not RemoteBotPresence.objects.filter(bot=version.bot, closed_at=None).exists()
    excuses = [chose.excuse for chose in list_choices(match)]
    assert excuses[0] is None
    assert set(excuses[2:]) == {"timeout"}
    assert "away: not connected" in match.seats.get(seat=0).faults[-1]


def test_an_mcp_agent_receives_the_refusal_messages_of_the_server_unchanged(arena: WebServer, tmp_path: Path) -> None:
    version = create_remote_version()
    client = start_agent(arena, version, tmp_path / "pid")

    async def be_refused() -> list[str]:
        async with client:
            nobody = await refusal_of(client, "order_friendly", opponents=["nobody"])
            league = await refusal_of(client, "enter_league", league="no-league")
            return [nobody, league, text_of(await use_tool(client, "list_leagues"))]

    nobody, league, leagues = run(be_refused()).result(120)
    assert nobody == "Error executing tool order_friendly: 400: no version of a bot 'nobody' is active"
    assert league == "Error executing tool enter_league: 404: there is no league 'no-league'"
    assert leagues == "There are no leagues."
