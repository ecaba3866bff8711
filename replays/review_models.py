"""Which matches are reviewed, how far that is, and what it has taken."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from ftk_core.review import stream_of


class Review(models.Model):
    """One review of a match with some eyes, asked for, being reckoned, or done; it is a stream of facts."""

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting"
        RUNNING = "running", "being reckoned"
        DONE = "done", "done"
        GIVEN_UP = "given up", "given up"

    match = models.ForeignKey("replays.Match", on_delete=models.CASCADE, related_name="reviews")
    eyes = models.CharField(max_length=6)
    """``public`` or ``all``."""
    edition = models.PositiveSmallIntegerField(default=1)
    """Counts the streams: what one build of the engine began, no other goes on with."""
    policy = models.CharField(max_length=40, blank=True)
    """Who plays the playouts; empty until it has begun."""
    playouts = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING, db_index=True)
    done = models.PositiveIntegerField(default=0)
    """Facts that are stored."""
    total = models.PositiveIntegerField(default=0)
    """Facts that there will be; 0 until it has begun."""
    reason = models.TextField(blank=True)
    """Why it was given up."""
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="reviews_asked_for"
    )
    """Nobody, where a league or the shell asked."""
    asked_at = models.DateTimeField(auto_now_add=True)
    begun_at = models.DateTimeField(null=True)
    """When the worker that holds it, or was the last to, began."""
    ended_at = models.DateTimeField(null=True, db_index=True)
    cpu_ms = models.PositiveBigIntegerField(default=0)
    """Processor time that it has taken, as far as it is stored."""
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
        """The name of its stream."""
        return f"{stream_of(self.match_id)}/{self.eyes}/{self.edition}"
