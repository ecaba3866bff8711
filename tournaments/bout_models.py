"""Projections of the streams ``bouts/<game>`` of continuous ladders.

`tournaments.apps` loads them.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class ContinuousLadder(models.Model):
    """Settings of a game's continuous ladder, and the time of its next bout."""

    game = models.CharField(max_length=40, unique=True)
    rate = models.PositiveIntegerField(default=0)
    """Bouts an hour; 0 is off."""
    sizes = ArrayField(models.PositiveSmallIntegerField(), default=list)
    """Table sizes, used in turn."""
    options = models.TextField(blank=True, default="")
    move_ms = models.PositiveIntegerField(default=1000)
    bank_ms = models.PositiveIntegerField(default=10_000)
    due = models.FloatField(default=0)
    """In seconds since 1970 (UTC)."""
    called = models.PositiveIntegerField(default=0)
    """Number of bouts called, which is also the number of the last one."""

    def __str__(self) -> str:
        return f"{self.game}: {self.rate} an hour"


class Bout(models.Model):
    """A match of a continuous ladder."""

    ladder = models.ForeignKey(ContinuousLadder, on_delete=models.CASCADE, related_name="bouts")
    number = models.PositiveIntegerField()
    match = models.OneToOneField("replays.Match", on_delete=models.PROTECT, related_name="bout")
    ended = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("ladder", "number"), name="bouts_are_numbered"),)
        indexes = (models.Index(fields=("ladder",), condition=models.Q(ended=False), name="bouts_that_go_on"),)

    def __str__(self) -> str:
        return f"{self.ladder.game} {self.number}"


class CalledVersion(models.Model):
    """A version on a continuous ladder, with its seats and crashes."""

    ladder = models.ForeignKey(ContinuousLadder, on_delete=models.CASCADE, related_name="versions")
    version = models.OneToOneField("bots.BotVersion", on_delete=models.CASCADE, related_name="on_ladder")
    sat = models.JSONField(default=dict)
    """Number of calls to each seat, by table size as text."""
    last = models.PositiveIntegerField(default=0)
    """Number of the last bout to which it was called."""
    crashes = models.PositiveIntegerField(default=0)
    """Number of bouts in a row in which it crashed."""
    benched = models.CharField(max_length=200, blank=True, default="")
    """Reason why it is excluded; empty if it is not."""

    def __str__(self) -> str:
        return f"{self.version}: {self.benched or 'called'}"
