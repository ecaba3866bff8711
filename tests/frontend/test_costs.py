"""No page reads more because more has happened: what the database looks at for each of them is counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bots.models import Bot
from replays.models import MatchSeat
from tests.support.addresses import addresses, filled
from tests.support.bench.archive import BOTS, GAME, grow_archive

pytestmark = pytest.mark.django_db(transaction=True)

STORED = 15_000
"""Matches, with four seats each."""
MOST = 7_500
"""Rows of one table that a statement may look at: half of the matches, an eighth of the seats."""
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


def paths() -> list[str]:
    """Return each address of the site with what is stored, and the searches that a page links to."""
    seat = MatchSeat.objects.select_related("version__bot").order_by("-match_id")[0]
    known = {"match": seat.match_id, "ada": seat.version}
    found = {
        filled(path, known).replace("/pig/", f"/{GAME}/").replace("/ada/", f"/b{BOTS - 1}/") for path in addresses()
    }
    asked = ("game=for_the_king", f"bot=b{BOTS - 1}", f"bot=b1&opponent=b{BOTS - 1}", f"bot=b{BOTS - 1}&result=won")
    return sorted(found) + [f"/search/?{words}" for words in asked]


def test_no_page_looks_at_more_rows_because_more_has_been_played(admin_client: Client) -> None:
    grow_archive(STORED)
    all_of_them = "SELECT count(*) FROM replays_matchseat WHERE place = 1"
    assert [rows for _, rows in looked_at(all_of_them)] == [4 * STORED], "one that looks at all is found"
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
    assert not found
