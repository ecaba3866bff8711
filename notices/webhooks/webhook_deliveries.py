"""Delivery of webhooks by workers. A worker leases one endpoint and sends its messages in order."""
# No two workers lease the same endpoint at once. The limit of leases per person keeps slow endpoints from delaying
# other people's. After a worker's death its lease expires, and another worker repeats the message with the same id.

from __future__ import annotations

import json
import time
from collections import Counter
from datetime import datetime, timedelta
from secrets import SystemRandom

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from foundation.advisory_locks import WEBHOOKS_LOCK, lock_until_commit
from notices.models import WebhookDelivery, WebhookEndpoint
from notices.webhook_url_validation import Resolver, resolve_host
from notices.webhooks.http_client import GONE_CODE, SUCCESS_CODES, WebhookClient, WebhookDeliveryError
from notices.webhooks.webhook_endpoints import disable
from notices.webhooks.webhook_signatures import sign_headers

MAX_MESSAGES_PER_LEASE, MAX_LEASES_PER_PERSON = 100, 2
"""Maximum number of messages sent during one lease of an endpoint, and of concurrent leases per person."""
SENDING_SECONDS = 10.0
"""Seconds after the start of a lease until which a worker may start to send a message; the last may take longer."""
LEASE_DURATION = timedelta(seconds=90)
"""Duration of a lease: longer than sending its messages can take, including slow name resolution."""
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 5.0, 3600.0
"""Maximum seconds between the first two attempts to send, and between any two later attempts."""
MAX_FAILING_TIME = timedelta(days=1)
"""Time since the first failed attempt, without a success in between, after which an endpoint is disabled."""
USER_AGENT = "ftk-arena-webhooks"
random_source = SystemRandom()
log = structlog.get_logger(__name__)


def list_pending(endpoint: WebhookEndpoint) -> QuerySet[WebhookDelivery]:
    """Return the pending deliveries of an endpoint in the order of their sequence numbers."""
    return endpoint.deliveries.filter(status=WebhookDelivery.Status.WAITING).order_by("sequence")


def select_due(now: datetime) -> QuerySet[WebhookEndpoint]:
    """Return the enabled endpoints of active users that have pending deliveries, no lease, and no retry pause."""
    pending = WebhookDelivery.objects.filter(endpoint=OuterRef("pk"), status=WebhookDelivery.Status.WAITING)
    rows = WebhookEndpoint.objects.filter(Exists(pending), disabled_at=None, owner__is_active=True)
    unleased = Q(held_until=None) | Q(held_until__lte=now)
    return rows.filter(unleased, Q(next_at=None) | Q(next_at__lte=now))


@transaction.atomic
def lease_next(now: datetime) -> WebhookEndpoint | None:
    """Lease the endpoint that has waited longest. Return None if none can be leased."""
    # Endpoints whose owner has the maximum number of leases must wait.
    lock_until_commit(WEBHOOKS_LOCK)
    leases = Counter(WebhookEndpoint.objects.filter(held_until__gt=now).values_list("owner_id", flat=True))
    busy_owners = [owner for owner, count in leases.items() if count >= MAX_LEASES_PER_PERSON]
    rows = select_due(now).exclude(owner__in=busy_owners).order_by(F("tried_at").asc(nulls_first=True), "pk")
    endpoint = rows.first()
    if endpoint is not None:
        endpoint.held_until, endpoint.tried_at = now + LEASE_DURATION, now
        endpoint.save(update_fields=("held_until", "tried_at"))
    return endpoint


def run_next(now: datetime, resolve: Resolver = resolve_host) -> bool:
    """Lease an endpoint and send its pending deliveries. Return False if none can be leased."""
    endpoint = lease_next(now)
    if endpoint is None:
        return False
    with WebhookClient(private=settings.WEBHOOK_PRIVATE, resolve=resolve) as client:
        _send_pending(endpoint, client)
    return True


def _send_pending(endpoint: WebhookEndpoint, client: WebhookClient) -> None:
    ends = time.monotonic() + SENDING_SECONDS
    for delivery in list_pending(endpoint)[:MAX_MESSAGES_PER_LEASE]:
        leased = _reload_leased(endpoint)
        if leased is None:
            return
        if not _send(leased, delivery, client):
            _schedule_retry(leased, delivery)
            return
        if leased.failing_since is not None:
            _select_leased(endpoint).update(failures=0, failing_since=None)
        if time.monotonic() > ends:
            break
    _select_leased(endpoint).update(held_until=None, next_at=None)


