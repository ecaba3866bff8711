"""Model of deviation ratings: an order of bots that does not change if copies of a bot are added."""

from __future__ import annotations

from django.db import models

from tournaments.models import ALL_TIME


class DeviationRatingFit(models.Model):
    """Latest deviation ratings of a ladder, and cycles of three bots that beat each other."""

    # They are computed from the results of each pair of bots, to which two fictitious draws are added.

    game = models.CharField(max_length=40)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    scores = models.JSONField(default=list)
    """[bot id, score] pairs, best first. The best bots have the score 0, the others less.

    A score is the share of meetings won minus the share lost, against the mix of bots that is hardest to beat.
    """
    cycles = models.JSONField(default=list)
    """[[ids of three bots], [margins]] for each cycle of bots that beat each other, clearest cycle first.

    A margin is the share of matches in which a bot is ahead of the next one, minus the share in which it is behind.
    """
    unmet = models.FloatField(default=0)
    """Share of pairs of bots that never met; such pairs count as equal."""

    class Meta:
        db_table = "tournaments_deviationfit"  # the table keeps its name, so that an upgrade can be undone
        constraints = (models.UniqueConstraint(fields=("game", "season"), name="one_deviation_fit_per_season"),)

    def __str__(self) -> str:
        return f"{self.game} {self.season}".strip()
