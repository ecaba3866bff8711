"""Trace contexts of uploads in progress; there are rows only if tracing is on."""

from __future__ import annotations

from django.db import models

from bots.models import BotVersion


class VersionTrace(models.Model):
    """Trace context of a version until its first rating."""

    version = models.OneToOneField(BotVersion, models.CASCADE, primary_key=True, related_name="+")
    context = models.CharField(max_length=55)
    """The `traceparent` of its upload."""

    def __str__(self) -> str:
        return self.context
