"""Model of spectators' predictions of winners, imported by `tournaments.apps`. No event stream contains them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

POINT = 10_000
"""Number of units in a point; `Prediction.points` and `Prediction.chance` count units."""


class Prediction(models.Model):
    """A person's prediction of the winner among the bots that meet in a league round."""

    # It is deleted with the person's account.

    league = models.ForeignKey("tournaments.League", on_delete=models.CASCADE, db_index=False, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="predictions")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    """Number of the table; 0 if the prediction was made before the round was paired."""
    entry = models.PositiveIntegerField()
    """Number of the predicted entry. It is no foreign key, because a rebuild deletes and recreates the entries."""
    seating = ArrayField(models.PositiveIntegerField(), default=list)
    """Numbers of the entries at the table when the prediction was made, ascending; empty if `table` is 0."""
    at = models.DateTimeField(auto_now=True)
    points = models.IntegerField(null=True)
    """Units won: the predicted entry's share of first places. Null until the round ends, or if no result counts."""
    chance = models.IntegerField(null=True)
    """Units that a random choice among the seats of the table would have won on average."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("league", "round", "person", "table"), name="one_prediction_per_table"),
        )

    def __str__(self) -> str:
        return f"{self.person} on {self.league_id}, {self.round}.{self.table}: {self.entry}"
