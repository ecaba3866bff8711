"""`ftk challenge`: requests matches of one of your bots from a server and shows the results."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from ftk_core.kit.calls import REMEDY, Refused, awaited, call, check_server
from ftk_core.kit.door import fail, out
from ftk_core.kit.keeping import NotKept
from ftk_core.kit.login import NEARBY, Shown, token_for
from ftk_core.kit.upload import check_call

PAUSE_SECONDS = 2.0
SCHEMA = "ftk.challenge/1"
challenges = typer.Typer()


@challenges.command()
def challenge(
    bot: Annotated[str, typer.Argument(help="One of your bots; its newest active version plays.")],
    against: Annotated[str, typer.Option(help="Whom it meets: names of bots, with commas between them.")] = "",
    neighbours: Annotated[
        bool, typer.Option("--neighbours", help="Instead: whoever stands nearest on the continuous ladder.")
    ] = False,
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")] = 20,
    duplicate: Annotated[bool, typer.Option("--duplicate", help="Each deal is played from every seat.")] = False,
    seed: Annotated[str, typer.Option(help="What its deals follow from; with one nothing is rated.")] = "",
    wait: Annotated[bool, typer.Option("--wait", help="Wait until all are over.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the server's answer.")] = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = NEARBY,
    token: Shown = "",
) -> None:
    """Ask for matches of one of your bots against others; they wait behind leagues."""
    names = [name.strip() for name in against.split(",") if name.strip()]
    said = {
        "bot": bot,
        "against": names,
        "neighbours": neighbours,
        "matches": matches,
        "duplicate": duplicate,
        "seed": seed,
    }
    if bool(names) == neighbours:
        fail("say --against or --neighbours, and not both")
    try:
        server = check_server(server)
        shown = token_for(server, token)
        row = ask(server, shown, said, wait=wait)
    except (Refused, NotKept) as error:
        fail(error)
    if as_json:
        typer.echo(json.dumps({"schema": SCHEMA, **row}))
    else:
        _print(row)


def ask(server: str, token: str, said: dict[str, Any], *, wait: bool) -> dict[str, Any]:
    """Request a challenge and return its state, with `wait` after it is over; raises Refused."""
    for name in (said["bot"], *said["against"]):
        check_call(token, name, "the bot")
    address, headers = f"{server}/api/v1/challenges/", {"Content-Type": "application/json"}
    row = _checked(server, call(address, token, json.dumps(said).encode(), headers))
    if wait:
        row = _checked(server, awaited(f"{address}{row['id']}/", token, row, _is_over, pause=PAUSE_SECONDS))
    return row


def _is_over(row: dict[str, Any]) -> bool:
    return row.get("state") == "over"


def _checked(server: str, row: dict[str, Any]) -> dict[str, Any]:
    if not {"id", "state", "matches", "done", "ahead", "shares"} <= row.keys():
        raise Refused(f"{server} answers, but not as an arena does; {REMEDY}")
    return row


def _print(row: dict[str, Any]) -> None:
    before = f", {row['ahead']} matches before it" if row["ahead"] else ""
    out.print(f"{row['state']}: challenge {row['id']}, {row['done']} of {row['matches']} matches{before}", markup=False)
    for line in row["shares"]:
        sure = f"{line['low']:.3f} to {line['high']:.3f}"
        out.print(f"{line['name']:<32} {line['share']:.3f}  ({sure})  {line['games']} matches", markup=False)
