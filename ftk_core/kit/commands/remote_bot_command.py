"""``ftk remote``: play a bot's matches on a server from this machine."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from gettext import gettext as _
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote, urlencode

import msgspec
import typer

from ftk_core.i18n import N_
from ftk_core.kit.built_in_bots import BotNotFound, find_command, locate_folder
from ftk_core.kit.client.arena_connection import (
    ArenaConnection,
    ArenaConnectionLost,
    ArenaMoveRequestHandler,
)
from ftk_core.kit.client.http_client import RequestError, check_server, request_json
from ftk_core.kit.client.local_bot_processes import LocalBotProcesses
from ftk_core.kit.client.token_store import TokenStoreError
from ftk_core.kit.commands.login import LOCAL_SERVER, Shown, token_for
from ftk_core.kit.match_series.local_match_options import refuse_unused
from ftk_core.kit.protocol.child_termination import add_parent_death_signal
from ftk_core.kit.protocol.terminal_player import TerminalPlayer
from ftk_core.kit.terminal_output import EXIT_NEGATIVE, err, fail, out
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError

remotely = typer.Typer()
WEBSOCKETS_MISSING = N_("the package websockets is missing: pip install websockets")
JSON_HEADERS = {"Content-Type": "application/json"}
TEXT_SECONDS = 60
"""Seconds for each choice of a person at a terminal, in friendly matches."""
BANK_FACTOR = 10
"""Bank of a friendly match with its own time for a choice, divided by that time; at most `MAX_BANK_MS`."""
MAX_BANK_MS = 600_000


@remotely.command()
@refuse_unused(
    "matches",
    "seconds",
    when=lambda given: not given["challenge"],
    message=N_("{option} has no effect without --challenge"),
)
def remote(
    bot: Annotated[str, typer.Argument(help="Name of the bot; with --game a new one is created.")],
    program: Annotated[str, typer.Argument(help="Path of the bot: a .py file or a folder, as for `ftk play`.")] = "",
    command: Annotated[
        str, typer.Option(help="Command of a program that reads and writes the lines of the bot protocol.")
    ] = "",
    text: Annotated[bool, typer.Option("--text", help="Play yourself, at this terminal.")] = False,
    game: Annotated[str, typer.Option(help="Game of the bot; creates the bot if it is new.")] = "",
    challenge: Annotated[
        str, typer.Option(help="Play a friendly match against these bots: names separated by commas.")
    ] = "",
    matches: Annotated[int, typer.Option(min=1, max=50, help="Number of friendly matches.")] = 1,
    seconds: Annotated[int, typer.Option(min=0, max=600, help="Seconds for each choice in friendly matches.")] = 0,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Play a bot's league and friendly matches from this machine until Ctrl-C; a lost connection is opened again.

    The token needs the scope play: ftk login --scopes upload,enter,read,play.
    """
    if bool(program) + bool(command) + text != 1:
        fail(_("say who plays: a file or folder, --command, or --text"))
    if find_spec("websockets") is None:
        fail(WEBSOCKETS_MISSING)
    try:
        shown = token_for(server := check_server(server), token)
        played = prepare_bot(server, shown, bot, game)
        command_words = _find_command(played, program, command)
        folder = locate_folder(played, program) if program else None
        terms = {"game": played, **_make_clock(seconds, text=text)}
        _order_matches(server, shown, terms, bot, challenge, matches)
    except (RequestError, TokenStoreError, BotNotFound, InvalidUploadError, ValueError, OSError) as error:
        fail(error)
    query = urlencode({"bot": bot, **({"form": "text"} if text else {})})
    _play(ArenaConnection(f"ws{server.removeprefix('http')}/seat?{query}", shown, _say), command_words, folder)


def _play(bridge: ArenaConnection, command_words: Sequence[str], folder: Path | None) -> None:
    try:
        asyncio.run(_run(bridge, command_words, folder))
    except ArenaConnectionLost as error:
        fail(error, EXIT_NEGATIVE)
    except KeyboardInterrupt:
        _say(_("left; the bot's matches wait for it for a while"))


async def _run(bridge: ArenaConnection, command_words: Sequence[str], folder: Path | None) -> None:
    local_bots = LocalBotProcesses(command_words, folder, bridge.send, _say) if command_words else None
    answering: ArenaMoveRequestHandler = local_bots or TerminalPlayer(bridge.send, out.print)
    with suppress(asyncio.CancelledError):
        await bridge.run(answering)


def _say(line: str) -> None:
    err.print(line)


def prepare_bot(server: str, token: str, bot: str, game: str, *, model: str = "", prompt_hash: str = "") -> str:
    """Prepare a bot on the server for matches that it plays from this machine, and return the name of its game.

    With `game`, the server creates the bot if it does not exist. Without `game`, the server must know the bot. Raises
    RequestError.
    """
    # A new language model or prompt hash makes a new version of the bot.
    label = {key: value for key, value in (("model", model), ("prompt_hash", prompt_hash)) if value}
    if not game:
        known: dict[str, Any] = request_json(f"{server}/api/v1/bots/{quote(bot, safe='')}/", token)
        game = str(known["game"])
        if not label:
            return game
    fields = {"game": game, "bot": bot, **label}
    request_json(f"{server}/api/v1/bots/remote/", token, msgspec.json.encode(fields), JSON_HEADERS)
    return game


def _find_command(game: str, program: str, command: str) -> list[str]:
    """Return the command that starts the bot for each match; empty if a person plays."""
    command_words = split_command(command)
    if program:
        language, *arguments = find_command(game, program)
        command_words = [*((sys.executable,) if language == "python" else LANGUAGES[language].runner), *arguments]
    if command_words:
        add_parent_death_signal(command_words)  # fails now rather than in the first match if the program does not exist
    return command_words


def split_command(command: str, *, is_windows: bool = os.name == "nt") -> list[str]:
    """Split a command into words as a shell does; on Windows, backslashes are parts of paths."""
    words = shlex.shlex(command, posix=True)
    words.whitespace_split, words.commenters = True, ""
    if is_windows:
        words.escape = ""
    return list(words)


def _make_clock(seconds: int, *, text: bool) -> dict[str, int]:
    """Return the fields of a request that set the clock of a friendly match; none for the arena's usual clock."""
    seconds = seconds or text * TEXT_SECONDS
    if not seconds:
        return {}
    return {"move_ms": 1000 * seconds, "bank_ms": min(MAX_BANK_MS, 1000 * seconds * BANK_FACTOR)}


def _order_matches(server: str, token: str, terms: dict[str, Any], bot: str, against: str, matches: int) -> None:
    """Request unrated matches against other bots from the server, as many as it grants; raises RequestError if none."""
    names = [name.strip() for name in against.split(",") if name.strip()]
    for number in range(matches if names else 0):
        seat = number % (len(names) + 1)
        seats = [*names[:seat], bot, *names[seat:]]
        body = msgspec.json.encode({**terms, "bots": seats})
        try:
            match = request_json(f"{server}/api/v1/matches/friendly/", token, body, JSON_HEADERS)
        except RequestError as error:
            if number == 0:
                raise
            _say(
                _("only {number} of {matches} are ordered: {error}").format(number=number, matches=matches, error=error)
            )
            return  # those that are ordered are played
        _say(_("ordered: {address}").format(address=f"{server}/matches/{match['id']}/"))
