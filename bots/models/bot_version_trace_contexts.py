"""OpenTelemetry trace contexts of uploaded versions that are not yet rated; stored only while tracing is on."""

from __future__ import annotations

from django.db import models

from bots.models import BotVersion


class BotVersionTraceContext(models.Model):
    """Trace context of an uploaded version, kept until the version's first rating."""

    version = models.OneToOneField(BotVersion, models.CASCADE, primary_key=True, related_name="+")
    context = models.CharField(max_length=55)
    """The `traceparent` (W3C Trace Context) of the version's upload."""

    class Meta:
        db_table = "bots_versiontrace"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return self.context
