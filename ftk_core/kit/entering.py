"""Entry of a bot in a league, over a server's REST interface."""

from __future__ import annotations

import json
import re
from typing import Any

from ftk_core.kit.calls import REMEDY, Refused, call, check_server
from ftk_core.kit.upload import check_call

SLUG = re.compile(r"[-a-zA-Z0-9_]{1,60}")


def enter(server: str, token: str, league: str, bot: str, version: int | None, *, newest: bool) -> dict[str, Any]:
    """Enter a bot and return the server's answer; raises Refused.

    Without `version`, the newest active version enters. With `newest`, later versions replace it until the bot's
    first round is paired.
    """
    server = check_server(server)
    check_call(token, bot, "the bot")
    if not SLUG.fullmatch(league):
        raise Refused(f"{league[:60]!r} is no league: take what stands behind /leagues/ in its page's address")
    if version is not None and newest:
        raise Refused("say --version or --newest, but not both")
    said = {"bot": bot, "version": version, "newest": newest}
    body = json.dumps({key: value for key, value in said.items() if value is not None}).encode()
    answer = call(f"{server}/api/v1/leagues/{league}/entries/", token, body, {"Content-Type": "application/json"})
    if not {"entry", "name", "round"} <= answer.keys():
        raise Refused(f"{server} answers, but not as an arena does; {REMEDY}")
    return answer
