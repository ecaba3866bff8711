"""Job queue of trials: each trial is leased to one worker, which renews its lease."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from bots.models import BotVersion
from bots.turns import Waiting, in_order
from foundation import watchdog

KIND = "trials"
"""Kind of job, and name of the Celery queue."""
ONE_CHOOSES = 0x66746B01
"""Key of the advisory lock under which a trial is chosen, so that two workers cannot choose the same one."""


def on_trial() -> QuerySet[BotVersion]:
    """Return the versions on trial."""
    return BotVersion.objects.filter(status=BotVersion.Status.TRIAL)


def free() -> QuerySet[BotVersion]:
    """Return the versions on trial without a valid lease."""
    return on_trial().filter(Q(trial_until=None) | Q(trial_until__lt=timezone.now()))


@transaction.atomic
def claim_next(languages: Collection[str]) -> int | None:
    """Lease the next trial in the fair order, of a bot in one of these languages; None if there is none."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ONE_CHOOSES])
    now = timezone.now()
    running = Counter[int | None](on_trial().filter(trial_until__gte=now).values_list("bot__owner_id", flat=True))
    known = free().filter(package__command__0__in=list(languages))
    waiting = [Waiting(*row) for row in known.values_list("pk", "bot__owner_id", "uploaded_at")]
    authors = {thing.author for thing in waiting}
    tried = BotVersion.objects.filter(bot__owner_id__in=authors, tried_at__isnull=False)
    began: dict[int | None, datetime] = dict(tried.values_list("bot__owner_id").annotate(Max("tried_at")))
    for thing in in_order(waiting, running, began)[:1]:
        BotVersion.objects.filter(pk=thing.id).update(tried_at=now, trial_until=_until(now), attempts=F("attempts") + 1)
        return int(thing.id)
    return None


def put_back(version_id: int, pause: timedelta) -> None:
    """Release a trial that failed, for another attempt after a pause."""
    on_trial().filter(pk=version_id).update(trial_until=timezone.now() + pause)


class TrialBeat:
    """Renewal of a trial's lease, called regularly while the bot computes."""

    def __init__(self, version_id: int) -> None:
        self._version_id, self._last = version_id, time.monotonic()
        watchdog.touch(watchdog.TRIAL)

    def hold(self, seconds: int) -> None:
        """Extend the lease to at least this many seconds, for a compilation during which it cannot be renewed."""
        on_trial().filter(pk=self._version_id).update(trial_until=_until(timezone.now() + timedelta(seconds=seconds)))

    def __call__(self) -> None:
        """Renew the lease if a third of its time is over."""
        if time.monotonic() - self._last >= settings.TRIAL_SECONDS / 3:
            on_trial().filter(pk=self._version_id).update(trial_until=_until(timezone.now()))
            self._last = time.monotonic()
            watchdog.touch(watchdog.TRIAL)


def _until(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.TRIAL_SECONDS)
