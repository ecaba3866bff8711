"""A person's notices and webhooks, as part of a personal data export."""
# Erasing the account deletes the exported rows by cascade.

from __future__ import annotations

from django.contrib.auth.models import User

from notices.models import WebhookDelivery, WebhookEndpoint
from people.account_erasure import Parts, encode_json

DELIVERY_FIELDS = ("endpoint", "sequence", "key", "kind", "told", "at", "status", "tries", "tried_at", "code", "reason")


def export_notifications(owner: User) -> Parts:
    """Yield (file name, JSON) for the webhooks (without secrets), deliveries, notices, follows and preferences."""
    rows = WebhookEndpoint.objects.filter(owner=owner).order_by("pk")
    fields = ("id", "url", "kinds", "league__slug", "made_at", "disabled_at", "disabled_why")
    yield "webhooks.json", encode_json(list(rows.values(*fields)))
    deliveries = WebhookDelivery.objects.filter(endpoint__owner=owner).order_by("endpoint", "sequence")
    yield "deliveries.json", encode_json(list(deliveries.values(*DELIVERY_FIELDS)))
    yield (
        "notices.json",
        encode_json(list(owner.notices.order_by("pk").values("kind", "text", "link", "at", "read_at"))),
    )
    yield "follows.json", encode_json(list(owner.follows.order_by("pk").values("kind", "subject", "since")))
    yield "wishes.json", encode_json(list(owner.wishes.order_by("kind").values("kind", "web", "mail")))
