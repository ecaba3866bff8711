"""Attacks by webhooks: they reach only the public internet, take limited time, and reveal no response."""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from notices.models import WebhookDelivery, WebhookEndpoint
from notices.webhook_url_validation import ForbiddenAddressError, check_url, is_public, resolve_host
from notices.webhooks import webhook_deliveries, webhook_endpoints
from notices.webhooks.http_client import MAX_RESPONSE_BYTES, WebhookClient, WebhookDeliveryError
from tests.support.certificates import certificate_for
from tests.support.receiver import run_receiver, serve_slowly, serve_tls
from tests.support.webhooks import create_person, create_webhook, deliver_all, make_retry_due

NOT_PUBLIC = re.findall(
    r"\S+",
    """
    0.0.0.0 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254
    169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1
    198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1
    ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1
    2001::1 2001:10::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1
    fec0::1 ff02::1
    """,
)
PUBLIC = re.findall(
    r"\S+",
    """
    1.1.1.1 8.8.8.8 93.184.216.34 172.32.0.1 ::ffff:8.8.8.8 64:ff9b::808:808 2606:4700::1111 2a00:1450::1
    """,
)


@pytest.mark.parametrize("text", NOT_PUBLIC)
def test_private_addresses_are_refused_for_webhooks(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", PUBLIC)
def test_public_addresses_are_accepted_for_webhooks(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ftp://bots.example/", "must begin with"),
        ("file:///etc/passwd", "must begin with"),
        ("gopher://bots.example/", "must begin with"),
        ("//bots.example/", "must begin with"),
        ("https:///hook", "names no host"),
        ("https://me:pw@bots.example/", "user name or password"),
        ("https://bots.example@10.0.0.1/", "user name or password"),
        ("https://bots.example:22/", "port must be"),
        ("https://bots.example:1024/", "port must be"),
        ("https://bots.example:99999/", "cannot be read"),
        ("https://bots.example:x/", "cannot be read"),
        ("https://[::1/", "cannot be read"),
        ("https://bots.example/#x", "fragment"),
        ("https://bots.example/a b", "ASCII"),
        ("https://bots.example/\r\nX: y", "ASCII"),
        ("https://bots.example\\@10.0.0.1/", "ASCII"),
        ("https://bücher.example/", "xn--"),
        ("https://bots.example/" + "x" * 500, "at most 500"),
        ("http://127.0.0.1:8000/", "no public address"),
        ("http://[::ffff:127.0.0.1]/", "no public address"),
        ("http://169.254.169.254/latest/meta-data/", "no public address"),
    ],
)
def test_an_invalid_webhook_url_is_refused_with_a_reason(url: str, said: str) -> None:
    with pytest.raises(ForbiddenAddressError, match=said):
        check_url(url, private=False)


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f.1", "0177.0.0.1", "localhost", "localhost."])
def test_a_webhook_to_a_private_address_in_an_unusual_notation_is_refused_on_delivery(host: str) -> None:
    check_url(f"http://{host}/", private=False)
    with WebhookClient(private=False) as webhook_client, pytest.raises(WebhookDeliveryError, match="no public address"):
        webhook_client.post(f"http://{host}/", {}, b"{}")


