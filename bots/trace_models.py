"""Where the trace of an upload is, for as long as it goes on; there are rows only where traces are on."""

from __future__ import annotations

from django.db import models

from bots.models import BotVersion


class VersionTrace(models.Model):
    """A version that is on its way to its first rating."""

    version = models.OneToOneField(BotVersion, models.CASCADE, primary_key=True, related_name="+")
    context = models.CharField(max_length=55)
    """The `traceparent` of its upload."""

    def __str__(self) -> str:
        return self.context
