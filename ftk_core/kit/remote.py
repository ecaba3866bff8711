"""``ftk remote``: plays a bot's matches from this machine, with a program or at the terminal."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote, urlencode

import msgspec
import typer

from ftk_core.kit.bridge import Answering, Bridge, LineEnded, LocalBots
from ftk_core.kit.calls import Refused, call, check_server
from ftk_core.kit.compiling import NotCompiled
from ftk_core.kit.door import UNSOUND, err, fail, out
from ftk_core.kit.house import NoSuchBot, command_of
from ftk_core.kit.keeping import NotKept
from ftk_core.kit.languages import LANGUAGES
from ftk_core.kit.lifeline import tied
from ftk_core.kit.login import NEARBY, Shown, token_for
from ftk_core.kit.terminal import AtTerminal

remotely = typer.Typer()
MISSING = "ftk remote needs the package websockets: pip install 'ftk-arena[remote]'"
JSON = {"Content-Type": "application/json"}


@remotely.command()
def remote(
    bot: Annotated[str, typer.Argument(help="Its name; a new one is made if you say its game.")],
    program: Annotated[str, typer.Argument(help="A .py file or a folder, as `ftk play` takes it.")] = "",
    command: Annotated[str, typer.Option(help="Any program that reads and writes the bot protocol's lines.")] = "",
    text: Annotated[bool, typer.Option("--text", help="You play, at this terminal.")] = False,
    game: Annotated[str, typer.Option(help="Makes the bot, where it is new.")] = "",
    challenge: Annotated[str, typer.Option(help="Bots, between commas: play a friendly match against them.")] = "",
    matches: Annotated[int, typer.Option(min=1, max=50, help="How many friendly matches.")] = 1,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = NEARBY,
    token: Shown = "",
) -> None:
    """Play a bot's matches from here, of leagues and friendly ones, until Ctrl-C; a lost connection is dialed again.

    The token needs the scope play: ftk login --scopes upload,enter,read,play.
    """
    if bool(program) + bool(command) + text != 1:
        fail("say who plays: a file or folder, --command, or --text")
    if find_spec("websockets") is None:
        fail(MISSING)
    try:
        server = check_server(server)
        shown = token_for(server, token)
        played = _prepared(server, shown, bot, game)
        words = _words(played, program, command)
        _challenge(server, shown, played, bot, challenge, matches)
    except (Refused, NotKept, NoSuchBot, NotCompiled, ValueError, OSError) as error:
        fail(error)
    asked = urlencode({"bot": bot, **({"form": "text"} if text else {})})
    bridge = Bridge(f"ws{server.removeprefix('http')}/seat?{asked}", shown, _say)
    folder = program if program and Path(program).is_dir() else None
    try:
        asyncio.run(_run(bridge, words, folder))
    except LineEnded as error:
        fail(error, UNSOUND)
    except KeyboardInterrupt:
        _say("left; the bot's matches wait for it for a while")


async def _run(bridge: Bridge, words: Sequence[str], folder: str | None) -> None:
    here = LocalBots(words, folder, bridge.send, _say) if words else None
    answering: Answering = here or AtTerminal(bridge.send, lambda line: out.print(line, markup=False))
    with suppress(asyncio.CancelledError):
        await bridge.run(answering)


def _say(line: str) -> None:
    err.print(line, markup=False)


def _prepared(server: str, token: str, bot: str, game: str) -> str:
    """Return the game of a remote bot, and create the bot if it is new; raises Refused."""
    if game:
        call(f"{server}/api/v1/bots/remote/", token, msgspec.json.encode({"game": game, "bot": bot}), JSON)
        return game
    known: dict[str, Any] = call(f"{server}/api/v1/bots/{quote(bot, safe='')}/", token)
    return str(known["game"])


def _words(game: str, program: str, command: str) -> list[str]:
    """Return the command to start for each match, empty if a person plays; raises NoSuchBot, ValueError, OSError."""
    words = shlex.split(command)
    if program:
        language, *rest = command_of(game, program)
        words = [*((sys.executable,) if language == "python" else LANGUAGES[language].runner), *rest]
    if words:
        tied(words)  # fail now rather than in the first match if the program does not exist
    return words


def _challenge(server: str, token: str, game: str, bot: str, against: str, matches: int) -> None:
    """Request friendly matches, with the bot's seat rotating; raises Refused."""
    names = [name.strip() for name in against.split(",") if name.strip()]
    for number in range(matches if names else 0):
        seat = number % (len(names) + 1)
        seats = [*names[:seat], bot, *names[seat:]]
        body = msgspec.json.encode({"game": game, "bots": seats})
        told = call(f"{server}/api/v1/matches/friendly/", token, body, JSON)
        _say(f"ordered: {server}/matches/{told['id']}/")
