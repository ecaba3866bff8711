"""Queue of the trial matches that new bot versions must pass. A worker leases a match and runs it."""
# The worker renews its lease while it runs the match. If the worker dies, the lease expires and another worker can take
# the match.

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from bots.jobs.fair_job_scheduling import QueuedJob, order_fairly
from bots.models import BotVersion
from bots.worker_sandbox_report_queries import find_missing_support, list_lacking_languages
from foundation import stuck_process_watchdog
from foundation.advisory_locks import TRIALS_LOCK, lock_until_commit
from foundation.celery_worker_draining import WorkerDrainingError, is_handover_requested

TRIAL_KIND = "trials"
"""Job kind of trial matches, and name of their Celery queue."""


def versions_on_trial() -> QuerySet[BotVersion]:
    """Return the versions whose trial match is pending or running."""
    return BotVersion.objects.filter(status=BotVersion.Status.TRIAL)


def unleased_versions() -> QuerySet[BotVersion]:
    """Return the bot versions whose trial match has no lease or an expired lease."""
    return versions_on_trial().filter(Q(trial_until=None) | Q(trial_until__lt=timezone.now()))


def count_unleased(languages: Collection[str]) -> int:
    """Return the number of trial matches that a worker with these languages can lease."""
    return unleased_versions().filter(package__command__0__in=list(languages)).count()


@transaction.atomic
def claim_next(languages: Collection[str]) -> int | None:
    """Lease the next trial match of a bot in one of these languages. Return the bot version's id, or None."""
    lock_until_commit(TRIALS_LOCK)  # so that two workers cannot choose the same trial
    now = timezone.now()
    running = Counter[int | None](
        versions_on_trial().filter(trial_until__gte=now).values_list("bot__owner_id", flat=True)
    )
    playable = unleased_versions().filter(package__command__0__in=list(languages))
    waiting = [QueuedJob(*job_fields) for job_fields in playable.values_list("pk", "bot__owner_id", "uploaded_at")]
    authors = {job.author for job in waiting}
    tried_versions = BotVersion.objects.filter(bot__owner_id__in=authors, tried_at__isnull=False)
    began: dict[int | None, datetime] = dict(tried_versions.values_list("bot__owner_id").annotate(Max("tried_at")))
    for job in order_fairly(waiting, running, began)[:1]:
        BotVersion.objects.filter(pk=job.id).update(
            tried_at=now, trial_until=_lease_end(now), attempts=F("attempts") + 1
        )
        return int(job.id)
    return None


def refuse_unsupported_versions() -> int:
    """Refuse versions whose trial has waited too long for a worker with their language; return their number."""
    return sum(_refuse_expired(language, patience) for language, patience in list_lacking_languages())


def _refuse_expired(language: str, patience: timedelta) -> int:
    waiting = unleased_versions().filter(package__command__0=language, uploaded_at__lt=timezone.now() - patience)
    return waiting.update(status=BotVersion.Status.REFUSED, reason=find_missing_support(language))


def release_for_retry(version_id: int, pause: timedelta) -> None:
    """Allow any worker to repeat a failed trial match after a pause."""
    versions_on_trial().filter(pk=version_id).update(trial_until=timezone.now() + pause)


def return_trial(version_id: int) -> None:
    """End the lease on a trial match that this worker gives up because it shuts down."""
    # Another worker can lease it at once, and the attempt does not count.
    versions_on_trial().filter(pk=version_id).update(trial_until=timezone.now(), attempts=F("attempts") - 1)


class TrialLeaseRenewer:
    """Callback, called regularly during a trial match, that renews this worker's lease on the match."""

    def __init__(self, version_id: int) -> None:
        self._version_id, self._last = version_id, time.monotonic()
        stuck_process_watchdog.extend_deadline(stuck_process_watchdog.TRIAL_DUTY)

    def __call__(self) -> None:
        """Renew the lease if it is due. Raises WorkerDrainingError if this worker shuts down."""
        if is_handover_requested():
            raise WorkerDrainingError(f"trial {self._version_id} is left to others: this worker was asked to leave")
        if time.monotonic() - self._last >= settings.TRIAL_SECONDS / 3:
            versions_on_trial().filter(pk=self._version_id).update(trial_until=_lease_end(timezone.now()))
            self._last = time.monotonic()
            stuck_process_watchdog.extend_deadline(stuck_process_watchdog.TRIAL_DUTY)


def _lease_end(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.TRIAL_SECONDS)
