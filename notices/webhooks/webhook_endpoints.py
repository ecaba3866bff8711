"""Operations on a person's own webhook endpoints: add, remove, test, replay, rotate the secret, enable."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from foundation.celery_task_messages import enqueue_task
from notices.models import WebhookDelivery, WebhookEndpoint
from notices.notice_preferences import NoticeContent, notify
from notices.public_events import KINDS, TEST_KIND
from notices.stored_message_translation import PlaceholderValues, render_in_english
from notices.webhook_url_validation import ForbiddenAddressError, check_url
from notices.webhooks.webhook_signatures import make_message_id, make_secret
from tournaments.leagues.entrant_queries import find_by_slug

MAX_ENDPOINTS_PER_PERSON = 5
MAX_PENDING_DELIVERIES = 10_000
"""Maximum number of pending deliveries per endpoint; above it the endpoint is disabled."""
OLD_SECRET_PERIOD = timedelta(days=1)
"""Period after a rotation in which messages are signed with both secrets."""
DELIVERY_QUEUE = "outside"
"""Celery queue for deliveries to external servers."""


class WebhookEndpointConflict(Exception):
    """Raised for invalid input, or if an endpoint's state does not allow the operation."""


def list_own(person: User) -> QuerySet[WebhookEndpoint]:
    """Return a person's endpoints, oldest first, with the number of pending deliveries as `waiting`."""
    waiting = Count("deliveries", filter=Q(deliveries__status=WebhookDelivery.Status.WAITING))
    rows = WebhookEndpoint.objects.filter(owner=person).select_related("league")
    return rows.annotate(waiting=waiting).order_by("pk")


@transaction.atomic
def add(person: User, url: str, kinds: Collection[str], league: str = "") -> WebhookEndpoint:
    """Add a webhook endpoint for some kinds of events.

    It receives the events of one league, or of all leagues if `league` is empty. Raises WebhookEndpointConflict or
    League.DoesNotExist.
    """
    _check_input(url, kinds)
    User.objects.select_for_update().get(pk=person.pk)
    if WebhookEndpoint.objects.filter(owner=person).count() >= MAX_ENDPOINTS_PER_PERSON:
        raise WebhookEndpointConflict(
            gettext("you have %(most)s webhooks, which is the most; remove one first")
            % {"most": MAX_ENDPOINTS_PER_PERSON}
        )
    league_row = find_by_slug(league) if league else None
    ordered = [kind for kind in KINDS if kind in kinds]
    return WebhookEndpoint.objects.create(owner=person, url=url, kinds=ordered, league=league_row, secret=make_secret())


def _check_input(url: str, kinds: Collection[str]) -> None:
    try:
        check_url(url, private=settings.WEBHOOK_PRIVATE)
    except ForbiddenAddressError as error:
        raise WebhookEndpointConflict(str(error)) from None
    if unknown_kinds := sorted(set(kinds) - KINDS.keys()):
        raise WebhookEndpointConflict(
            gettext("%(kind)r is not a kind of event; the kinds are %(kinds)s")
            % {"kind": unknown_kinds[0][:40], "kinds": ", ".join(KINDS)}
        )
    if not kinds:
        raise WebhookEndpointConflict(gettext("choose at least one kind of event"))


def remove(person: User, number: int) -> None:
    """Remove an endpoint and all its deliveries; raises WebhookEndpoint.DoesNotExist."""
    list_own(person).get(pk=number).delete()


@transaction.atomic
def rotate(person: User, number: int) -> WebhookEndpoint:
    """Replace an endpoint's signing secret. The old one stays valid for a day. Raises WebhookEndpoint.DoesNotExist."""
    endpoint = WebhookEndpoint.objects.select_for_update().get(owner=person, pk=number)
    endpoint.old_secret, endpoint.old_until, endpoint.secret = (
        endpoint.secret,
        timezone.now() + OLD_SECRET_PERIOD,
        make_secret(),
    )
    endpoint.save(update_fields=("secret", "old_secret", "old_until"))
    return endpoint


