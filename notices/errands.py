"""Delivery of webhooks: a worker leases one endpoint and sends its pending deliveries in order for a limited time.

An endpoint is leased to one worker at a time, and the endpoints of one person to at most two, so that a slow endpoint
delays only its owner's deliveries. If a worker dies, its lease expires, and the message in progress is sent again
with the same id.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from datetime import datetime, timedelta
from secrets import SystemRandom

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from notices.addresses import Resolve, resolved
from notices.courier import GONE, GOOD, SECONDS, Courier, Undelivered
from notices.endpoints import disable
from notices.models import Delivery, Endpoint
from notices.signing import signed_headers

AT_ONCE, EACH = 100, 2
"""Maximum number of messages per lease, and of concurrent leases per person."""
ERRAND_SECONDS = 10.0
"""Time of a lease after which no further message is begun."""
HELD = timedelta(seconds=90)
"""Duration of a lease: longer than all its messages can take, including slow name resolution."""
FIRST, LONGEST = 5.0, 3600.0
"""Seconds until the second attempt, and maximum seconds between attempts."""
GIVE_UP = timedelta(days=1)
"""An endpoint is disabled if no delivery has succeeded for this long."""
ONE_CHOOSES = 0x66746B03
"""Key of the advisory lock under which an endpoint is chosen."""
AGENT = "ftk-arena-webhooks"
chance = SystemRandom()
log = structlog.get_logger(__name__)


def waiting_of(endpoint: Endpoint) -> QuerySet[Delivery]:
    """Return the pending deliveries of an endpoint, in order."""
    return endpoint.deliveries.filter(status=Delivery.Status.WAITING).order_by("sequence")


def due(now: datetime) -> QuerySet[Endpoint]:
    """Return the endpoints without a lease that have pending deliveries and may be tried now."""
    waits = Delivery.objects.filter(endpoint=OuterRef("pk"), status=Delivery.Status.WAITING)
    rows = Endpoint.objects.filter(Exists(waits), disabled_at=None, owner__is_active=True)
    free = Q(held_until=None) | Q(held_until__lte=now)
    return rows.filter(free, Q(next_at=None) | Q(next_at__lte=now))


@transaction.atomic
def claim(now: datetime) -> Endpoint | None:
    """Lease the endpoint that has waited longest; None if there is none to lease."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ONE_CHOOSES])
    held = Counter(Endpoint.objects.filter(held_until__gt=now).values_list("owner_id", flat=True))
    busy = [owner for owner, count in held.items() if count >= EACH]
    rows = due(now).exclude(owner__in=busy).order_by(F("tried_at").asc(nulls_first=True), "pk")
    endpoint = rows.first()
    if endpoint is not None:
        endpoint.held_until, endpoint.tried_at = now + HELD, now
        endpoint.save(update_fields=("held_until", "tried_at"))
    return endpoint


def run_next(now: datetime, resolve: Resolve = resolved, seconds: float = SECONDS) -> bool:
    """Lease the next endpoint and send its deliveries; return False if there is none."""
    endpoint = claim(now)
    if endpoint is None:
        return False
    with Courier(private=settings.WEBHOOK_PRIVATE, resolve=resolve, seconds=seconds) as courier:
        _run(endpoint, courier)
    return True


def _run(endpoint: Endpoint, courier: Courier) -> None:
    ends = time.monotonic() + ERRAND_SECONDS
    for delivery in waiting_of(endpoint)[:AT_ONCE]:
        mine = _still_mine(endpoint)
        if mine is None:
            return
        if not _carried(mine, delivery, courier):
            _failed(mine, delivery)
            return
        if time.monotonic() > ends:
            break
    fine = {"held_until": None, "failures": 0, "failing_since": None, "next_at": None}
    Endpoint.objects.filter(pk=endpoint.pk, held_until=endpoint.held_until).update(**fine)


def _still_mine(endpoint: Endpoint) -> Endpoint | None:
    """Return the current row of a leased endpoint; None if it was removed or disabled, or if the lease is lost."""
    held = Endpoint.objects.filter(pk=endpoint.pk, held_until=endpoint.held_until, disabled_at=None)
    return held.first() if endpoint.held_until and timezone.now() < endpoint.held_until else None


def _carried(endpoint: Endpoint, delivery: Delivery, courier: Courier) -> bool:
    """Send one message and store the result; returns True on success."""
    delivery.tried_at, delivery.code, delivery.reason = timezone.now(), None, ""
    body = body_of(delivery)
    secrets = [endpoint.secret]
    if endpoint.old_secret and endpoint.old_until and delivery.tried_at < endpoint.old_until:
        secrets.append(endpoint.old_secret)
    headers = signed_headers(delivery.key, int(delivery.tried_at.timestamp()), body, secrets)
    try:
        headers |= {"content-type": "application/json", "user-agent": AGENT}
        delivery.code = courier.carry(endpoint.url, headers, body)
    except Undelivered as error:
        delivery.reason = str(error)[:100]
    except Exception as error:  # retried like any other failure; the endpoint is disabled after a day
        log.exception("delivery_failed", endpoint=endpoint.pk)
        delivery.reason = f"the arena failed ({type(error).__name__})"
    arrived = delivery.code in GOOD
    delivery.status = Delivery.Status.ARRIVED if arrived else Delivery.Status.WAITING
    if delivery.code is not None and not arrived:
        delivery.reason = f"it answered {delivery.code}"
    _write(delivery)
    return arrived


def _write(delivery: Delivery) -> None:
    fields = {name: getattr(delivery, name) for name in ("status", "tried_at", "code", "reason")}
    Delivery.objects.filter(pk=delivery.pk).update(tries=F("tries") + 1, **fields)


def body_of(delivery: Delivery) -> bytes:
    """Return a delivery's payload, the same bytes at every attempt."""
    told = {"type": delivery.kind, "timestamp": delivery.at.isoformat(), "sequence": delivery.sequence}
    return json.dumps(told | {"data": delivery.told}, ensure_ascii=False, separators=(",", ":")).encode()


def _failed(endpoint: Endpoint, delivery: Delivery) -> None:
    """Set the time of an endpoint's next attempt, or disable it."""
    now = timezone.now()
    since = endpoint.failing_since or now
    if delivery.code == GONE:
        disable(endpoint, gettext_noop("%(url)s answered that it is gone for good (410)"), {"url": endpoint.url}, now)
    elif now - since >= GIVE_UP:
        why = gettext_noop("for a day nothing arrived at %(url)s; the last time %(reason)s")
        disable(endpoint, why, {"url": endpoint.url, "reason": (delivery.reason, {})}, now)
    else:
        later = {"next_at": now + timedelta(seconds=pause(endpoint.failures)), "failures": F("failures") + 1}
        held = Endpoint.objects.filter(pk=endpoint.pk, held_until=endpoint.held_until)
        held.update(held_until=None, failing_since=since, **later)


def pause(failures: int) -> float:
    """Return the seconds to wait after a failed attempt: exponential backoff with jitter.

    >>> 2.5 <= pause(0) <= 5, 1800 <= pause(10_000) <= 3600
    (True, True)
    """
    return float(min(FIRST * 2 ** min(failures, 30), LONGEST) * chance.uniform(0.5, 1))
