"""Model of reviews: status, progress and cost."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from ftk_core.review import stream_of


class Review(models.Model):
    """Review of a match for one viewer; its content is a stream of facts."""

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting"
        RUNNING = "running", "being reckoned"
        DONE = "done", "done"
        GIVEN_UP = "given up", "given up"

    match = models.ForeignKey("replays.Match", on_delete=models.CASCADE, related_name="reviews")
    eyes = models.CharField(max_length=6)
    """``public`` or ``all``."""
    edition = models.PositiveSmallIntegerField(default=1)
    """Number of its streams: a build does not continue the stream of another."""
    policy = models.CharField(max_length=40, blank=True)
    """Policy that plays the playouts; empty until it has begun."""
    playouts = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING, db_index=True)
    done = models.PositiveIntegerField(default=0)
    """Number of stored facts."""
    total = models.PositiveIntegerField(default=0)
    """Total number of facts; 0 until it has begun."""
    reason = models.TextField(blank=True)
    """Reason why it was given up."""
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="reviews_asked_for"
    )
    """Null if a league or the shell requested it."""
    asked_at = models.DateTimeField(auto_now_add=True)
    begun_at = models.DateTimeField(null=True)
    """Start of its current or last worker."""
    ended_at = models.DateTimeField(null=True, db_index=True)
    cpu_ms = models.PositiveBigIntegerField(default=0)
    """Processor time of the stored part."""
    holder = models.CharField(max_length=80, blank=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    """Number of claims by workers; above one, an attempt failed or a worker died."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("match", "eyes"), name="one_review_for_these_eyes"),)

    def __str__(self) -> str:
        return f"{self.match_id} with the eyes {self.eyes}: {self.status}"

    @property
    def stream_id(self) -> str:
        """Name of its stream."""
        return f"{stream_of(self.match_id)}/{self.eyes}/{self.edition}"
