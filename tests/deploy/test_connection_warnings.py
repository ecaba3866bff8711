"""Database connections that tests or their web servers leave open."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator
from typing import Any
from urllib.request import urlopen

import psycopg
import pytest
from asgiref.sync import sync_to_async
from django.core.signals import request_finished
from django.db import close_old_connections, connection
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path
from structlog.testing import capture_logs

from deploy.http.threaded_asgi_handler import ThreadedASGIHandler
from tests.support.served import serve
from tests.support.waiting import wait_for


def query_whole(_request: HttpRequest) -> HttpResponse:
    connection.ensure_connection()
    return HttpResponse("whole")


def query_in_parts(_request: HttpRequest) -> StreamingHttpResponse:
    def query() -> None:
        connection.ensure_connection()

    async def parts() -> AsyncIterator[str]:
        await sync_to_async(query)()
        yield "part"

    return StreamingHttpResponse(parts())


urlpatterns = [path("whole/", query_whole), path("parts/", query_in_parts)]


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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", ["/whole/", "/parts/"])
async def test_the_database_connection_of_a_request_is_closed_even_if_the_response_cannot_be_sent(
    settings: Any, address: str
) -> None:
    settings.ROOT_URLCONF = __name__
    scope = {
        "type": "http",
        "method": "GET",
        "path": address,
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
    }
    received = iter([{"type": "http.request", "body": b"", "more_body": False}])
    open_while_sending = list[str]()

    async def receive() -> Any:
        return next(received, None) or await asyncio.Future()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            open_while_sending.extend(list_connections_of_request_threads())
            raise RuntimeError("the transport is closed")

    with capture_logs() as logged:
        await ThreadedASGIHandler()({**scope, "client": ("127.0.0.1", 1), "http_version": "1.1"}, receive, send)
    assert "response_not_sent" in [entry["event"] for entry in logged]
    assert bool(open_while_sending) == (address == "/parts/")
    assert list_connections_of_request_threads() == []


def describe_connections() -> str:
    return f"the connections are closed, not {list_connections_of_request_threads()}"


def list_connections_of_request_threads() -> list[str]:
    """Return the threads that opened the database connections of this test's requests that are still open."""
    connections = [one for one in gc.get_objects() if issubclass(type(one), psycopg.Connection) and not one.closed]
    opened_by = [str(getattr(one, "opened_by", "")) for one in connections]
    test = os.environ["PYTEST_CURRENT_TEST"]
    return [opener for opener in opened_by if opener.startswith(test) and "ThreadPoolExecutor" in opener]
