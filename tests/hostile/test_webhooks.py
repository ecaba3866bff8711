"""A webhook reaches nothing but the public internet, costs a bounded time, and shows nobody what the other end said."""

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

from notices import endpoints, errands
from notices.addresses import Forbidden, check_url, is_public, resolved
from notices.courier import ANSWER_BYTES, Courier, Undelivered
from notices.models import Delivery, Endpoint
from tests.support.certificates import certificate_for
from tests.support.hooks import carry_all, hooked, later, somebody
from tests.support.receiver import dripping, receiving, serving_tls

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
def test_what_is_not_of_the_public_internet_is_refused(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", PUBLIC)
def test_what_is_of_the_public_internet_is_not(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ftp://bots.example/", "must begin with"),
        ("file:///etc/passwd", "must begin with"),
        ("gopher://bots.example/", "must begin with"),
        ("//bots.example/", "must begin with"),
        ("https:///hook", "names no host"),
        ("https://me:pw@bots.example/", "name or a password"),
        ("https://bots.example@10.0.0.1/", "name or a password"),
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
def test_an_address_that_no_webhook_can_have_is_refused_with_a_sentence(url: str, said: str) -> None:
    with pytest.raises(Forbidden, match=said):
        check_url(url, private=False)


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f.1", "0177.0.0.1", "localhost", "localhost."])
def test_a_number_written_otherwise_is_found_out_when_it_is_resolved(host: str) -> None:
    check_url(f"http://{host}/", private=False)
    with Courier(private=False) as courier, pytest.raises(Undelivered, match="no public address"):
        courier.carry(f"http://{host}/", {}, b"{}")


class Names:
    """A resolver that answers otherwise every time."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers, self.asked = iter(answers), 0

    def __call__(self, _host: str, _port: int) -> Sequence[str]:
        self.asked += 1
        return next(self._answers)


def test_the_connection_is_made_to_the_address_that_was_checked_and_the_name_is_asked_for_once() -> None:
    with receiving() as receiver:
        names = Names(["127.0.0.1"], ["10.0.0.1"])
        with Courier(private=True, resolve=names) as courier:
            url = f"http://rebinding.example:{receiver.port}/hook"
            assert [courier.carry(url, {}, b"{}") for _ in range(3)] == [200, 200, 200]
        assert names.asked == 1
        assert {headers["host"] for headers, _ in receiver.arrived} == {f"rebinding.example:{receiver.port}"}


def test_a_name_that_turns_inward_for_the_second_connection_is_refused_then() -> None:
    with receiving() as receiver:
        receiver.headers = {"Connection": "close"}
        inward = Names(["127.0.0.1"])
        with Courier(private=True, resolve=inward) as courier:
            assert courier.carry(f"http://rebinding.example:{receiver.port}/", {}, b"{}") == 200
        with (
            Courier(private=False, resolve=Names(["127.0.0.1"])) as courier,
            pytest.raises(Undelivered, match="no public"),
        ):
            courier.carry(f"http://rebinding.example:{receiver.port}/", {}, b"{}")
    assert len(receiver.arrived) == 1


def test_one_inner_address_among_public_ones_is_enough_to_refuse() -> None:
    with receiving() as receiver:
        mixed = Names(["8.8.8.8", "127.0.0.1"])
        with (
            Courier(private=False, resolve=mixed) as courier,
            pytest.raises(Undelivered, match="no public address"),
        ):
            courier.carry(f"http://mixed.example:{receiver.port}/", {}, b"{}")
    assert receiver.arrived == []


def test_a_certificate_is_asked_for_by_the_name_and_not_by_the_address(tmp_path: Path) -> None:
    good, wrong = certificate_for("hooks.example", tmp_path), certificate_for("other.example", tmp_path)
    for certificate, fine in ((good, True), (wrong, False)):
        trusted = ssl.create_default_context(cafile=certificate)
        with (
            serving_tls(certificate) as port,
            Courier(private=True, resolve=Names(["127.0.0.1"]), trust=trusted) as courier,
        ):
            url = f"https://hooks.example:{port}/"
            if fine:
                assert courier.carry(url, {}, b"{}") == 200
            else:
                with pytest.raises(Undelivered, match="no TLS connection with that name"):
                    courier.carry(url, {}, b"{}")


DRIPS = {
    "no answer": (b"", b""),
    "a head that never ends": (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "one letter of the head after the other": (b"", b"H"),
    "answers that are none": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}


@pytest.mark.parametrize("what", DRIPS)
def test_a_slow_answer_costs_a_bounded_time(what: str) -> None:
    head, drop = DRIPS[what]
    with dripping(head, drop, 0.05) as url, Courier(private=True, seconds=0.6) as courier:
        began = time.monotonic()
        with pytest.raises(Undelivered):
            courier.carry(url, {}, b"{}")
        assert time.monotonic() - began < 5, "it would go on for ever"


def test_a_body_that_never_ends_costs_a_bounded_time_and_the_answer_counts() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
    with dripping(head, b"x", 0.05) as url, Courier(private=True, seconds=0.6) as courier:
        assert courier.carry(url, {}, b"{}") == 200


def test_a_head_without_end_costs_bounded_memory() -> None:
    endless = b"HTTP/1.1 200 OK\r\nX: " + b"y" * 10 * ANSWER_BYTES
    too_long = pytest.raises(Undelivered, match="longer than")
    with dripping(endless, b"y", 0.05) as url, Courier(private=True) as courier, too_long:
        courier.carry(url, {}, b"{}")


@pytest.fixture
def _inner(settings: Any) -> None:
    settings.WEBHOOK_PRIVATE = True


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_inner")
def test_a_slow_end_of_somebody_holds_nobody_else_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errands, "ERRAND_SECONDS", 0.0)
    with receiving() as receiver, receiving() as slow:
        theirs, mine = hooked(slow.url, somebody("eve")), hooked(receiver.url, somebody("bob"))
        for row, count in ((theirs, 20), (mine, 3)):
            for _ in range(count):
                endpoints.send_test(row.owner, row.pk)
        for _ in range(6):
            errands.run_next(errands.timezone.now())
        assert (len(slow.arrived), len(receiver.arrived)) == (3, 3), "one message each, in turns"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_inner")
def test_what_the_other_end_says_is_kept_nowhere() -> None:
    with receiving() as receiver:
        receiver.status, receiver.headers = 500, {"X-Said": "sesame-of-inner-host"}
        row = hooked(receiver.url)
        endpoints.send_test(row.owner, row.pk)
        carry_all()
    kept = [str(value) for table in (Delivery, Endpoint) for values in table.objects.values_list() for value in values]
    assert not [value for value in kept if "sesame" in value]
    assert Delivery.objects.get().reason == "it answered 500"


@pytest.mark.django_db
def test_the_reason_of_a_delivery_is_the_same_for_every_inner_address_and_for_a_name_that_does_not_exist() -> None:
    row = hooked("https://vault.inner.example/hook")
    endpoints.send_test(row.owner, row.pk)
    reasons = set()
    for resolve in [*(Names([text]) for text in NOT_PUBLIC), Names(["8.8.8.8", "10.1.2.3"]), Names([])]:
        later(row)
        assert errands.run_next(timezone.now(), resolve)
        reasons.add(Delivery.objects.get().reason)
    assert reasons == {"the name vault.inner.example has no public address"}


@pytest.mark.django_db
def test_without_the_setting_a_webhook_for_an_inner_address_is_not_taken_and_one_that_is_there_not_served(
    settings: Any,
) -> None:
    with pytest.raises(endpoints.NotSo, match="no public address"):
        hooked("http://10.0.0.1/")
    settings.WEBHOOK_PRIVATE = True
    with receiving() as receiver:
        row = hooked(receiver.url, somebody("bob"))
        settings.WEBHOOK_PRIVATE = False
        endpoints.send_test(row.owner, row.pk)
        carry_all()
    assert receiver.arrived == []
    assert "no public address" in Delivery.objects.get().reason


def test_the_machines_own_names_are_resolved_as_the_machine_resolves_them() -> None:
    assert set(resolved("localhost", 80)) <= {"127.0.0.1", "::1"}
    with pytest.raises(socket.gaierror):
        resolved("nobody.invalid", 80)
