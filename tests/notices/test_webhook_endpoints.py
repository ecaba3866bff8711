"""Webhook endpoints: disabling, enabling, secrets, replays and retention."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.utils import timezone
from standardwebhooks import Webhook, WebhookVerificationError

from foundation.celery_task_messages import count_messages
from notices import notice_retention, tasks
from notices.models import Notice, WebhookDelivery, WebhookEndpoint
from notices.public_events import KINDS
from notices.webhooks import webhook_deliveries, webhook_endpoints
from notices.webhooks.webhook_endpoints import DELIVERY_QUEUE, WebhookEndpointConflict
from tests.support.league_entries import open_league
from tests.support.receiver import Receiver, run_receiver
from tests.support.webhooks import create_person, create_webhook, deliver_all, make_retry_due

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _loopback(settings: Any) -> None:
    settings.WEBHOOK_PRIVATE = True


def sequences(receiver: Receiver, secret: str) -> list[int]:
    return [payload["sequence"] for payload in receiver.read(secret)]


@pytest.mark.slow
def test_a_webhook_endpoint_that_answers_410_is_disabled_and_its_owner_notified() -> None:
    with run_receiver() as receiver:
        receiver.status = 410
        endpoint = create_webhook(receiver.url)
        webhook_endpoints.send_test(endpoint.owner, endpoint.pk)
        deliver_all()
        endpoint.refresh_from_db()
        assert "gone for good (410)" in endpoint.disabled_why
        assert "410" in Notice.objects.get(person=endpoint.owner, kind="endpoint").text
        open_league()
        tasks.sweep()
        assert deliver_all() == 0
        receiver.status = 200
        webhook_endpoints.enable(endpoint.owner, endpoint.pk)
        deliver_all()
        assert sequences(receiver, endpoint.secret) == [1, 1], "what waited goes first, what was not for it never"


def test_a_webhook_endpoint_that_fails_for_a_day_is_disabled() -> None:
    endpoint = create_webhook("http://127.0.0.1:9/".replace(":9/", ":9999/"))
    webhook_endpoints.send_test(endpoint.owner, endpoint.pk)
    deliver_all()
    endpoint.refresh_from_db()
    assert (endpoint.failures, endpoint.disabled_at) == (1, None)
    assert WebhookDelivery.objects.get().reason == "cannot connect"
    make_retry_due(endpoint, failing_since=timezone.now() - timedelta(hours=23))
    deliver_all()
    endpoint.refresh_from_db()
    assert (endpoint.failures, endpoint.disabled_at) == (2, None)
    make_retry_due(endpoint, failing_since=timezone.now() - timedelta(days=1))
    deliver_all()
    endpoint.refresh_from_db()
    assert "for a day nothing arrived" in endpoint.disabled_why


def test_a_successful_delivery_restarts_the_failure_period_after_which_a_webhook_is_disabled() -> None:
    with run_receiver() as receiver:
        endpoint = create_webhook(receiver.url)
        for _ in range(2):
            webhook_endpoints.send_test(endpoint.owner, endpoint.pk)
        make_retry_due(endpoint, failures=9, failing_since=timezone.now() - webhook_deliveries.MAX_FAILING_TIME)
        receiver.after = lambda count: setattr(receiver, "status", 200 if count == 1 else 500)
        deliver_all()
    endpoint.refresh_from_db()
    assert (endpoint.failures, endpoint.disabled_at) == (1, None)
    assert endpoint.failing_since is not None
    assert endpoint.failing_since > timezone.now() - timedelta(minutes=1)


def test_pauses_between_webhook_retries_double_up_to_an_hour_with_jitter() -> None:
    longest = [max(webhook_deliveries.compute_retry_seconds(n) for _ in range(200)) for n in range(12)]
    assert longest[:10] == pytest.approx([5 * 2**n for n in range(10)], rel=0.05)
    assert longest[10:] == pytest.approx([3600, 3600], rel=0.05)
    assert max(longest) <= 3600
    assert len({webhook_deliveries.compute_retry_seconds(3) for _ in range(20)}) > 1


def test_a_redirect_of_a_webhook_endpoint_is_not_followed_and_counts_as_failure() -> None:
    with run_receiver() as receiver, run_receiver() as elsewhere:
        receiver.status, receiver.headers = 307, {"Location": elsewhere.url}
        endpoint = create_webhook(receiver.url)
        webhook_endpoints.send_test(endpoint.owner, endpoint.pk)
        deliver_all()
    assert (len(receiver.arrived), elsewhere.arrived) == (1, [])
    assert WebhookDelivery.objects.get().reason == "it answered 307"


def test_for_a_day_after_rotation_webhooks_are_signed_with_the_old_and_the_new_secret() -> None:
    with run_receiver() as receiver:
        endpoint = create_webhook(receiver.url)
        old = endpoint.secret
        rotated = webhook_endpoints.rotate(endpoint.owner, endpoint.pk)
        new = rotated.secret
        assert rotated.old_until
        assert timedelta(hours=23) < rotated.old_until - timezone.now() <= timedelta(days=1)
        webhook_endpoints.send_test(endpoint.owner, endpoint.pk)
        deliver_all()
        assert receiver.read(old) == receiver.read(new) != []
        WebhookEndpoint.objects.update(old_until=timezone.now())
        webhook_endpoints.send_test(endpoint.owner, endpoint.pk)
        deliver_all()
    headers, body = receiver.arrived[-1]
    assert Webhook(new).verify(body, headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(old).verify(body, headers)


def test_a_webhook_delivery_sent_again_on_request_keeps_its_id() -> None:
    with run_receiver() as receiver:
        endpoint = create_webhook(receiver.url)
        first = webhook_endpoints.send_test(endpoint.owner, endpoint.pk)
        webhook_endpoints.send_test(endpoint.owner, endpoint.pk)
        deliver_all()
        webhook_endpoints.replay(endpoint.owner, endpoint.pk, first.key)
        deliver_all()
    assert sequences(receiver, endpoint.secret) == [1, 2, 1]
    assert receiver.arrived[2][0]["webhook-id"] == receiver.arrived[0][0]["webhook-id"] == first.key


def test_at_most_two_webhook_deliveries_per_owner_run_at_once() -> None:
    ada, bob = create_person(), create_person("bob")
    rows = [create_webhook("http://127.0.0.1:9999/", ada) for _ in range(4)] + [
        create_webhook("http://127.0.0.1:9999/", bob)
    ]
    for row in rows:
        webhook_endpoints.send_test(row.owner, row.pk)
    now = timezone.now()
    claimed = [webhook_deliveries.lease_next(now) for _ in range(4)]
    assert [row.owner.username if row else None for row in claimed] == ["ada", "ada", "bob", None]


def test_a_webhook_for_an_unknown_kind_of_event_is_refused_with_the_known_kinds() -> None:
    with pytest.raises(
        WebhookEndpointConflict, match=f"'everything' is not a kind .*; the kinds are {', '.join(KINDS)}$"
    ):
        create_webhook("http://127.0.0.1:9999/", kinds=("everything", "league.ended"))


def test_a_test_message_is_refused_while_too_many_deliveries_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook_endpoints, "MAX_PENDING_DELIVERIES", 1)
    endpoint = create_webhook("http://127.0.0.1:9999/")
    webhook_endpoints.send_test(endpoint.owner, endpoint.pk)
    with pytest.raises(WebhookEndpointConflict, match="1 deliveries wait for this webhook"):
        webhook_endpoints.send_test(endpoint.owner, endpoint.pk)


def test_sending_a_webhook_delivery_enqueues_a_task_for_the_next_due_delivery() -> None:
    with run_receiver() as receiver:
        for endpoint in (create_webhook(receiver.url), create_webhook(receiver.url, create_person("bo"))):
            webhook_endpoints.send_test(endpoint.owner, endpoint.pk)
        with current_app.pool.acquire(block=True) as connection, connection.channel() as channel:
            channel.queue_purge(DELIVERY_QUEUE)
        assert tasks.carry()
        assert count_messages(DELIVERY_QUEUE) == 1
        assert tasks.carry()
        assert not tasks.carry()
        assert count_messages(DELIVERY_QUEUE) == 1


def test_old_webhook_deliveries_are_deleted_unless_they_are_still_waiting_to_be_sent() -> None:
    endpoint = create_webhook("http://127.0.0.1:9999/")
    for _ in range(3):
        webhook_endpoints.send_test(endpoint.owner, endpoint.pk)
    now = timezone.now()
    WebhookDelivery.objects.filter(sequence__lte=2).update(at=now - timedelta(days=15))
    WebhookDelivery.objects.filter(sequence=3).update(at=now - timedelta(days=13))
    WebhookDelivery.objects.filter(sequence__in=(1, 3)).update(status="arrived")
    assert tasks.forget() == 1
    assert notice_retention.delete_expired(timezone.now()) == 0
    assert list(WebhookDelivery.objects.order_by("sequence").values_list("sequence", flat=True)) == [2, 3]
