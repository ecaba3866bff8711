"""What a match asks the database and the broker for: a league night is a million of them."""

from __future__ import annotations

import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext

from foundation.doorbell import bells
from ftk_core.rng import seed_of
from replays.models import Match
from replays.playing.runner import play_match
from replays.services import Order, order_matches
from replays.store import StreamLog
from tests.support.factories import CLOCK, active_version, waiting_match

PAGE = "INSERT INTO replays_page"


@pytest.mark.django_db(transaction=True)
def test_a_match_takes_five_statements_and_its_pages_however_long_it_is_and_whoever_sits_there() -> None:
    taken = {}
    for seats in (2, 4, 2):  # the first one also begins the connection
        match = waiting_match([active_version() for _ in range(seats)], seed=f"of {seats}")
        with CaptureQueriesContext(connection) as asked:
            assert play_match(match.pk)
        statements = [query["sql"] for query in asked]
        pages = sum(PAGE in sql for sql in statements)
        assert pages == len(list(StreamLog(match.stream_id).pages())) >= 1
        taken[seats] = len(statements) - pages
    assert taken[2] == taken[4] == 5, statements


@pytest.mark.django_db(transaction=True)
def test_a_round_rings_only_for_the_matches_that_no_bell_waits_for_yet() -> None:
    order = Order(game="pig", versions=[active_version(), active_version()], seed=seed_of("bells"), clock=CLOCK)
    with current_app.pool.acquire(block=True) as broker, broker.channel() as channel:
        channel.queue_purge(Match.Kind.LEAGUE)
    rung = []
    for matches in (3, 2, 5):
        order_matches([order] * matches)
        rung.append(bells(Match.Kind.LEAGUE))
    assert rung == [3, 3, 5]
