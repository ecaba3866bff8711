"""Models of challenges and their matches. `tournaments.apps` loads them.

These tables are not projections: a challenge is an order, like a match itself.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models


class Challenge(models.Model):
    """Matches of one bot against others, ordered by its author."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="challenges")
    game = models.CharField(max_length=40)
    versions = ArrayField(models.BigIntegerField())
    """Keys of the versions: the challenger's, then those of the opponents."""
    names = ArrayField(models.CharField(max_length=60))
    """Their names, in the same order."""
    size = models.PositiveIntegerField()
    """Number of matches."""
    duplicate = models.BooleanField(default=False)
    """If True, each deal is played from every seat."""
    seed = models.CharField(max_length=60, blank=True)
    """Seed of the deals, given by the author; empty for secret deals. Only those are rated."""
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"{self.names[0]} against {', '.join(self.names[1:])}"


class ChallengeMatch(models.Model):
    """A match of a challenge."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="matches")
    number = models.PositiveIntegerField()
    """From 0."""
    match = models.OneToOneField("replays.Match", on_delete=models.PROTECT, related_name="challenge")
    ended = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("challenge", "number"), name="matches_of_a_challenge"),)
        indexes = (models.Index(fields=("match",), condition=models.Q(ended=False), name="challenges_that_go_on"),)

    def __str__(self) -> str:
        return f"{self.challenge} {self.number}"
