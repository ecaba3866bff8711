"""Model of failed background work that is retried or was given up."""

from __future__ import annotations

from datetime import datetime

from django.db import models


class FailedWork(models.Model):
    """A piece of background work that failed; the record is deleted once the work succeeds."""

    kind = models.CharField(max_length=20)
    subject = models.CharField(max_length=200)
    """Id or name of the match, league, stream or game that the work is about."""
    attempts = models.PositiveIntegerField(default=0)
    rests_until = models.DateTimeField(null=True)
    """Time until which the work is not retried; null if it may be retried at once."""
    left_at = models.DateTimeField(null=True, db_index=True)
    """Time at which the work was given up after the last allowed attempt; null if it will be retried."""
    reason = models.TextField(blank=True)
    """Sentence on the latest failure that names the party at fault and may be shown to everybody."""

    class Meta:
        verbose_name_plural = "failed work"
        constraints = (models.UniqueConstraint(fields=("kind", "subject"), name="failed_work_once"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}: {self.reason}"

    def is_due(self, now: datetime) -> bool:
        """Return True if the work may be retried now."""
        return self.left_at is None and (self.rests_until is None or self.rests_until <= now)
