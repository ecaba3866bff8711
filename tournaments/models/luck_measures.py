"""Model of the measured influence of chance on each game's results."""
# `tournaments.apps` imports this module.

from __future__ import annotations

from django.db import models


class LuckMeasure(models.Model):
    """Latest measurement of how much chance decides the results of a game."""

    game = models.CharField(max_length=40, unique=True)
    known = models.PositiveIntegerField()
    """Number of the game's rated matches at the time of the measurement."""
    seats = models.PositiveSmallIntegerField()
    """Number of seats at the measured tables: the table size with the most matches."""
    matches = models.PositiveIntegerField()
    deals = models.PositiveIntegerField()
    """Number of measured deals that were played more than once."""
    shares = models.JSONField(default=dict)
    """{source: {value, low, high}}: share of the variance of results that each source explains, with its 95 % interval.

    The sources are bot, seat, deal and play. The dict is empty if there is too little data.
    """

    def __str__(self) -> str:
        return f"{self.game}: {self.matches} matches"
