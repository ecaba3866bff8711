"""Models of challenges and their matches."""
# No event stream contains challenges, so these tables cannot be rebuilt. `tournaments.apps` imports this module.

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models


class Challenge(models.Model):
    """An author's request for matches between one of their bots and other bots."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="challenges")
    game = models.CharField(max_length=40)
    versions = ArrayField(models.BigIntegerField())
    """Ids of the bot versions: the challenger's first, then those of the opponents."""
    names = ArrayField(models.CharField(max_length=60))
    """Names of the bot versions, in the order of `versions`."""
    size = models.PositiveIntegerField()
    """Number of ordered matches."""
    duplicate = models.BooleanField(default=False)
    """True if each deal is played once from every seat."""
    seed = models.CharField(max_length=60, blank=True)
    """Seed of the deals if the author chose it; empty for secret deals. Only matches on secret deals are rated."""
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"{self.names[0]} against {', '.join(self.names[1:])}"


class ChallengeMatch(models.Model):
    """One match of a challenge."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="matches")
    number = models.PositiveIntegerField()
    """Number of the match in the challenge, from 0."""
    match = models.OneToOneField("replays.Match", on_delete=models.PROTECT, related_name="challenge")
    ended = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("challenge", "number"), name="matches_of_a_challenge"),)
        indexes = (models.Index(fields=("match",), condition=models.Q(ended=False), name="challenges_that_go_on"),)

    def __str__(self) -> str:
        return f"{self.challenge} {self.number}"
