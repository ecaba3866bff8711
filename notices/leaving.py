"""Data export of the notices app. Account deletion cascades to its rows."""

from __future__ import annotations

from django.contrib.auth.models import User

from notices.models import Delivery, Endpoint
from people.leaving import Parts, as_json

TOLD = ("endpoint", "sequence", "key", "kind", "told", "at", "status", "tries", "tried_at", "code", "reason")


def belongings(owner: User) -> Parts:
    """Yield a person's webhooks without secrets, their deliveries, the notices and the preferences."""
    rows = Endpoint.objects.filter(owner=owner).order_by("pk")
    fields = ("id", "url", "kinds", "league__slug", "made_at", "disabled_at", "disabled_why")
    yield "webhooks.json", as_json(list(rows.values(*fields)))
    deliveries = Delivery.objects.filter(endpoint__owner=owner).order_by("endpoint", "sequence")
    yield "deliveries.json", as_json(list(deliveries.values(*TOLD)))
    yield "notices.json", as_json(list(owner.notices.order_by("pk").values("kind", "text", "link", "at", "read_at")))
    yield "wishes.json", as_json(list(owner.wishes.order_by("kind").values("kind", "web", "mail")))
