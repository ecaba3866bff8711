"""`ftk upload`, `ftk enter` and `ftk league new`: an author's and an organiser's requests to a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ftk_core.kit.archive import BadUpload
from ftk_core.kit.calls import Refused, call, check_server
from ftk_core.kit.door import UNSOUND, fail, out
from ftk_core.kit.entering import enter as enter_league
from ftk_core.kit.keeping import NotKept
from ftk_core.kit.league import league as leagues
from ftk_core.kit.login import NEARBY, Shown, token_for
from ftk_core.kit.series_options import Json, print_json
from ftk_core.kit.upload import send

online = typer.Typer()
VERDICT = ("number", "status", "digest", "reason")


class UploadReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of an upload."""

    schema: str = "ftk.upload/1"
    game: str
    bot: str
    number: int
    status: str
    """``active``, ``refused``, or ``trial`` if its trial takes longer than the kit waits."""
    digest: str
    reason: str
    """Reason for the refusal; empty if it was not refused."""


@online.command()
def upload(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    path: Annotated[Path, typer.Argument(help="One .py file, or a .zip or folder with bot.py (or bot.toml).")],
    bot: Annotated[str, typer.Option(help="The bot's name; a new one is made on its first upload.")],
    json: Json = False,
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
    if json:
        print_json(UploadReport(game=name, bot=bot, **{word: verdict[word] for word in VERDICT}))
    else:
        said = f"{verdict['status']}: {bot} version {verdict['number']}, digest {verdict['digest'][:12]}"
        out.print(said, markup=False)
    if verdict["status"] == "refused":
        out.print(verdict.get("trial_log", ""), markup=False)
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


@leagues.command()
def new(
    slug: Annotated[str, typer.Argument(help="What stands in its page's address.")],
    name: Annotated[str, typer.Argument(metavar="GAME")],
    seats: Annotated[int, typer.Option(min=2, help="Bots at a full table.")],
    rounds: Annotated[int, typer.Option(min=0, help="Rounds; 0 where the format knows.")],
    called: Annotated[str, typer.Option("--name", help="Its name; what stands in the address by default.")] = "",
    terms: Annotated[str, typer.Option(help="All others, as JSON in the words of the API's schema.")] = "{}",
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = NEARBY,
    token: Shown = "",
) -> None:
    """Announce a league; organisers may, with a token that has the scope organise."""
    try:
        more = msgspec.json.decode(terms, type=dict[str, msgspec.Raw])
    except msgspec.DecodeError as error:
        fail(f"--terms: {error}")
    said = {"slug": slug, "name": called or slug, "game": name, "seats": seats, "rounds": rounds, **more}
    try:
        server = check_server(server)
        sent = {"Content-Type": "application/json"}
        told = call(f"{server}/api/v1/leagues/", token_for(server, token), msgspec.json.encode(said), sent)
    except (Refused, NotKept) as error:
        fail(error)
    out.print(f"{told['status']}: {told['name']}, {server}/leagues/{told['slug']}/", markup=False)
