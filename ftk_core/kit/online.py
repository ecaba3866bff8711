"""What `ftk` sends to a server for an author: bots, and their entries in leagues."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ftk_core.kit.archive import BadUpload
from ftk_core.kit.calls import Refused, check_server
from ftk_core.kit.door import UNSOUND, fail, out
from ftk_core.kit.entering import enter as enter_league
from ftk_core.kit.keeping import NotKept
from ftk_core.kit.login import NEARBY, Shown, token_for
from ftk_core.kit.upload import send

online = typer.Typer()


@online.command()
def upload(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    path: Annotated[Path, typer.Argument(help="One .py file, or a .zip or folder with bot.py (or bot.toml).")],
    bot: Annotated[str, typer.Option(help="The bot's name; a new one is made on its first upload.")],
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = NEARBY,
    token: Shown = "",
) -> None:
    """Send a bot to a server; it plays a trial match and is then active or refused."""
    try:
        server = check_server(server)
        verdict = send(server, token_for(server, token), name, bot, path)
    except (Refused, NotKept, BadUpload) as error:
        fail(error)
    except OSError as error:
        fail(f"{path}: {error.strerror or error}")
    out.print(f"{verdict['status']}: {bot} version {verdict['number']}, digest {verdict['digest'][:12]}", markup=False)
    if verdict["status"] == "refused":
        fail(verdict["reason"], UNSOUND)


@online.command()
def enter(
    league: Annotated[str, typer.Argument(help="As in its page's address.")],
    bot: Annotated[str, typer.Argument(help="One of your bots.")],
    version: Annotated[int | None, typer.Option(min=1, help="Which version; the newest active one by default.")] = None,
    newest: Annotated[
        bool, typer.Option("--newest", help="Always the newest, until its first round is paired.")
    ] = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = NEARBY,
    token: Shown = "",
) -> None:
    """Enter one of your bots in a league; its page says who may, and there it is withdrawn again."""
    try:
        server = check_server(server)
        entry = enter_league(server, token_for(server, token), league, bot, version, newest=newest)
    except (Refused, NotKept) as error:
        fail(error)
    until = "; a newer version takes its place until then" if newest else ""
    out.print(f"entered: {entry['name']}, entry {entry['entry']}, from round {entry['round']} on{until}", markup=False)
