"""Webhooks of a person, and execution of delivery tasks until none are left."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from notices import tasks
from notices.models import WebhookEndpoint
from notices.public_events import KINDS
from notices.webhooks.webhook_endpoints import add
from tests.support.factories import AuthorFactory


def create_person(name: str = "ada") -> User:
    """Create a user."""
    person: User = AuthorFactory.create(username=name)
    return person


def create_webhook(
    url: str, person: User | None = None, kinds: tuple[str, ...] = tuple(KINDS), league: str = ""
) -> WebhookEndpoint:
    """Create a webhook, by default for all events."""
    return add(person or create_person(), url, kinds, league)


def deliver_all() -> int:
    """Run all deliveries that are due; return their number."""
    count = 0
    while tasks.carry():
        count += 1
    return count


def make_retry_due(endpoint: WebhookEndpoint, **fields: object) -> None:
    """Make an endpoint's next retry due."""
    past = timezone.now() - timedelta(seconds=1)
    WebhookEndpoint.objects.filter(pk=endpoint.pk).update(next_at=past, **fields)
