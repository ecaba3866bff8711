"""Cost of a match: the statements in the database and the messages in the broker."""

from __future__ import annotations

import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext

from foundation.celery_task_messages import count_messages
from ftk_core.random_streams import seed_of
from replays.event_stream_storage import EventAppender
from replays.models import Match
from replays.playing.match_runner import play_match
from replays.services import MatchRequest, order_matches
from tests.support.factories import CLOCK, create_active_version, create_waiting_match

PAGE = "INSERT INTO replays_page"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_playing_a_match_takes_five_sql_statements_plus_one_per_log_page() -> None:
    taken = {}
    for seats in (2, 4, 2):  # the first one also opens the connection
        match = create_waiting_match([create_active_version() for _ in range(seats)], seed=f"of {seats}")
        with CaptureQueriesContext(connection) as asked:
            assert play_match(match.pk)
        statements = [query["sql"] for query in asked]
        pages = sum(PAGE in sql for sql in statements)
        assert pages == len(list(EventAppender(match.stream_id).pages())) >= 1
        taken[seats] = len(statements) - pages
    assert taken[2] == taken[4] == 5, statements


@pytest.mark.django_db(transaction=True)
def test_requesting_n_matches_enqueues_tasks_only_until_the_queue_contains_n_tasks() -> None:
    order = MatchRequest(
        game="pig", versions=[create_active_version(), create_active_version()], seed=seed_of("bells"), clock=CLOCK
    )
    with current_app.pool.acquire(block=True) as broker, broker.channel() as channel:
        channel.queue_purge(Match.Kind.LEAGUE)
    rung = []
    for matches in (3, 2, 5):
        order_matches([order] * matches)
        rung.append(count_messages(Match.Kind.LEAGUE))
    assert rung == [3, 3, 5]