@transaction.atomic
def enable(person: User, number: int) -> WebhookEndpoint:
    """Enable a disabled endpoint. Its pending deliveries are sent before those of new events.

    Raises WebhookEndpoint.DoesNotExist.
    """
    endpoint = WebhookEndpoint.objects.select_for_update().get(owner=person, pk=number)
    endpoint.disabled_at = endpoint.failing_since = endpoint.next_at = None
    endpoint.disabled_why, endpoint.failures = "", 0
    endpoint.save(update_fields=("disabled_at", "failing_since", "next_at", "disabled_why", "failures"))
    enqueue_delivery_on_commit()
    return endpoint


@transaction.atomic
def send_test(person: User, number: int) -> WebhookDelivery:
    """Enqueue a test message to an endpoint; raises WebhookEndpoint.DoesNotExist or WebhookEndpointConflict."""
    endpoint = _lock_sendable(person, number)
    (delivery,) = enqueue(
        endpoint, [(TEST_KIND, timezone.now(), {"says": "If you can check this signature, you are done."})]
    )
    enqueue_delivery_on_commit()
    return delivery


@transaction.atomic
def replay(person: User, number: int, key: str) -> WebhookDelivery:
    """Enqueue a delivery again, with the same message id and sequence number.

    Raises WebhookEndpointConflict, WebhookEndpoint.DoesNotExist or WebhookDelivery.DoesNotExist.
    """
    endpoint = _lock_sendable(person, number)
    delivery = WebhookDelivery.objects.select_for_update().get(endpoint=endpoint, key=key)
    delivery.status = WebhookDelivery.Status.WAITING
    delivery.save(update_fields=("status",))
    enqueue_delivery_on_commit()
    return delivery


def _lock_sendable(person: User, number: int) -> WebhookEndpoint:
    endpoint = WebhookEndpoint.objects.select_for_update().get(owner=person, pk=number)
    if endpoint.disabled_at:
        raise WebhookEndpointConflict(gettext("this webhook is disabled; enable it first"))
    if endpoint.deliveries.filter(status=WebhookDelivery.Status.WAITING).count() >= MAX_PENDING_DELIVERIES:
        raise WebhookEndpointConflict(
            gettext("%(most)s deliveries wait for this webhook; let some arrive first")
            % {"most": MAX_PENDING_DELIVERIES}
        )
    return endpoint


def enqueue(
    endpoint: WebhookEndpoint, messages: Collection[tuple[str, datetime, Mapping[str, Any]]]
) -> list[WebhookDelivery]:
    """Store messages (kind, time, data) as pending deliveries of an endpoint. Return the new deliveries."""
    # The caller must hold a lock on the endpoint's row, so that sequence numbers are unique.
    created = [
        WebhookDelivery(
            endpoint=endpoint, sequence=endpoint.sequence + n, key=make_message_id(), kind=kind, told=dict(data), at=at
        )
        for n, (kind, at, data) in enumerate(messages, 1)
    ]
    endpoint.sequence += len(created)
    endpoint.save(update_fields=("sequence",))
    return WebhookDelivery.objects.bulk_create(created)


def disable(endpoint: WebhookEndpoint, reason: str, values: PlaceholderValues, now: datetime) -> None:
    """Disable an endpoint and notify its owner. The reason is a gettext message id."""
    english = render_in_english(reason, values)[:200]
    WebhookEndpoint.objects.filter(pk=endpoint.pk).update(disabled_at=now, disabled_why=english, held_until=None)
    link, pattern = reverse("webhook", args=[endpoint.pk]), gettext_noop("A webhook is disabled: %(why)s")
    notification = NoticeContent(
        kind="endpoint",
        key=f"{endpoint.pk} {now.isoformat()}",
        pattern=pattern,
        link=link,
        words={"why": (reason, values)},
    )
    notify([endpoint.owner_id], notification, now)


def enqueue_delivery_on_commit() -> None:
    """When the current transaction commits, enqueue the Celery task that sends webhook messages."""
    transaction.on_commit(lambda: enqueue_task("notices.carry", DELIVERY_QUEUE, queue=DELIVERY_QUEUE))


def find_own(person: User, number: int) -> WebhookEndpoint:
    """Return an endpoint by primary key. Raises WebhookEndpoint.DoesNotExist if the person owns no such endpoint."""
    return list_own(person).get(pk=number)


def list_deliveries(endpoint: WebhookEndpoint, limit: int) -> list[WebhookDelivery]:
    """Return the latest deliveries of an endpoint, newest first."""
    return list(endpoint.deliveries.order_by("-sequence")[:limit])
