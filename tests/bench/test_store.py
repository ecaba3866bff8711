"""Speed of storing a match durably."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection

from ftk_core.log_writer import MAX_PAGE_ENTRIES
from replays.event_stream_storage import EventAppender
from tools.bench.workload_speed_comparison import BenchmarkResult, compare_rates

ENTRIES = 500
LINE = b'{"kind":"chose","seq":100,"seat":1,"action":{"kind":"bid","amount":3},"excuse":null,"charged_us":512}\n'


@pytest.mark.django_db(transaction=True)
def test_the_time_to_store_a_match_log_in_pages_is_compared_with_a_single_sql_insert(
    figures: list[BenchmarkResult],
) -> None:
    def store() -> float:
        log = EventAppender(f"match/{uuid.uuid4().hex}")
        for start in range(0, ENTRIES, MAX_PAGE_ENTRIES):
            log.append([LINE] * min(MAX_PAGE_ENTRIES, ENTRIES - start), start)
        return 1.0

    with connection.cursor() as cursor:
        cursor.execute("SHOW fsync")
        assert cursor.fetchone() == ("on",), "run it by `make bench`, on a server that really writes"
        cursor.execute("CREATE TABLE IF NOT EXISTS bench_floor (id serial PRIMARY KEY, body bytea)")

    def bare() -> float:
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO bench_floor (body) VALUES (%s)", [LINE * ENTRIES])
        return 1.0

    figures.append(
        compare_rates(
            "a match of 500 entries stored, matches/s", store, "one bare INSERT of it", bare, ">= 100 (10 ms)"
        )
    )
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE bench_floor")
