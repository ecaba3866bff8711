"""What a person does with endpoints: add, remove, try, replay, rotate. Every one is looked up among their own."""

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
"""Endpoints of one person."""
MOST_WAITING = 10_000
"""Deliveries of one endpoint; who lets more wait does not want them."""
BOTH = timedelta(days=1)
"""So long two signatures stand beside each other after a secret was rotated."""
QUEUE = "outside"
"""Of what waits for other people's servers."""


class NotSo(Exception):
    """Raised for what cannot be done with an endpoint; says why, and what to do instead."""


def own(person: User) -> QuerySet[Endpoint]:
    """Return a person's endpoints, oldest first, each with how many deliveries wait for it."""
    waiting = Count("deliveries", filter=Q(deliveries__status=Delivery.Status.WAITING))
    rows = Endpoint.objects.filter(owner=person).select_related("league")
    return rows.annotate(waiting=waiting).order_by("pk")


@transaction.atomic
def add(person: User, url: str, kinds: Collection[str], league: str = "") -> Endpoint:
    """Add an endpoint for some kinds of happenings, of one league or of all; raises NotSo, League.DoesNotExist."""
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
    """Remove an endpoint, and whatever waits for it; raises Endpoint.DoesNotExist."""
    own(person).get(pk=number).delete()


@transaction.atomic
def rotate(person: User, number: int) -> Endpoint:
    """Give an endpoint a new secret; for a day the old one signs beside it. Raises Endpoint.DoesNotExist."""
    row = Endpoint.objects.select_for_update().get(owner=person, pk=number)
    row.old_secret, row.old_until, row.secret = row.secret, timezone.now() + BOTH, new_secret()
    row.save(update_fields=("secret", "old_secret", "old_until"))
    return row


@transaction.atomic
def enable(person: User, number: int) -> Endpoint:
    """Let a disabled endpoint be told again, first what waited then; raises Endpoint.DoesNotExist."""
    row = Endpoint.objects.select_for_update().get(owner=person, pk=number)
    row.disabled_at = row.failing_since = row.next_at = None
    row.disabled_why, row.failures = "", 0
    row.save(update_fields=("disabled_at", "failing_since", "next_at", "disabled_why", "failures"))
    ring_after()
    return row


@transaction.atomic
def send_test(person: User, number: int) -> Delivery:
    """Send an endpoint a message of the kind ``webhook.test``; raises Endpoint.DoesNotExist or NotSo."""
    row = _sendable(person, number)
    (delivery,) = enqueue(row, [(TEST, timezone.now(), {"says": "If you can check this signature, you are done."})])
    ring_after()
    return delivery


@transaction.atomic
def replay(person: User, number: int, key: str) -> Delivery:
    """Send a delivery again, under the same id and sequence; raises DoesNotExist of either, or NotSo."""
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
    """Let messages (kind, when, data) wait for an endpoint, numbered on; it must be locked."""
    made = [
        Delivery(endpoint=row, sequence=row.sequence + n, key=new_key(), kind=kind, told=dict(data), at=at)
        for n, (kind, at, data) in enumerate(told, 1)
    ]
    row.sequence += len(made)
    row.save(update_fields=("sequence",))
    return Delivery.objects.bulk_create(made)


def disable(row: Endpoint, why: str, words: Words, now: datetime) -> None:
    """Tell an endpoint nothing more until its owner enables it, and tell the owner why: a pattern and its words."""
    english = say_in_english(why, words)[:200]
    Endpoint.objects.filter(pk=row.pk).update(disabled_at=now, disabled_why=english, held_until=None)
    link, said = reverse("webhook", args=[row.pk]), gettext_noop("A webhook is disabled: %(why)s")
    telling = Telling(
        kind="endpoint", key=f"{row.pk} {now.isoformat()}", pattern=said, link=link, words={"why": (why, words)}
    )
    notify([row.owner_id], telling, now)


def ring_after() -> None:
    """Ring for a courier once the transaction is through."""
    transaction.on_commit(lambda: ring("notices.carry", QUEUE, queue=QUEUE))


def find_own(person: User, number: int) -> Endpoint:
    """Return one of a person's endpoints; raises Endpoint.DoesNotExist."""
    return own(person).get(pk=number)


def list_deliveries(row: Endpoint, most: int) -> list[Delivery]:
    """Return the last deliveries of an endpoint, newest first."""
    return list(row.deliveries.order_by("-sequence")[:most])
