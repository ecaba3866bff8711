"""`ftk challenge`: request matches of your bot against others from a server, and show the results."""

from __future__ import annotations

import json
from gettext import gettext as _
from typing import Annotated, Any

import typer

from ftk_core.kit.client.http_client import (
    RequestError,
    build_unexpected_answer_error,
    check_server,
    poll_until,
    request_json,
)
from ftk_core.kit.client.token_store import TokenStoreError
from ftk_core.kit.client.upload import check_token_and_bot
from ftk_core.kit.commands.login import LOCAL_SERVER, Shown, token_for
from ftk_core.kit.terminal_output import fail, out

PAUSE_SECONDS = 2.0
SCHEMA = "ftk.challenge/1"
challenges = typer.Typer()


@challenges.command()
def challenge(
    bot: Annotated[str, typer.Argument(help="Name of one of your bots; its newest active version plays.")],
    against: Annotated[str, typer.Option(help="Opponents: names of bots, separated by commas.")] = "",
    neighbours: Annotated[
        bool,
        typer.Option(
            "--neighbours", help="Instead of --against: the bots rated nearest to yours on the continuous ladder."
        ),
    ] = False,
    matches: Annotated[int, typer.Option(min=1, help="Number of matches.")] = 20,
    duplicate: Annotated[bool, typer.Option("--duplicate", help="Play each deal from every seat.")] = False,
    seed: Annotated[str, typer.Option(help="Seed of the deals; matches with a chosen seed are not rated.")] = "",
    wait: Annotated[bool, typer.Option("--wait", help="Wait until all matches have ended.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the server's answer as JSON.")] = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Request matches of one of your bots against others; matches of leagues get four times as many places."""
    names = [name.strip() for name in against.split(",") if name.strip()]
    request = {
        "bot": bot,
        "against": names,
        "neighbours": neighbours,
        "matches": matches,
        "duplicate": duplicate,
        "seed": seed,
    }
    if bool(names) == neighbours:
        fail(_("say --against or --neighbours, and not both"))
    try:
        server = check_server(server)
        shown = token_for(server, token)
        state = request_challenge(server, shown, request, wait=wait)
    except (RequestError, TokenStoreError) as error:
        fail(error)
    if as_json:
        typer.echo(json.dumps({"schema": SCHEMA, **state}))
    else:
        _print(state)


def request_challenge(server: str, token: str, request: dict[str, Any], *, wait: bool) -> dict[str, Any]:
    """Request matches of a bot against others, and return their state as a dict. Raises RequestError.

    With `wait`, first wait until all matches are over.
    """
    for name in (request["bot"], *request["against"]):
        check_token_and_bot(token, name, "the bot")
    address, headers = f"{server}/api/v1/challenges/", {"Content-Type": "application/json"}
    state = _check_state(server, request_json(address, token, json.dumps(request).encode(), headers))
    if wait:
        state = _check_state(
            server, poll_until(f"{address}{state['id']}/", token, state, _is_over, pause=PAUSE_SECONDS)
        )
    return state


def _is_over(state: dict[str, Any]) -> bool:
    return state.get("state") == "over"


def _check_state(server: str, state: dict[str, Any]) -> dict[str, Any]:
    if not {"id", "state", "matches", "done", "ahead", "shares"} <= state.keys():
        raise build_unexpected_answer_error(server)
    return state


def _print(state: dict[str, Any]) -> None:
    before = _(", {state} matches before it").format(state=state["ahead"]) if state["ahead"] else ""
    out.print(
        _("{state}: challenge {number}, {done} of {total} matches{queue}").format(
            state=state["state"], number=state["id"], done=state["done"], total=state["matches"], queue=before
        ),
    )
    for line in state["shares"]:
        sure = f"{line['low']:.3f} to {line['high']:.3f}"
        out.print(
            _("{name} {share}  ({interval})  {count} matches").format(
                name=format(line["name"], "<32"), share=format(line["share"], ".3f"), interval=sure, count=line["games"]
            ),
        )
