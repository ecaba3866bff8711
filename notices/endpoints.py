"""Commands on a person's webhook endpoints: add, remove, test, replay, rotate. Look-ups are limited to their own."""

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

from foundation.doorbell import ring
from notices.addresses import Forbidden, check_url
from notices.happenings import KINDS, TEST
from notices.models import Delivery, Endpoint
from notices.saying import Words, say_in_english
from notices.signing import new_key, new_secret
from notices.wishes import Telling, notify
from tournaments.entrants import find_by_slug

MOST_EACH = 5
"""Maximum number of endpoints per person."""
MOST_WAITING = 10_000
"""Maximum number of pending deliveries per endpoint; above it the endpoint is disabled."""
BOTH = timedelta(days=1)
"""Period after a rotation in which messages are signed with both secrets."""
QUEUE = "outside"
"""Celery queue for deliveries to external servers."""


class NotSo(Exception):
    """Raised if an endpoint's state does not allow an action; the message gives the reason and the remedy."""


def own(person: User) -> QuerySet[Endpoint]:
    """Return a person's endpoints, oldest first, each with its number of pending deliveries."""
    waiting = Count("deliveries", filter=Q(deliveries__status=Delivery.Status.WAITING))
    rows = Endpoint.objects.filter(owner=person).select_related("league")
    return rows.annotate(waiting=waiting).order_by("pk")


@transaction.atomic
def add(person: User, url: str, kinds: Collection[str], league: str = "") -> Endpoint:
    """Add an endpoint for kinds of events, of one league or of all; raises NotSo, League.DoesNotExist."""
    _check(url, kinds)
    User.objects.select_for_update().get(pk=person.pk)
    if Endpoint.objects.filter(owner=person).count() >= MOST_EACH:
        raise NotSo(gettext("you have %(most)s webhooks, which is the most; remove one first") % {"most": MOST_EACH})
    row = find_by_slug(league) if league else None
    ordered = [kind for kind in KINDS if kind in kinds]
    return Endpoint.objects.create(owner=person, url=url, kinds=ordered, league=row, secret=new_secret())


def _check(url: str, kinds: Collection[str]) -> None:
    try:
        check_url(url, private=settings.WEBHOOK_PRIVATE)
    except Forbidden as error:
        raise NotSo(str(error)) from None
    if strange := sorted(set(kinds) - KINDS.keys()):
        raise NotSo(
            gettext("%(kind)r is no kind of happening; there are %(kinds)s")
            % {"kind": strange[0][:40], "kinds": ", ".join(KINDS)}
        )
    if not kinds:
        raise NotSo(gettext("choose at least one kind of happening"))


def remove(person: User, number: int) -> None:
    """Remove an endpoint and its pending deliveries; raises Endpoint.DoesNotExist."""
    own(person).get(pk=number).delete()


@transaction.atomic
def rotate(person: User, number: int) -> Endpoint:
    """Create a new secret; for a day messages are signed with the old one, too. Raises Endpoint.DoesNotExist."""
    row = Endpoint.objects.select_for_update().get(owner=person, pk=number)
    row.old_secret, row.old_until, row.secret = row.secret, timezone.now() + BOTH, new_secret()
    row.save(update_fields=("secret", "old_secret", "old_until"))
    return row


@transaction.atomic
def enable(person: User, number: int) -> Endpoint:
    """Enable a disabled endpoint; its pending deliveries are sent first. Raises Endpoint.DoesNotExist."""
    row = Endpoint.objects.select_for_update().get(owner=person, pk=number)
    row.disabled_at = row.failing_since = row.next_at = None
    row.disabled_why, row.failures = "", 0
    row.save(update_fields=("disabled_at", "failing_since", "next_at", "disabled_why", "failures"))
    ring_after()
    return row


@transaction.atomic
def send_test(person: User, number: int) -> Delivery:
    """Enqueue a message of the kind ``webhook.test``; raises Endpoint.DoesNotExist or NotSo."""
    row = _sendable(person, number)
    (delivery,) = enqueue(row, [(TEST, timezone.now(), {"says": "If you can check this signature, you are done."})])
    ring_after()
    return delivery


@transaction.atomic
def replay(person: User, number: int, key: str) -> Delivery:
    """Enqueue a delivery again, with the same id and sequence; raises DoesNotExist of either, or NotSo."""
    row = _sendable(person, number)
    delivery = Delivery.objects.select_for_update().get(endpoint=row, key=key)
    delivery.status = Delivery.Status.WAITING
    delivery.save(update_fields=("status",))
    ring_after()
    return delivery


def _sendable(person: User, number: int) -> Endpoint:
    row = Endpoint.objects.select_for_update().get(owner=person, pk=number)
    if row.disabled_at:
        raise NotSo(gettext("this webhook is disabled; enable it first"))
    if row.deliveries.filter(status=Delivery.Status.WAITING).count() >= MOST_WAITING:
        raise NotSo(
            gettext("%(most)s deliveries wait for this webhook; let some arrive first") % {"most": MOST_WAITING}
        )
    return row


def enqueue(row: Endpoint, told: Collection[tuple[str, datetime, Mapping[str, Any]]]) -> list[Delivery]:
    """Store messages (kind, time, data) as pending deliveries with the next numbers; the endpoint must be locked."""
    made = [
        Delivery(endpoint=row, sequence=row.sequence + n, key=new_key(), kind=kind, told=dict(data), at=at)
        for n, (kind, at, data) in enumerate(told, 1)
    ]
    row.sequence += len(made)
    row.save(update_fields=("sequence",))
    return Delivery.objects.bulk_create(made)


def disable(row: Endpoint, why: str, words: Words, now: datetime) -> None:
    """Disable an endpoint until its owner enables it, and notify the owner; the reason is a pattern and its words."""
    english = say_in_english(why, words)[:200]
    Endpoint.objects.filter(pk=row.pk).update(disabled_at=now, disabled_why=english, held_until=None)
    link, said = reverse("webhook", args=[row.pk]), gettext_noop("A webhook is disabled: %(why)s")
    telling = Telling(
        kind="endpoint", key=f"{row.pk} {now.isoformat()}", pattern=said, link=link, words={"why": (why, words)}
    )
    notify([row.owner_id], telling, now)


def ring_after() -> None:
    """Enqueue the delivery task when the transaction commits."""
    transaction.on_commit(lambda: ring("notices.carry", QUEUE, queue=QUEUE))


def find_own(person: User, number: int) -> Endpoint:
    """Return one of a person's endpoints; raises Endpoint.DoesNotExist."""
    return own(person).get(pk=number)


def list_deliveries(row: Endpoint, most: int) -> list[Delivery]:
    """Return the last deliveries of an endpoint, newest first."""
    return list(row.deliveries.order_by("-sequence")[:most])
