"""The clone-invariant order of a ladder, as it was computed last."""

from __future__ import annotations

from django.db import models

from tournaments.models import ALL_TIME


class DeviationFit(models.Model):
    """The deviation ratings of a ladder and its cycles: a projection of who met whom (`tournaments.deviations`)."""

    game = models.CharField(max_length=40)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    scores = models.JSONField(default=list)
    """[bot's key, score against the mix that is hardest to beat], the best first."""
    cycles = models.JSONField(default=list)
    """[[keys of three bots that beat each other in a circle], [their margins]], the clearest first."""
    unmet = models.FloatField(default=0)
    """The share of pairs that never met, which count as equal."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "season"), name="one_deviation_fit_per_season"),)

    def __str__(self) -> str:
        return f"{self.game} {self.season}".strip()
