"""`ftk mcp`: let an agent program, such as a language model, play by the Model Context Protocol."""

from __future__ import annotations

import sys
from gettext import gettext as _
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from ftk_core.i18n import N_
from ftk_core.kit.client.http_client import RequestError, check_server
from ftk_core.kit.client.token_store import TokenStoreError
from ftk_core.kit.commands.login import Shown, token_for
from ftk_core.kit.commands.remote_bot_command import WEBSOCKETS_MISSING, prepare_bot
from ftk_core.kit.match_series.local_match_options import refuse_unused
from ftk_core.kit.mcp_agents.agent_arena_connection import AgentArenaConnection
from ftk_core.kit.mcp_agents.agent_seats import AgentSeats
from ftk_core.kit.mcp_agents.agent_tools import OfflineMcpTools
from ftk_core.kit.mcp_agents.practice_matches import PracticeMatches
from ftk_core.kit.terminal_output import describe_os_error, fail

agents = typer.Typer()
MCP_MISSING = N_("ftk mcp needs the package mcp: pip install mcp")
STREAMS_MISSING = N_("ftk mcp talks over standard input and output, and one of them is closed")


@agents.command()
@refuse_unused(
    "game", "model", "prompt", when=lambda given: not given["bot"], message=N_("{option} has no effect without --bot")
)
def mcp(
    bot: Annotated[
        str, typer.Option(help="Name of your remote bot in the arena; without it the agent only practises.")
    ] = "",
    game: Annotated[str, typer.Option(help="Game of the bot; creates the bot if it is new.")] = "",
    model: Annotated[str, typer.Option(help="Name of the language model for the leaderboard; it is not checked.")] = "",
    prompt: Annotated[
        Path | None, typer.Option(help="File with the model's prompt; only its hash is sent to the arena.")
    ] = None,
    seed: Annotated[str, typer.Option(help="Seed of practice matches; the same seed repeats their deals.")] = "",
    logs: Annotated[Path | None, typer.Option(help="Folder for the logs of practice matches.")] = None,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER", help="Address of the arena.")] = "",
    token: Shown = "",
) -> None:
    """Serve the Model Context Protocol over standard input and output, so that agent programs can play.

    In an arena the agent plays as a remote bot; the token needs the scopes play, enter and read.
    """
    if find_spec("mcp") is None:
        fail(MCP_MISSING)
    if sys.stdin is None or sys.stdout is None:  # the shell closed it, as with `<&-`
        fail(STREAMS_MISSING)
    seats = AgentSeats()
    try:
        if logs:
            logs.mkdir(parents=True, exist_ok=True)
        prompt_hash = sha256(prompt.read_bytes()).hexdigest() if prompt else ""
        arena = _seat_in_arena(seats, server, token, bot, game, model, prompt_hash) if bot else None
    except (RequestError, TokenStoreError) as error:
        fail(error)
    except OSError as error:
        fail(describe_os_error(error))
    from ftk_core.kit.mcp_agents.mcp_server import create_server  # an optional package

    if arena:
        arena.connect()
    create_server(OfflineMcpTools(seats, PracticeMatches(seats, seed, logs), arena).list_tools()).run()


def _seat_in_arena(
    seats: AgentSeats, server: str, token: str, bot: str, game: str, model: str, prompt_hash: str
) -> AgentArenaConnection:
    """Return the client with which an AI agent plays as a bot on a server."""
    # A bot that the server does not have is created if `game` is given.
    if not server:
        raise RequestError(_("--bot {bot}: give the arena's address by --server or FTK_SERVER").format(bot=bot))
    if find_spec("websockets") is None:
        fail(WEBSOCKETS_MISSING)
    server = check_server(server)
    shown = token_for(server, token)
    played = prepare_bot(server, shown, bot, game, model=model, prompt_hash=prompt_hash)
    return AgentArenaConnection(seats, server=server, token=shown, bot=bot, game=played)
