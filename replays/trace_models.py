"""Where the traces of matches are, until they are recorded; there are rows only where traces are on."""

from __future__ import annotations

from django.db import models

from replays.models import Match


class MatchTrace(models.Model):
    """A match that is on its way to being recorded."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="+")
    context = models.CharField(max_length=55)
    """The `traceparent` of its order."""

    def __str__(self) -> str:
        return self.context
