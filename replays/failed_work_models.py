"""Model of failed background work and its next attempt."""

from __future__ import annotations

from datetime import datetime

from django.db import models


class FailedWork(models.Model):
    """A piece of background work that failed; its row is deleted when it succeeds."""

    kind = models.CharField(max_length=20)
    subject = models.CharField(max_length=200)
    """The match, league, stream or game concerned."""
    attempts = models.PositiveIntegerField(default=0)
    rests_until = models.DateTimeField(null=True)
    left_at = models.DateTimeField(null=True, db_index=True)
    """Time at which it was given up, after its last attempt."""
    reason = models.TextField(blank=True)
    """The party at fault, in public words."""

    class Meta:
        verbose_name_plural = "failed work"
        constraints = (models.UniqueConstraint(fields=("kind", "subject"), name="failed_work_once"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}: {self.reason}"

    def is_due(self, now: datetime) -> bool:
        """Return True if it may be retried now."""
        return self.left_at is None and (self.rests_until is None or self.rests_until <= now)
