"""Addresses of webhooks: each address of a host gets a share of the time, and the path is requested as given."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpcore
import pytest

from notices.webhook_url_validation import ForbiddenAddressError, check_address
from notices.webhooks.http_client import WebhookClient
from tests.support.receiver import run_receiver


def test_a_host_whose_first_address_does_not_answer_is_reached_at_its_second_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connect, waited = httpcore.SyncBackend.connect_tcp, []

    def connect_or_wait(backend: httpcore.SyncBackend, host: str, port: int, timeout: float, *more: object) -> object:
        waited.append(timeout)
        if host == "127.0.0.2":
            raise httpcore.ConnectTimeout
        return connect(backend, host, port, timeout, *more)

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect_or_wait)
    with run_receiver() as receiver:
        resolve = lambda _host, _port: ["127.0.0.2", "127.0.0.1"]  # noqa: E731 - one line says it
        with WebhookClient(private=True, resolve=resolve, seconds=8) as client:
            assert client.post(f"http://two.example:{receiver.port}/", {}, b"{}") == 200
    assert waited == [pytest.approx(4, abs=0.5), pytest.approx(8, abs=0.5)], (
        "the last address gets the rest of the time"
    )


def test_a_text_that_is_no_ip_address_is_refused_by_name() -> None:
    with pytest.raises(ForbiddenAddressError, match="'two' is no address"):
        check_address("two", private=True)


def test_path_parameters_and_the_brackets_of_an_ipv6_address_are_sent_as_given() -> None:
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("::1", 0), family=socket.AF_INET6))
        server.settimeout(10)
        port = server.getsockname()[1]
        client = stack.enter_context(WebhookClient(private=True, seconds=5))
        thread = ThreadPoolExecutor(1)
        stack.callback(thread.shutdown)
        request = thread.submit(answer_once, server)
        assert client.post(f"http://[::1]:{port}/hook;key=ab12?a=b", {}, b"{}") == 200
    assert request.result().startswith("POST /hook;key=ab12?a=b HTTP/1.1\r\n")
    assert f"\r\nHost: [::1]:{port}\r\n" in request.result()


def answer_once(server: socket.socket) -> str:
    """Accept a connection, answer 200, and return the request."""
    connection, _ = server.accept()
    with connection:
        received = ""
        while not received.endswith("{}"):
            received += connection.recv(65_536).decode()
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    return received
