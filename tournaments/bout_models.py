"""The projections of the continuous ladders: tables made from the streams ``bouts/<game>``.

`tournaments.apps` loads them.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class ContinuousLadder(models.Model):
    """How a game's continuous ladder is set, and when its next bout is due."""

    game = models.CharField(max_length=40, unique=True)
    rate = models.PositiveIntegerField(default=0)
    """Bouts an hour; 0 is off."""
    sizes = ArrayField(models.PositiveSmallIntegerField(), default=list)
    """Of its tables, which it takes in turn."""
    options = models.TextField(blank=True, default="")
    move_ms = models.PositiveIntegerField(default=1000)
    bank_ms = models.PositiveIntegerField(default=10_000)
    due = models.FloatField(default=0)
    """In seconds since 1970 (UTC)."""
    called = models.PositiveIntegerField(default=0)
    """How many bouts there were; also the number of the last one."""

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
    """A version on a continuous ladder: how often it sat where, and how it fared."""

    ladder = models.ForeignKey(ContinuousLadder, on_delete=models.CASCADE, related_name="versions")
    version = models.OneToOneField("bots.BotVersion", on_delete=models.CASCADE, related_name="on_ladder")
    sat = models.JSONField(default=dict)
    """By table size, as text, how often it was called to each seat."""
    last = models.PositiveIntegerField(default=0)
    """The number of the last bout to which it was called."""
    crashes = models.PositiveIntegerField(default=0)
    """In how many bouts in a row it crashed."""
    benched = models.CharField(max_length=200, blank=True, default="")
    """Why it is not called; empty where it is."""

    def __str__(self) -> str:
        return f"{self.version}: {self.benched or 'called'}"
