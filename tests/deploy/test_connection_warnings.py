"""Database connections that tests or their web servers leave open."""

from __future__ import annotations

import gc
import os
from urllib.request import urlopen

import psycopg
import pytest
from django.core.signals import request_finished
from django.db import close_old_connections

from tests.support.served import serve
from tests.support.waiting import wait_for


def test_the_warning_about_an_open_database_connection_names_the_test_that_opened_it() -> None:
    with (
        psycopg.connect(os.environ["DATABASE_URL"]) as opened,
        pytest.warns(ResourceWarning, match=r"(?s)opened by tests/deploy/test_connection_warnings\.py.*in test_the_w"),
    ):
        opened.__del__()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_web_server_closes_its_database_connections_while_a_test_client_sends_a_request() -> None:
    with serve() as arena:
        request_finished.disconnect(close_old_connections)  # as a test client does during its own request
        try:
            urlopen(f"{arena.address}/bots/", timeout=20).read()
            wait_for(lambda: not list_connections_of_request_threads(), describe_connections, 5)
        finally:
            request_finished.connect(close_old_connections)


def describe_connections() -> str:
    return f"the connections are closed, not {list_connections_of_request_threads()}"


def list_connections_of_request_threads() -> list[str]:
    """Return the threads that opened the database connections of this test's requests that are still open."""
    connections = [one for one in gc.get_objects() if issubclass(type(one), psycopg.Connection) and not one.closed]
    opened_by = [str(getattr(one, "opened_by", "")) for one in connections]
    test = os.environ["PYTEST_CURRENT_TEST"]
    return [opener for opener in opened_by if opener.startswith(test) and "ThreadPoolExecutor" in opener]
