"""Statements are bound and prepared at the server; those with more values than its protocol has room for are not."""

from __future__ import annotations

import pytest
from django.db import connection

from deploy.database import MOST_BOUND
from replays.models import Stream

pytestmark = pytest.mark.django_db


def test_what_is_asked_again_and_again_is_prepared_at_the_server() -> None:
    for number in range(8):
        Stream.objects.filter(length=number).first()
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        prepared = [text for (text,) in cursor.fetchall()]
    assert any('"replays_stream"."length" = $1' in text for text in prepared)


def test_more_rows_than_a_statement_has_parameters_are_written_and_read() -> None:
    many = MOST_BOUND + 2
    Stream.objects.bulk_create(Stream(pk=f"100 % of {number}", head=b"%s") for number in range(many))
    keys = [*Stream.objects.values_list("pk", flat=True)]
    assert len(keys) == many
    assert Stream.objects.filter(pk__in=keys, head=b"%s").count() == many
