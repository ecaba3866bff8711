"""`ftk versions`, `ftk activate` and `ftk logs`: commands for an author's bots on a server."""

from __future__ import annotations

from gettext import gettext as _
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table

from ftk_core.kit.client.http_client import (
    RequestError,
    build_unexpected_answer_error,
    check_server,
    request_bytes,
    request_json,
)
from ftk_core.kit.client.token_store import TokenStoreError, load_token
from ftk_core.kit.commands.login import LOCAL_SERVER, Shown, token_for
from ftk_core.kit.match_series.local_match_options import Json, print_json
from ftk_core.kit.terminal_output import describe_os_error, err, fail, out
from ftk_core.kit.uploads.bot_names import BOT_NAME_RULE, is_bot_name

mine = typer.Typer()
Bot = Annotated[str, typer.Argument(help="Name of a bot on the server.")]
Server = Annotated[str, typer.Option(envvar="FTK_SERVER")]
ENDED_STATUSES = ("closed", "void")
"""Statuses of a match that has ended."""


class BotVersionSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a bot in the output of `ftk versions`."""

    number: int
    status: str
    """``trial``, ``active``, ``refused``, or another status of a version that does not play any more."""
    digest: str
    """SHA-256 of the version's files."""
    uploaded_at: str
    """Time in ISO 8601 format."""
    reason: str
    """Reason why the version does not play; empty if it plays."""


class BotVersionsReport(msgspec.Struct, frozen=True, kw_only=True):
    """Versions of a bot, as printed by `ftk versions --json`."""

    schema: str = "ftk.versions/1"
    game: str
    bot: str
    versions: tuple[BotVersionSummary, ...]
    """Versions, the newest first."""


@mine.command()
def versions(bot: Bot, json: Json = False, server: Server = LOCAL_SERVER, token: Shown = "") -> None:
    """List the versions of a bot on a server, with the state of each."""
    try:
        report = fetch_versions(bot, check_server(server), token)
    except (RequestError, TokenStoreError) as error:
        fail(error)
    if json:
        print_json(report)
        return
    grid = Table(_("version"), _("status"), _("uploaded"), _("digest"), "")
    for line in report.versions:
        day = line.uploaded_at[:16].replace("T", " ")
        grid.add_row(str(line.number), line.status, day, line.digest[:12], line.reason)
    out.print(grid)


def fetch_versions(bot: str, server: str, token: str) -> BotVersionsReport:
    """Request a bot's versions from a server, newest first. Raises RequestError, TokenStoreError."""
    _check_name(bot)
    bot_data = request_json(f"{server}/api/v1/bots/{bot}/", token or load_token(server))
    try:
        versions = sorted(bot_data["versions"], key=lambda version: -version["number"])
        return msgspec.convert(
            {"game": bot_data["game"], "bot": bot_data["slug"], "versions": versions}, BotVersionsReport
        )
    except (KeyError, TypeError, msgspec.ValidationError) as error:
        raise build_unexpected_answer_error(server) from error


def _check_name(bot: str) -> None:
    if not is_bot_name(bot):
        raise RequestError(f"{bot[:60]!r}: {_(BOT_NAME_RULE)}")


@mine.command()
def activate(
    bot: Bot,
    version: Annotated[int, typer.Argument(min=1, help="Number of the version to activate.")],
    server: Server = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Activate an older version of a bot; newer ones do not play until they are activated again."""
    try:
        _check_name(bot)
        server = check_server(server)
        body, sent = msgspec.json.encode({"version": version}), {"Content-Type": "application/json"}
        activated = request_json(f"{server}/api/v1/bots/{bot}/activate/", token_for(server, token), body, sent)
    except (RequestError, TokenStoreError) as error:
        fail(error)
    out.print(
        _("{state}: {bot} version {number}; it is the one that plays").format(
            state=activated.get("status"), bot=bot, number=activated.get("number")
        ),
    )


@mine.command()
def logs(
    bot: Bot,
    to: Annotated[Path, typer.Option(help="Folder for the logs; those already in it are not downloaded again.")],
    last: Annotated[int, typer.Option("--last", "-n", min=1, max=100, help="Number of newest matches.")] = 10,
    server: Server = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Download the logs of a bot's newest matches, for `ftk rerun`, `story` and `verify`, and its trial report."""
    try:
        _check_name(bot)
        server = check_server(server)
        token = token or load_token(server)
        matches = _list_newest_matches(bot, last, server, token)
        to.mkdir(parents=True, exist_ok=True)
        fetched = [_fetch_log(match, to, server, token) for match in matches]
        report = _fetch_trial_report(bot, to, server, token)
    except (RequestError, TokenStoreError) as error:
        fail(error)
    except OSError as error:
        fail(describe_os_error(error, to))
    out.print(
        _("{logs} logs fetched into {folder}, of {matches} matches of {bot}").format(
            logs=sum(fetched), folder=to, matches=len(fetched), bot=bot
        ),
    )
    if report:
        out.print(_("the trial of its newest version: {report}").format(report=report))


def _list_newest_matches(bot: str, count: int, server: str, token: str) -> list[dict[str, Any]]:
    """Return unfinished matches of a bot, and the newest `count` ended ones."""
    # Without a status the server lists all unfinished matches first, so that there may be no other on a page.
    address = f"{server}/api/v1/matches/?bot={bot}&limit={count}"

    def read(more: str) -> list[dict[str, Any]]:
        return list(request_json(f"{address}{more}", token).get("results", ()))

    going = [match for match in read("") if match["status"] not in ENDED_STATUSES]
    ended = [match for status in ENDED_STATUSES for match in read(f"&status={status}")]
    ended.sort(key=lambda match: match["closed_at"] or "", reverse=True)
    return going + ended[:count]


def _fetch_trial_report(bot: str, folder: Path, server: str, token: str) -> Path | None:
    """Download the test report of a bot's newest version; return its file, or None if there is no report yet."""
    # The server sends the report to the bot's authors only: others get None.
    versions = request_json(f"{server}/api/v1/bots/{bot}/", token).get("versions") or [{}]
    newest = max(versions, key=lambda version: version.get("number", 0))
    if newest.get("status", "trial") == "trial":
        return None
    report = request_json(f"{server}/api/v1/bots/versions/{newest['id']}/", token).get("trial_log")
    if not report:
        return None
    file = folder / f"trial-{newest['number']}.txt"
    file.write_text(f"{report}\n", "utf-8")
    return file


def _fetch_log(match: dict[str, Any], folder: Path, server: str, token: str) -> bool:
    """Download the log of a match unless the folder has it; return True if it was downloaded."""
    file = folder / f"{match['id']}.jsonl"
    if match["status"] not in ENDED_STATUSES or not match["released"]:
        err.print(
            _("{match}: {status}, its log comes once it is over and released").format(
                match=match["id"], status=match["status"]
            ),
        )
        return False
    if file.exists():
        return False
    draft = file.with_suffix(".part")
    draft.write_bytes(request_bytes(f"{server}/api/v1/matches/{match['id']}/log/", token))
    draft.rename(file)
    return True
