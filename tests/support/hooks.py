"""Webhooks of somebody's, and tasks that run as a worker runs them until nothing is left to do."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from notices import tasks
from notices.endpoints import add
from notices.happenings import KINDS
from notices.models import Endpoint
from tests.support.factories import AuthorFactory


def somebody(name: str = "ada") -> User:
    """Return a person."""
    person: User = AuthorFactory.create(username=name)
    return person


def hooked(url: str, person: User | None = None, kinds: tuple[str, ...] = tuple(KINDS), league: str = "") -> Endpoint:
    """Return a webhook, by default of everything."""
    return add(person or somebody(), url, kinds, league)


def carry_all() -> int:
    """Run errands until there is none to run now; returns how many."""
    count = 0
    while tasks.carry():
        count += 1
    return count


def later(endpoint: Endpoint, **fields: object) -> None:
    """Let the time come at which an endpoint is tried again."""
    past = timezone.now() - timedelta(seconds=1)
    Endpoint.objects.filter(pk=endpoint.pk).update(next_at=past, **fields)
