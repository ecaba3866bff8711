"""Binding and preparing of statements at the server, and the fallback for very many parameters."""

from __future__ import annotations

import pytest
from django.db import connection

from deploy.config.database import MAX_BOUND_PARAMETERS
from replays.models import EventStream

pytestmark = pytest.mark.django_db


def test_repeated_queries_use_prepared_statements() -> None:
    for number in range(8):
        EventStream.objects.filter(length=number).first()
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        prepared = [text for (text,) in cursor.fetchall()]
    assert any('"replays_stream"."length" = $1' in text for text in prepared)


@pytest.mark.slow
def test_a_query_can_write_and_read_more_rows_than_one_sql_statement_may_have_parameters() -> None:
    many = MAX_BOUND_PARAMETERS + 2
    EventStream.objects.bulk_create(EventStream(pk=f"100 % of {number}", head=b"%s") for number in range(many))
    keys = [*EventStream.objects.values_list("pk", flat=True)]
    assert len(keys) == many
    assert EventStream.objects.filter(pk__in=keys, head=b"%s").count() == many