def _select_leased(endpoint: WebhookEndpoint) -> QuerySet[WebhookEndpoint]:
    # Matches only while this worker's lease is stored, so that a worker without its lease cannot change the row.
    return WebhookEndpoint.objects.filter(pk=endpoint.pk, held_until=endpoint.held_until)


def _reload_leased(endpoint: WebhookEndpoint) -> WebhookEndpoint | None:
    """Reload an endpoint from the database; None if it is disabled or this worker's lease on it has ended."""
    leased = _select_leased(endpoint).filter(disabled_at=None)
    return leased.first() if endpoint.held_until and timezone.now() < endpoint.held_until else None


def _send(endpoint: WebhookEndpoint, delivery: WebhookDelivery, client: WebhookClient) -> bool:
    """Send one delivery and store the result; return True if the endpoint answered with a 2xx status."""
    delivery.tried_at, delivery.code, delivery.reason = timezone.now(), None, ""
    body = encode_body(delivery)
    secrets = [endpoint.secret]
    if endpoint.old_secret and endpoint.old_until and delivery.tried_at < endpoint.old_until:
        secrets.append(endpoint.old_secret)
    headers = sign_headers(delivery.key, int(delivery.tried_at.timestamp()), body, secrets)
    try:
        headers |= {"content-type": "application/json", "user-agent": USER_AGENT}
        delivery.code = client.post(endpoint.url, headers, body)
    except WebhookDeliveryError as error:
        delivery.reason = str(error)[:100]
    except Exception as error:  # an error in the arena's code is retried like a failure of the endpoint, for a day
        log.exception("delivery_failed", endpoint=endpoint.pk)
        delivery.reason = f"the arena failed ({type(error).__name__})"
    is_delivered = delivery.code in SUCCESS_CODES
    delivery.status = WebhookDelivery.Status.ARRIVED if is_delivered else WebhookDelivery.Status.WAITING
    if delivery.code is not None and not is_delivered:
        delivery.reason = f"it answered {delivery.code}"
    _store_result(delivery)
    return is_delivered


def _store_result(delivery: WebhookDelivery) -> None:
    fields = {name: getattr(delivery, name) for name in ("status", "tried_at", "code", "reason")}
    WebhookDelivery.objects.filter(pk=delivery.pk).update(tries=F("tries") + 1, **fields)


def encode_body(delivery: WebhookDelivery) -> bytes:
    """Return the JSON payload of a delivery, which is the same at every attempt."""
    envelope = {"type": delivery.kind, "timestamp": delivery.at.isoformat(), "sequence": delivery.sequence}
    return json.dumps(envelope | {"data": delivery.told}, ensure_ascii=False, separators=(",", ":")).encode()


def _schedule_retry(endpoint: WebhookEndpoint, delivery: WebhookDelivery) -> None:
    """Schedule the next attempt, or disable an endpoint after 410 Gone or a day of failures."""
    now = timezone.now()
    since = endpoint.failing_since or now
    if delivery.code == GONE_CODE:
        disable(endpoint, gettext_noop("%(url)s answered that it is gone for good (410)"), {"url": endpoint.url}, now)
    elif now - since >= MAX_FAILING_TIME:
        reason = gettext_noop("for a day nothing arrived at %(url)s; the last time %(reason)s")
        disable(endpoint, reason, {"url": endpoint.url, "reason": (delivery.reason, {})}, now)
    else:
        retry_fields = {
            "next_at": now + timedelta(seconds=compute_retry_seconds(endpoint.failures)),
            "failures": F("failures") + 1,
        }
        _select_leased(endpoint).update(held_until=None, failing_since=since, **retry_fields)


def compute_retry_seconds(failures: int) -> float:
    """Return the seconds until the next attempt, by exponential backoff with jitter.

    `failures` counts the failures before the present one. The delay is 5 s, doubled for each of them, but at most one
    hour. Jitter shortens it by up to half.

    >>> 2.5 <= compute_retry_seconds(0) <= 5, 1800 <= compute_retry_seconds(10_000) <= 3600
    (True, True)
    """
    return float(min(FIRST_RETRY_SECONDS * 2 ** min(failures, 30), MAX_RETRY_SECONDS) * random_source.uniform(0.5, 1))
