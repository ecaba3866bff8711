"""What a match asks the database for, and how: a league night is a million of them."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from bots.models import Bot
from replays.playing.runner import play_match
from replays.store import StreamLog
from tests.support.factories import active_version, waiting_match

PAGE = "INSERT INTO replays_page"


@pytest.mark.django_db(transaction=True)
def test_a_match_takes_eight_statements_and_its_pages_however_long_it_is_and_whoever_sits_there() -> None:
    taken = {}
    for seats in (2, 4, 2):  # the first one also begins the connection
        match = waiting_match([active_version() for _ in range(seats)], seed=f"of {seats}")
        with CaptureQueriesContext(connection) as asked:
            assert play_match(match.pk)
        statements = [query["sql"] for query in asked]
        pages = sum(PAGE in sql for sql in statements)
        assert pages == len(list(StreamLog(match.stream_id).pages())) >= 1
        taken[seats] = len(statements) - pages
    assert taken[2] == taken[4] <= 8, statements


@pytest.mark.django_db
def test_what_a_connection_asks_again_and_again_is_planned_once() -> None:
    for number in range(8):
        assert not Bot.objects.filter(slug=f"nobody{number}", game="pig").exists()
    with connection.cursor() as cursor:
        cursor.execute('SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE \'%%"bots_bot"."slug" = $%%\'')
        assert cursor.fetchone() == (1,)
