"""Deletion of old notices, of old webhook deliveries, and of deliveries beyond a maximum number."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F, Q

from notices.models import Notice, WebhookDelivery

DELIVERY_RETENTION, NOTICE_RETENTION = timedelta(days=14), timedelta(days=90)
MAX_ARRIVED_PER_ENDPOINT = 20_000
"""Maximum number of delivered messages stored per endpoint."""


def delete_expired(now: datetime) -> int:
    """Delete old notices, old webhook deliveries and excess deliveries. Return the number of deleted rows."""
    # Pending deliveries are deleted only after their endpoint has been disabled for long.
    oldest = now - DELIVERY_RETENTION
    arrived = WebhookDelivery.objects.filter(status=WebhookDelivery.Status.ARRIVED)
    stale = WebhookDelivery.objects.filter(status=WebhookDelivery.Status.WAITING, endpoint__disabled_at__lt=oldest)
    rows = (
        arrived.filter(Q(tried_at__lt=oldest) | Q(tried_at=None, at__lt=oldest)),
        arrived.filter(sequence__lte=F("endpoint__sequence") - MAX_ARRIVED_PER_ENDPOINT),
        stale,
        Notice.objects.filter(at__lt=now - NOTICE_RETENTION),
    )
    return sum(each.delete()[0] for each in rows)
