"""Model of reviews (analyses of matches): status, progress and cost."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from ftk_core.analysis.match_review_facts import stream_of


class MatchReview(models.Model):
    """Analysis of a match with one kind of knowledge, stored as an append-only event log."""

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting"
        RUNNING = "running", "being computed"
        DONE = "done", "done"
        GIVEN_UP = "given up", "given up"

    match = models.ForeignKey("replays.Match", on_delete=models.CASCADE, related_name="reviews")
    eyes = models.CharField(max_length=6)
    """Knowledge that the analysis uses: ``own`` (what each seat knew), ``all`` or ``public``."""
    edition = models.PositiveSmallIntegerField(default=1)
    """Number of the review's current stream, counted from 1.

    If code or parameters change before the review is done, the review begins again with a new stream.
    """
    policy = models.CharField(max_length=40, blank=True)
    """Name of the simple player that plays simulated continuations of the match; empty until the review has begun."""
    playouts = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING, db_index=True)
    done = models.PositiveIntegerField(default=0)
    """Number of results (lines of the review's stream) that are computed and stored."""
    total = models.PositiveIntegerField(default=0)
    """Total number of results that the finished review has; 0 until it has begun."""
    reason = models.TextField(blank=True)
    """Reason why the review was given up; empty otherwise."""
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="reviews_asked_for"
    )
    """Person who requested the review; null if a league or the shell did."""
    asked_at = models.DateTimeField(auto_now_add=True)
    begun_at = models.DateTimeField(null=True)
    """Time at which the current or latest worker claimed the review."""
    ended_at = models.DateTimeField(null=True, db_index=True)
    cpu_ms = models.PositiveBigIntegerField(default=0)
    """Milliseconds of processor time spent on the stored results."""
    holder = models.CharField(max_length=80, blank=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    """Number of claims by workers; above one, an attempt failed or a worker died.

    A claim that ends by a shutdown of the worker, or because the archive is unreachable, is subtracted again.
    """

    class Meta:
        db_table = "replays_review"  # the table keeps its name, so that an upgrade can be undone
        constraints = (models.UniqueConstraint(fields=("match", "eyes"), name="one_review_for_these_eyes"),)

    def __str__(self) -> str:
        return f"{self.match_id} with the eyes {self.eyes}: {self.status}"

    @property
    def stream_id(self) -> str:
        """Name of the review's stream."""
        return f"{stream_of(self.match_id)}/{self.eyes}/{self.edition}"


class ReviewedSeatSummary(models.Model):
    """Summary of a bot's play in one reviewed match."""

    # It saves a bot's page from reading whole reviews.

    review = models.ForeignKey(MatchReview, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, db_index=False, related_name="reviewed_seats")
    summary = models.JSONField()
    """Summary of the bot's play: a `ftk_core.analysis.bot_play_summary.SeatPlaySummary` as JSON."""

    class Meta:
        db_table = "replays_reviewedseat"  # the table keeps its name, so that an upgrade can be undone
        constraints = (models.UniqueConstraint(fields=("review", "seat"), name="one_summary_of_a_reviewed_seat"),)
        indexes = (models.Index(fields=("bot", "-id"), name="reviewed_seats_of_a_bot"),)

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.review_id}"
