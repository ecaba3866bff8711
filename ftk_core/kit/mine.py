"""`ftk versions`, `ftk activate` and `ftk logs`: an author's bot on a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table

from ftk_core.kit.calls import REMEDY, Refused, call, check_server, fetch
from ftk_core.kit.door import err, fail, out
from ftk_core.kit.keeping import NotKept, kept_for
from ftk_core.kit.login import NEARBY, Shown, token_for
from ftk_core.kit.names import BOT_NAME_RULE, is_bot_name
from ftk_core.kit.series_options import Json, print_json

mine = typer.Typer()
Bot = Annotated[str, typer.Argument(help="A bot on the server.")]
Server = Annotated[str, typer.Option(envvar="FTK_SERVER")]
PLAYED = ("closed", "void")
"""Statuses of a match that has ended."""


class VersionLine(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a bot."""

    number: int
    status: str
    """``trial``, ``active``, ``refused``, or the reason why it does not play any more."""
    digest: str
    """SHA-256 of its files."""
    uploaded_at: str
    """ISO 8601."""
    reason: str
    """Reason why it does not play; empty if it does."""


class VersionsReport(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's versions."""

    schema: str = "ftk.versions/1"
    game: str
    bot: str
    versions: tuple[VersionLine, ...]
    """The newest first."""


@mine.command()
def versions(bot: Bot, json: Json = False, server: Server = NEARBY, token: Shown = "") -> None:
    """List the versions of a bot on a server, and what has become of each."""
    try:
        report = versions_of(bot, check_server(server), token)
    except (Refused, NotKept) as error:
        fail(error)
    if json:
        print_json(report)
        return
    grid = Table("version", "status", "uploaded", "digest", "")
    for line in report.versions:
        day = line.uploaded_at[:16].replace("T", " ")
        grid.add_row(str(line.number), line.status, day, line.digest[:12], line.reason)
    out.print(grid)


def versions_of(bot: str, server: str, token: str) -> VersionsReport:
    """Request a bot's versions from a server; raises Refused, NotKept."""
    _check_name(bot)
    told = call(f"{server}/api/v1/bots/{bot}/", token or kept_for(server))
    try:
        rows = sorted(told["versions"], key=lambda row: -row["number"])
        return msgspec.convert({"game": told["game"], "bot": told["slug"], "versions": rows}, VersionsReport)
    except (KeyError, TypeError, msgspec.ValidationError) as error:
        raise Refused(f"{server} answers, but not as an arena does; {REMEDY}") from error


def _check_name(bot: str) -> None:
    if not is_bot_name(bot):
        raise Refused(f"{bot[:60]!r}: {BOT_NAME_RULE}")


@mine.command()
def activate(
    bot: Bot,
    version: Annotated[int, typer.Argument(min=1, help="The version that is to play.")],
    server: Server = NEARBY,
    token: Shown = "",
) -> None:
    """Let an older version of a bot play again; later ones rest until they are activated themselves."""
    try:
        _check_name(bot)
        server = check_server(server)
        body, sent = msgspec.json.encode({"version": version}), {"Content-Type": "application/json"}
        told = call(f"{server}/api/v1/bots/{bot}/activate/", token_for(server, token), body, sent)
    except (Refused, NotKept) as error:
        fail(error)
    out.print(f"{told.get('status')}: {bot} version {told.get('number')}; it is the one that plays", markup=False)


@mine.command()
def logs(
    bot: Bot,
    to: Annotated[Path, typer.Option(help="The folder; a log that lies there already is not fetched again.")],
    last: Annotated[int, typer.Option("--last", "-n", min=1, max=100, help="How many of its newest matches.")] = 10,
    server: Server = NEARBY,
    token: Shown = "",
) -> None:
    """Fetch the logs of a bot's newest matches, for `ftk rerun`, `story` and `verify`."""
    try:
        _check_name(bot)
        server = check_server(server)
        token = token or kept_for(server)
        told = call(f"{server}/api/v1/matches/?bot={bot}&limit={last}", token)
        to.mkdir(parents=True, exist_ok=True)
        fetched = [_fetched(match, to, server, token) for match in told.get("results", ())]
    except (Refused, NotKept) as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename or to}: {error.strerror or error}")
    out.print(f"{sum(fetched)} logs fetched into {to}, of {len(fetched)} matches of {bot}", markup=False)


def _fetched(match: dict[str, Any], folder: Path, server: str, token: str) -> bool:
    """Fetch the log of a match that is over and released; return True if it was fetched now."""
    file = folder / f"{match['id']}.jsonl"
    if match["status"] not in PLAYED or not match["released"]:
        err.print(f"{match['id']}: {match['status']}, its log comes once it is over and released", markup=False)
        return False
    if file.exists():
        return False
    draft = file.with_suffix(".part")
    draft.write_bytes(fetch(f"{server}/api/v1/matches/{match['id']}/log/", token))
    draft.rename(file)
    return True
