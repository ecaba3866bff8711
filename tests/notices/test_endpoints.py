"""What becomes of an endpoint: disabled, enabled, given a new secret; and of a delivery: tried, replayed, forgotten."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.utils import timezone
from standardwebhooks import Webhook, WebhookVerificationError

from notices import endpoints, errands, forgetting, tasks
from notices.models import Delivery, Endpoint, Notice
from tests.support.entering import opened
from tests.support.hooks import carry_all, hooked, later, somebody
from tests.support.receiver import Receiver, receiving

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _loopback(settings: Any) -> None:
    settings.WEBHOOK_PRIVATE = True


def sequences(receiver: Receiver, secret: str) -> list[int]:
    return [payload["sequence"] for payload in receiver.read(secret)]


def test_an_endpoint_that_answers_gone_is_disabled_at_once_and_its_owner_told() -> None:
    with receiving() as receiver:
        receiver.status = 410
        endpoint = hooked(receiver.url)
        endpoints.send_test(endpoint.owner, endpoint.pk)
        carry_all()
        endpoint.refresh_from_db()
        assert "gone for good (410)" in endpoint.disabled_why
        assert "410" in Notice.objects.get(person=endpoint.owner, kind="endpoint").text
        opened()
        tasks.sweep()
        assert carry_all() == 0
        receiver.status = 200
        endpoints.enable(endpoint.owner, endpoint.pk)
        carry_all()
        assert sequences(receiver, endpoint.secret) == [1, 1], "what waited goes first, what was not for it never"


def test_an_endpoint_at_which_nothing_arrives_for_a_day_is_disabled() -> None:
    endpoint = hooked("http://127.0.0.1:9/".replace(":9/", ":9999/"))
    endpoints.send_test(endpoint.owner, endpoint.pk)
    carry_all()
    endpoint.refresh_from_db()
    assert (endpoint.failures, endpoint.disabled_at) == (1, None)
    assert Delivery.objects.get().reason == "cannot connect"
    later(endpoint, failing_since=timezone.now() - errands.GIVE_UP)
    carry_all()
    endpoint.refresh_from_db()
    assert "for a day nothing arrived" in endpoint.disabled_why


def test_pauses_double_up_to_an_hour_and_are_not_the_same_for_all() -> None:
    longest = [max(errands.pause(n) for _ in range(200)) for n in range(12)]
    assert all(a < b for a, b in pairwise(longest[:10]))
    assert 3000 < longest[-1] <= 3600
    assert len({errands.pause(3) for _ in range(20)}) > 1


def test_a_redirect_is_no_arrival_and_is_not_followed() -> None:
    with receiving() as receiver, receiving() as elsewhere:
        receiver.status, receiver.headers = 307, {"Location": elsewhere.url}
        endpoint = hooked(receiver.url)
        endpoints.send_test(endpoint.owner, endpoint.pk)
        carry_all()
    assert (len(receiver.arrived), elsewhere.arrived) == (1, [])
    assert Delivery.objects.get().reason == "it answered 307"


def test_both_secrets_sign_for_a_day_after_one_was_rotated() -> None:
    with receiving() as receiver:
        endpoint = hooked(receiver.url)
        old = endpoint.secret
        new = endpoints.rotate(endpoint.owner, endpoint.pk).secret
        endpoints.send_test(endpoint.owner, endpoint.pk)
        carry_all()
        assert receiver.read(old) == receiver.read(new) != []
        Endpoint.objects.update(old_until=timezone.now())
        endpoints.send_test(endpoint.owner, endpoint.pk)
        carry_all()
    headers, body = receiver.arrived[-1]
    assert Webhook(new).verify(body, headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(old).verify(body, headers)


def test_a_replayed_delivery_arrives_again_under_its_own_id() -> None:
    with receiving() as receiver:
        endpoint = hooked(receiver.url)
        first = endpoints.send_test(endpoint.owner, endpoint.pk)
        endpoints.send_test(endpoint.owner, endpoint.pk)
        carry_all()
        endpoints.replay(endpoint.owner, endpoint.pk, first.key)
        carry_all()
    assert sequences(receiver, endpoint.secret) == [1, 2, 1]
    assert receiver.arrived[2][0]["webhook-id"] == receiver.arrived[0][0]["webhook-id"] == first.key


def test_of_one_person_two_workers_are_busy_at_most_and_who_waited_longest_is_next() -> None:
    ada, bob = somebody(), somebody("bob")
    rows = [hooked("http://127.0.0.1:9999/", ada) for _ in range(4)] + [hooked("http://127.0.0.1:9999/", bob)]
    for row in rows:
        endpoints.send_test(row.owner, row.pk)
    now = timezone.now()
    claimed = [errands.claim(now) for _ in range(4)]
    assert [row.owner.username if row else None for row in claimed] == ["ada", "ada", "bob", None]


def test_what_is_old_is_forgotten_and_what_waits_is_not() -> None:
    endpoint = hooked("http://127.0.0.1:9999/")
    for _ in range(2):
        endpoints.send_test(endpoint.owner, endpoint.pk)
    long_ago = timezone.now() - timedelta(days=15)
    Delivery.objects.update(at=long_ago)
    Delivery.objects.filter(sequence=1).update(status="arrived")
    assert tasks.forget() == 1
    assert forgetting.forget(timezone.now()) == 0
    assert Delivery.objects.get().sequence == 2
