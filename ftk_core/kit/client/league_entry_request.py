"""Request that enters a bot in a league on a server."""

from __future__ import annotations

import json
import re
from gettext import gettext as _
from typing import Any

from ftk_core.kit.client.http_client import RequestError, build_unexpected_answer_error, check_server, request_json
from ftk_core.kit.client.upload import check_token_and_bot

LEAGUE_SLUG = re.compile(r"[-a-zA-Z0-9_]{1,60}")


def enter_league(
    server: str, token: str, league: str, bot: str, version: int | None, *, newest: bool
) -> dict[str, Any]:
    """Enter a bot in a league and return the server's answer. Raises RequestError.

    The answer is a dict with "entry" (number of the participant), "name" and "round" (the first to play). By default,
    the bot's newest active version enters. With `newest`, a version that is uploaded later replaces the entered one.
    """
    # Uploads after the pairing of the bot's first round no longer replace it.
    server = check_server(server)
    check_token_and_bot(token, bot, "the bot")
    if not LEAGUE_SLUG.fullmatch(league):
        raise RequestError(
            _("{league} is not the name of a league: use the part after /leagues/ in the address of its page").format(
                league=repr(league[:60])
            )
        )
    if version is not None and newest:
        raise RequestError(_("say --version or --newest, but not both"))
    fields = {"bot": bot, "version": version, "newest": newest}
    body = json.dumps({key: value for key, value in fields.items() if value is not None}).encode()
    answer = request_json(
        f"{server}/api/v1/leagues/{league}/entries/", token, body, {"Content-Type": "application/json"}
    )
    if not {"entry", "name", "round"} <= answer.keys():
        raise build_unexpected_answer_error(server)
    return answer
