"""No page reads more because more has happened: what the database looks at for each of them is counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, product
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from bots.models import Bot
from foundation.words import Pages, words_of
from replays.models import Match, MatchSeat
from tests.support.addresses import addresses, filled
from tests.support.bench.archive import BOTS, GAME, grow_archive
from tests.support.factories import active_version

pytestmark = pytest.mark.django_db(transaction=True)

STORED = 15_000
"""Matches, with four seats each."""
MOST = 7_500
"""Rows of one table that a statement may look at: half of the matches, an eighth of the seats."""
FEW = 500
"""Seats that a page of a bot's matches may take: those of its matches, and of who else sat there."""
GROWING = ("replays_", "tournaments_ratedseat", "tournaments_bout", "tournaments_tournamentmatch")


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


def looked_at(statement: str) -> Iterator[tuple[str, int]]:
    """Yield the tables that grow and how many of their rows a statement looks at, in each step."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}")
        (answer,) = cursor.fetchone()
    for node in nodes((json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"]):
        if node.get("Relation Name", "").startswith(GROWING):
            dropped = sum(node.get(f"Rows Removed by {why}", 0) for why in ("Filter", "Index Recheck"))
            yield node["Relation Name"], int((node["Actual Rows"] + dropped) * node["Actual Loops"])


def statements_of(client: Client, path: str) -> list[str]:
    cache.clear()
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(path)
    assert answer.status_code < 500, path
    found = [query["sql"] for query in asked.captured_queries]
    return [sql for sql in found if sql.lstrip().upper().startswith("SELECT") and "FOR UPDATE" not in sql]


SOUGHT = {
    "game": (GAME, "pig"),
    "status": ("closed", "void"),
    "bot": (f"b{BOTS - 1}", "idle", "retired"),
    "slug": ("night",),
}
"""What each word of a list of the API is asked with: what is everywhere, and what is nowhere."""


def searches(path: str) -> Iterator[str]:
    """Yield the ways to ask a list of the API for less than all, each word by itself and all of them together."""
    view = resolve(path).func
    asked = words_of(view, RequestFactory().get(path))
    if path.startswith("/api/") and Pages.cursor_query_param in asked:
        sought = [word for word in asked if word not in {Pages.cursor_query_param, Pages.page_size_query_param}]
        each = [[f"{word}={value}" for value in SOUGHT[word]] for word in sought]
        yield from (f"{path}?{words}" for words in chain(*each))
        yield from (f"{path}?{'&'.join(words)}" for words in product(*each) if len(words) > 1)


def paths() -> list[str]:
    """Return each address of the site with what is stored, and the searches that a page links to."""
    seat = MatchSeat.objects.select_related("version__bot").order_by("-match_id")[0]
    known = {"match": seat.match_id, "ada": seat.version}
    found = {
        filled(path, known).replace("/pig/", f"/{GAME}/").replace("/ada/", f"/b{BOTS - 1}/") for path in addresses()
    }
    asked = (
        "game=for_the_king",
        f"bot=b{BOTS - 1}",
        f"bot=b1&opponent=b{BOTS - 1}",
        f"bot=b{BOTS - 1}&result=won",
        "bot=idle",
        "bot=retired",
        "bot=b1&opponent=idle",
    )
    lists = [search for path in sorted(found) for search in searches(path)]
    assert f"/api/v1/matches/?bot=b{BOTS - 1}" in lists
    return sorted(found) + lists + [f"/search/?{words}" for words in asked]


def seats_looked_at(path: str) -> list[int]:
    """Return how many seats each step of a list's statements looks at."""
    found = [row for statement in statements_of(Client(), path) for row in looked_at(statement)]
    return [rows for table, rows in found if table == "replays_matchseat"]


def _retire(matches: int) -> None:
    """Let a bot have played the oldest matches, and none since."""
    version = active_version(slug="retired", game=GAME)
    oldest = Match.objects.order_by("pk").values("pk")[:matches]
    MatchSeat.objects.filter(match__in=oldest, seat=1).update(version=version, bot=version.bot)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE replays_matchseat")


@pytest.mark.slow
def test_no_page_looks_at_more_rows_because_more_has_been_played(admin_client: Client) -> None:
    grow_archive(STORED)
    all_of_them = "SELECT count(*) FROM replays_matchseat WHERE place = 1"
    assert [rows for _, rows in looked_at(all_of_them)] == [4 * STORED], "one that looks at all is found"
    active_version(slug="idle", game=GAME)
    _retire(STORED // 5)
    admin = User.objects.get(username="admin")
    Bot.objects.filter(slug=f"b{BOTS - 1}").update(owner=admin)
    found, seen = list[tuple[str | int, ...]](), set[str]()
    for client in (Client(), admin_client):
        for path in paths():
            for statement in statements_of(client, path):
                if statement in seen or not any(table in statement for table in GROWING):
                    continue
                seen.add(statement)
                found += [(path, *row, statement[:200]) for row in looked_at(statement) if row[1] > MOST]
    assert len(seen) > 50
    by_bot = [row for path in ("?bot=retired", "?bot=idle") for row in seats_looked_at(f"/api/v1/matches/{path}")]
    assert by_bot
    assert max(by_bot) <= FEW, "a bot's matches are walked along their index"
    assert not found
