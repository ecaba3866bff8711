"""OpenTelemetry trace contexts of matches whose result is not yet recorded; stored only while tracing is on."""

from __future__ import annotations

from django.db import models

from replays.models import Match


class MatchTraceContext(models.Model):
    """Trace context of a match, kept until the match's result is recorded."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="+")
    context = models.CharField(max_length=55)
    """The `traceparent` (W3C Trace Context) of the request or task that ordered the match."""

    class Meta:
        db_table = "replays_matchtrace"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return self.context
