"""Number of queries of each page: not more when more matches are live."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from replays.queries import read_points
from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.factories import create_active_version
from tests.support.live import LiveMatch

pytestmark = pytest.mark.django_db(transaction=True)
FEW, MANY = 2, 7


def statements(path: str) -> int:
    """Return the number of SQL statements of a page at its second request."""
    Client().get(path)
    cache.clear()
    with CaptureQueriesContext(connection) as asked:
        assert Client().get(path).status_code < 500, path
    return len(asked)


@pytest.mark.nightly
def test_no_page_runs_more_database_queries_when_more_matches_are_live() -> None:
    live = [LiveMatch() for _ in range(FEW)]
    for match in live:
        match.grow(20)
    known = {"match": live[0].match.pk, "ada": create_active_version(slug="ada")}
    paths = sorted({fill_url_pattern(path, known) for path in list_url_patterns() if "safety" not in path})
    few = {path: statements(path) for path in paths}
    for match in [LiveMatch() for _ in range(MANY - FEW)]:
        match.grow(20)
    many = {path: statements(path) for path in paths}
    assert {path: (few[path], many[path]) for path in paths if many[path] > few[path]} == {}
    assert few["/watch/"] < 25


def test_reading_the_points_of_several_live_matches_at_once_equals_reading_them_one_by_one() -> None:
    live = [LiveMatch() for _ in range(FEW)]
    for number, match in enumerate(live):
        match.grow(20 + number)
    ids = [match.match.pk for match in live]
    read_points(ids)
    for match in live:
        match.grow(15)
    points = read_points(ids, back=3)
    for match in live:
        alone = read_points([match.match.pk], back=3)
        assert points[match.match.pk] == alone[match.match.pk]
        assert len(alone[match.match.pk].now) == 2