class Names:
    """A resolver that gives another address each time."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers, self.asked = iter(answers), 0

    def __call__(self, _host: str, _port: int) -> Sequence[str]:
        self.asked += 1
        return next(self._answers)


def test_a_webhook_delivery_resolves_the_host_name_once_and_connects_to_the_checked_address() -> None:
    with run_receiver() as receiver:
        names = Names(["127.0.0.1"], ["10.0.0.1"])
        with WebhookClient(private=True, resolve=names) as webhook_client:
            url = f"http://rebinding.example:{receiver.port}/hook"
            assert [webhook_client.post(url, {}, b"{}") for _ in range(3)] == [200, 200, 200]
        assert names.asked == 1
        assert {headers["host"] for headers, _ in receiver.arrived} == {f"rebinding.example:{receiver.port}"}


def test_dns_rebinding_to_a_private_address_is_refused() -> None:
    with run_receiver() as receiver:
        receiver.headers = {"Connection": "close"}
        inward = Names(["127.0.0.1"])
        with WebhookClient(private=True, resolve=inward) as webhook_client:
            assert webhook_client.post(f"http://rebinding.example:{receiver.port}/", {}, b"{}") == 200
        with (
            WebhookClient(private=False, resolve=Names(["127.0.0.1"])) as webhook_client,
            pytest.raises(WebhookDeliveryError, match="no public"),
        ):
            webhook_client.post(f"http://rebinding.example:{receiver.port}/", {}, b"{}")
    assert len(receiver.arrived) == 1


def test_a_host_name_with_a_private_address_among_public_addresses_is_refused_for_webhooks() -> None:
    with run_receiver() as receiver:
        mixed = Names(["8.8.8.8", "127.0.0.1"])
        with (
            WebhookClient(private=False, resolve=mixed) as webhook_client,
            pytest.raises(WebhookDeliveryError, match="no public address"),
        ):
            webhook_client.post(f"http://mixed.example:{receiver.port}/", {}, b"{}")
    assert receiver.arrived == []


def test_the_tls_certificate_of_a_webhook_endpoint_is_checked_against_its_host_name(tmp_path: Path) -> None:
    good, wrong = certificate_for("hooks.example", tmp_path), certificate_for("other.example", tmp_path)
    for certificate, fine in ((good, True), (wrong, False)):
        trusted = ssl.create_default_context(cafile=certificate)
        with (
            serve_tls(certificate) as port,
            WebhookClient(private=True, resolve=Names(["127.0.0.1"]), trust=trusted) as webhook_client,
        ):
            url = f"https://hooks.example:{port}/"
            if fine:
                assert webhook_client.post(url, {}, b"{}") == 200
            else:
                with pytest.raises(WebhookDeliveryError, match="no TLS connection with that name"):
                    webhook_client.post(url, {}, b"{}")


DRIPS = {
    "no answer": (b"", b""),
    "a head that never ends": (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "one letter of the head after the other": (b"", b"H"),
    "answers that are none": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}


@pytest.mark.parametrize("what", DRIPS)
def test_a_slow_response_of_a_webhook_endpoint_is_aborted_after_a_time_limit(what: str) -> None:
    head, drop = DRIPS[what]
    with serve_slowly(head, drop, 0.05) as url, WebhookClient(private=True, seconds=0.6) as webhook_client:
        began = time.monotonic()
        with pytest.raises(WebhookDeliveryError):
            webhook_client.post(url, {}, b"{}")
        assert time.monotonic() - began < 5, "it would go on for ever"


def test_an_endless_response_of_a_webhook_endpoint_is_aborted_and_counts_as_delivered() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
    with serve_slowly(head, b"x", 0.05) as url, WebhookClient(private=True, seconds=0.6) as webhook_client:
        assert webhook_client.post(url, {}, b"{}") == 200


def test_endless_response_headers_of_a_webhook_endpoint_take_limited_memory() -> None:
    endless = b"HTTP/1.1 200 OK\r\nX: " + b"y" * 10 * MAX_RESPONSE_BYTES
    too_long = pytest.raises(WebhookDeliveryError, match="longer than")
    with serve_slowly(endless, b"y", 0.05) as url, WebhookClient(private=True) as webhook_client, too_long:
        webhook_client.post(url, {}, b"{}")


@pytest.fixture
def _inner(settings: Any) -> None:
    settings.WEBHOOK_PRIVATE = True


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_inner")
def test_a_slow_webhook_endpoint_does_not_delay_webhooks_of_other_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook_deliveries, "SENDING_SECONDS", 0.0)
    with run_receiver() as receiver, run_receiver() as slow:
        theirs, mine = (
            create_webhook(slow.url, create_person("eve")),
            create_webhook(receiver.url, create_person("bob")),
        )
        for row, count in ((theirs, 20), (mine, 3)):
            for _ in range(count):
                webhook_endpoints.send_test(row.owner, row.pk)
        for _ in range(6):
            webhook_deliveries.run_next(webhook_deliveries.timezone.now())
        assert (len(slow.arrived), len(receiver.arrived)) == (3, 3), "one message each, in turns"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_inner")
def test_neither_the_body_nor_the_headers_of_a_response_of_a_webhook_endpoint_are_stored() -> None:
    with run_receiver() as receiver:
        receiver.status, receiver.body, receiver.headers = 500, b"sesame of the body", {"X-Said": "sesame-of-a-header"}
        row = create_webhook(receiver.url)
        webhook_endpoints.send_test(row.owner, row.pk)
        deliver_all()
    rows = [*WebhookDelivery.objects.values_list(), *WebhookEndpoint.objects.values_list()]
    assert not [value for values in rows for value in values if "sesame" in str(value)]
    assert WebhookDelivery.objects.get().reason == "it answered 500"


@pytest.mark.django_db
def test_the_reported_delivery_failure_is_the_same_for_private_addresses_and_unknown_host_names() -> None:
    row = create_webhook("https://vault.inner.example/hook")
    webhook_endpoints.send_test(row.owner, row.pk)
    reasons = set()
    for resolve in [*(Names([text]) for text in NOT_PUBLIC), Names(["8.8.8.8", "10.1.2.3"]), Names([])]:
        make_retry_due(row)
        assert webhook_deliveries.run_next(timezone.now(), resolve)
        reasons.add(WebhookDelivery.objects.get().reason)
    assert reasons == {"the name vault.inner.example has no public address"}


@pytest.mark.django_db
def test_webhooks_to_private_addresses_are_sent_only_if_a_server_setting_permits_them(settings: Any) -> None:
    with pytest.raises(webhook_endpoints.WebhookEndpointConflict, match="no public address"):
        create_webhook("http://10.0.0.1/")
    settings.WEBHOOK_PRIVATE = True
    with run_receiver() as receiver:
        row = create_webhook(receiver.url, create_person("bob"))
        settings.WEBHOOK_PRIVATE = False
        webhook_endpoints.send_test(row.owner, row.pk)
        deliver_all()
    assert receiver.arrived == []
    assert "no public address" in WebhookDelivery.objects.get().reason


def test_webhook_host_names_are_resolved_by_the_system_resolver() -> None:
    assert set(resolve_host("localhost", 80)) <= {"127.0.0.1", "::1"}
    with pytest.raises(socket.gaierror):
        resolve_host("nobody.invalid", 80)
