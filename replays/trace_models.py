"""Trace contexts of matches until they are recorded; rows exist only where traces are on."""

from __future__ import annotations

from django.db import models

from replays.models import Match


class MatchTrace(models.Model):
    """A match that is not recorded yet."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="+")
    context = models.CharField(max_length=55)
    """The `traceparent` of its order."""

    def __str__(self) -> str:
        return self.context
