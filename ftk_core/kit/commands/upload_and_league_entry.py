"""`ftk upload`, `ftk enter` and `ftk league new`: upload a bot, enter a league, announce a league."""

from __future__ import annotations

from gettext import gettext as _
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ftk_core.kit.client.http_client import RequestError, check_server, request_json
from ftk_core.kit.client.league_entry_request import enter_league
from ftk_core.kit.client.token_store import TokenStoreError
from ftk_core.kit.client.upload import upload_bot
from ftk_core.kit.commands.league import league as leagues
from ftk_core.kit.commands.login import LOCAL_SERVER, Shown, token_for
from ftk_core.kit.match_series.local_match_options import Json, print_json
from ftk_core.kit.terminal_output import EXIT_NEGATIVE, describe_os_error, fail, out
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError

online = typer.Typer()
VERDICT_FIELDS = ("number", "status", "digest", "reason")


class UploadReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of uploading a bot, as printed by `ftk upload --json`."""

    schema: str = "ftk.upload/1"
    game: str
    bot: str
    number: int
    status: str
    """``active``, ``refused``, or ``trial`` if the trial match takes longer than the command waits."""
    digest: str
    reason: str
    """Reason for the refusal; empty if the bot was not refused."""


@online.command()
def upload(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    path: Annotated[Path, typer.Argument(help="A .py file, or a .zip file or folder with bot.py or bot.toml.")],
    bot: Annotated[str, typer.Option(help="Name of the bot; the first upload creates it.")],
    json: Json = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Upload a bot; it plays a trial match and is then active or refused."""
    try:
        server = check_server(server)
        verdict = upload_bot(server, token_for(server, token), name, bot, path)
    except (RequestError, TokenStoreError, InvalidUploadError) as error:
        fail(error)
    except OSError as error:
        fail(describe_os_error(error, path))
    if json:
        print_json(UploadReport(game=name, bot=bot, **{word: verdict[word] for word in VERDICT_FIELDS}))
    else:
        said = _("{verdict}: {bot} version {number}, digest {digest}").format(
            verdict=verdict["status"], bot=bot, number=verdict["number"], digest=verdict["digest"][:12]
        )
        out.print(said)
    if verdict["status"] == "refused":
        if not json:
            out.print(verdict.get("trial_log", ""))
        fail(verdict["reason"], EXIT_NEGATIVE)


@online.command()
def enter(
    league: Annotated[str, typer.Argument(help="Name of the league in its page's address.")],
    bot: Annotated[str, typer.Argument(help="Name of one of your bots.")],
    version: Annotated[
        int | None, typer.Option(min=1, help="Number of the version; by default the newest active one.")
    ] = None,
    newest: Annotated[
        bool, typer.Option("--newest", help="Use the newest version until the first round is paired.")
    ] = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Enter one of your bots in a league; withdraw it on the league's page."""
    try:
        server = check_server(server)
        entry = enter_league(server, token_for(server, token), league, bot, version, newest=newest)
    except (RequestError, TokenStoreError) as error:
        fail(error)
    until = _("; a newer version takes its place until then") if newest else ""
    out.print(
        _("entered: {version}, entry {number}, from round {round} on{until}").format(
            version=entry["name"], number=entry["entry"], round=entry["round"], until=until
        ),
    )


@leagues.command()
def new(
    slug: Annotated[str, typer.Argument(help="Name of the league in its page's address.")],
    name: Annotated[str, typer.Argument(metavar="GAME")],
    seats: Annotated[int, typer.Option(min=2, help="Seats at a full table.")],
    rounds: Annotated[int, typer.Option(min=0, help="Number of rounds; 0 if the format determines it.")],
    called: Annotated[
        str, typer.Option("--name", help="Title of the league; by default its name in the address.")
    ] = "",
    terms: Annotated[str, typer.Option(help="All other terms, as JSON with the field names of the API.")] = "{}",
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Announce a league; needs the rights of an organiser and a token with the scope organise."""
    try:
        more = msgspec.json.decode(terms, type=dict[str, msgspec.Raw])
    except msgspec.DecodeError as error:
        fail(_("--terms: {error}").format(error=error))
    league_fields = {"slug": slug, "name": called or slug, "game": name, "seats": seats, "rounds": rounds, **more}
    try:
        server = check_server(server)
        sent = {"Content-Type": "application/json"}
        created = request_json(
            f"{server}/api/v1/leagues/", token_for(server, token), msgspec.json.encode(league_fields), sent
        )
    except (RequestError, TokenStoreError) as error:
        fail(error)
    out.print(
        _("{name}: {status}, {server}/leagues/{slug}/").format(
            name=created["name"], status=created["status"], server=server, slug=created["slug"]
        ),
    )
