"""Models of continuous ladders, on which the server starts matches outside leagues."""
# They are projections of the event streams ``bouts/<game>``. `tournaments.apps` imports this module.

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from foundation.time_control_fields import AbstractBotClockModel


class ContinuousLadder(AbstractBotClockModel):
    """Settings of a game's continuous ladder, and the time of its next match."""

    game = models.CharField(max_length=40, unique=True)
    rate = models.PositiveIntegerField(default=0)
    """Bouts an hour; 0 if the ladder is off."""
    sizes = ArrayField(models.PositiveSmallIntegerField(), default=list)
    """Numbers of seats at a table; consecutive bouts use them in turn."""
    options = models.TextField(blank=True, default="")
    """The game's options as JSON; empty for the default rules."""
    due = models.FloatField(default=0)
    """Time of the next bout in seconds since 1970 (UTC)."""
    called = models.PositiveIntegerField(default=0)
    """Number of bouts started so far, which is also the number of the last bout."""

    def __str__(self) -> str:
        return f"{self.game}: {self.rate} an hour"


class Bout(models.Model):
    """A match of a continuous ladder, started by the server outside leagues."""

    ladder = models.ForeignKey(ContinuousLadder, on_delete=models.CASCADE, related_name="bouts")
    number = models.PositiveIntegerField()
    match = models.OneToOneField("replays.Match", on_delete=models.PROTECT, related_name="bout")
    ended = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("ladder", "number"), name="bouts_are_numbered"),)
        indexes = (models.Index(fields=("ladder",), condition=models.Q(ended=False), name="bouts_that_go_on"),)

    def __str__(self) -> str:
        return f"{self.ladder.game} {self.number}"


class ContinuousLadderBotVersion(models.Model):
    """A bot version on a continuous ladder, with its counts of matches and crashes."""

    ladder = models.ForeignKey(ContinuousLadder, on_delete=models.CASCADE, related_name="versions")
    version = models.OneToOneField("bots.BotVersion", on_delete=models.CASCADE, related_name="on_ladder")
    sat = models.JSONField(default=dict)
    """By table size (as text): list of the version's numbers of bouts in seat 0, in seat 1 and so on."""
    last = models.PositiveIntegerField(default=0)
    """Number of the last bout that the version played."""
    crashes = models.PositiveIntegerField(default=0)
    """Number of bouts in a row in which the version crashed."""
    benched = models.CharField(max_length=200, blank=True, default="")
    """Reason why the version is excluded from bouts; empty if it is not."""

    class Meta:
        db_table = "tournaments_calledversion"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.version}: {self.benched or 'called'}"
