"""Model of a ladder's clone-invariant order, as last computed."""

from __future__ import annotations

from django.db import models

from tournaments.models import ALL_TIME


class DeviationFit(models.Model):
    """Deviation ratings and cycles of a ladder: a projection of meetings (`tournaments.deviations`)."""

    game = models.CharField(max_length=40)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    scores = models.JSONField(default=list)
    """[bot's key, score against the strongest mix of bots], best first."""
    cycles = models.JSONField(default=list)
    """[[keys of three bots that beat each other in a cycle], [their margins]], clearest first."""
    unmet = models.FloatField(default=0)
    """Share of pairs that never met, which count as equal."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "season"), name="one_deviation_fit_per_season"),)

    def __str__(self) -> str:
        return f"{self.game} {self.season}".strip()
