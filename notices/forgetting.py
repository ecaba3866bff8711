"""Retention of deliveries and notices."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F

from notices.models import Delivery, Notice

DELIVERIES, NOTICES = timedelta(days=14), timedelta(days=90)
MOST_ARRIVED = 20_000
"""Maximum number of delivered messages stored per endpoint."""


def forget(now: datetime) -> int:
    """Delete old deliveries and notices, and those beyond the maximum; returns their number."""
    arrived = Delivery.objects.filter(status=Delivery.Status.ARRIVED)
    stale = Delivery.objects.filter(status=Delivery.Status.WAITING, endpoint__disabled_at__lt=now - DELIVERIES)
    rows = (
        arrived.filter(at__lt=now - DELIVERIES),
        arrived.filter(sequence__lte=F("endpoint__sequence") - MOST_ARRIVED),
        stale,
        Notice.objects.filter(at__lt=now - NOTICES),
    )
    return sum(each.delete()[0] for each in rows)
