"""Rows read by each page, from PostgreSQL's query plans: not more when more matches were played."""

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
from foundation.query_parameters import StrictCursorPagination, parameters_of
from replays.models import Match, MatchSeat
from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.factories import create_active_version
from tools.bench.match_database_filler import BOTS, GAME, grow_archive

pytestmark = pytest.mark.django_db(transaction=True)

STORED = 15_000
"""Matches, with four seats each."""
MOST = 7_500
"""Maximum rows of one table that a statement may read: half of the matches, an eighth of the seats."""
FEW = 500
"""Maximum seats that a page of a bot's matches may read: its own and those of its opponents."""
GROWING = ("replays_", "tournaments_ratedseat", "tournaments_bout", "tournaments_tournamentmatch")


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


def count_rows_read(statement: str) -> Iterator[tuple[str, int]]:
    """Yield (growing table, number of rows read) for each step of a query plan."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}")
        (answer,) = cursor.fetchone()
    for node in nodes((json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"]):
        if node.get("Relation Name", "").startswith(GROWING):
            dropped = sum(node.get(f"Rows Removed by {why}", 0) for why in ("Filter", "Index Recheck"))
            yield node["Relation Name"], int((node["Actual Rows"] + dropped) * node["Actual Loops"])


def list_statements(client: Client, path: str) -> list[str]:
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
    "season": ("",),
    "author": ("admin", "nobody"),
    "language": ("python", "zig"),
}
"""Values of each query parameter of an API list: one that occurs everywhere, and one that occurs nowhere."""


def searches(path: str) -> Iterator[str]:
    """Yield query strings for a list of the API: each filter alone, and all together."""
    view = resolve(path).func
    asked = parameters_of(view, RequestFactory().get(path))
    if path.startswith("/api/") and StrictCursorPagination.cursor_query_param in asked:
        sought = [
            word
            for word in asked
            if word not in {StrictCursorPagination.cursor_query_param, StrictCursorPagination.page_size_query_param}
        ]
        each = [[f"{word}={value}" for value in SOUGHT[word]] for word in sought]
        yield from (f"{path}?{words}" for words in chain(*each))
        yield from (f"{path}?{'&'.join(words)}" for words in product(*each) if len(words) > 1)


def paths() -> list[str]:
    """Return every URL of the site for the stored objects, and the searches to which pages link."""
    seat = MatchSeat.objects.select_related("version__bot").order_by("-match_id")[0]
    known = {"match": seat.match_id, "ada": seat.version}
    found = {
        fill_url_pattern(path, known).replace("/pig/", f"/{GAME}/").replace("/ada/", f"/b{BOTS - 1}/")
        for path in list_url_patterns()
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


def count_seats_read(path: str) -> list[int]:
    """Return the number of match seats that each step of a list's queries reads."""
    found = [row for statement in list_statements(Client(), path) for row in count_rows_read(statement)]
    return [rows for table, rows in found if table == "replays_matchseat"]


def _retire(matches: int) -> None:
    """Leave only the oldest matches to a bot."""
    version = create_active_version(slug="retired", game=GAME)
    oldest = Match.objects.order_by("pk").values("pk")[:matches]
    MatchSeat.objects.filter(match__in=oldest, seat=1).update(version=version, bot=version.bot)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE replays_matchseat")


@pytest.mark.nightly
def test_no_page_scans_more_database_rows_when_more_matches_are_stored(admin_client: Client) -> None:
    grow_archive(STORED)
    all_of_them = "SELECT count(*) FROM replays_matchseat WHERE place = 1"
    assert [rows for _, rows in count_rows_read(all_of_them)] == [4 * STORED], "one that looks at all is found"
    create_active_version(slug="idle", game=GAME)
    _retire(STORED // 5)
    admin = User.objects.get(username="admin")
    Bot.objects.filter(slug=f"b{BOTS - 1}").update(owner=admin)
    found, seen = list[tuple[str | int, ...]](), set[str]()
    for client in (Client(), admin_client):
        for path in paths():
            for statement in list_statements(client, path):
                if statement in seen or not any(table in statement for table in GROWING):
                    continue
                seen.add(statement)
                found += [(path, *row, statement[:200]) for row in count_rows_read(statement) if row[1] > MOST]
    assert len(seen) > 50
    by_bot = [row for path in ("?bot=retired", "?bot=idle") for row in count_seats_read(f"/api/v1/matches/{path}")]
    assert by_bot
    assert max(by_bot) <= FEW, "a bot's matches are walked along their index"
    assert not found
