"""Sums of seat results over all matches, so that reports need not read each match."""

from __future__ import annotations

from django.db import models


class SeatSum(models.Model):
    """Results of one bot, or of all together, on one seat in one role at tables of one size.

    A projection of the seats of closed and released matches (`Match.counted`).
    """

    game = models.CharField(max_length=40)
    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, null=True, db_index=False, related_name="seat_sums")
    """Null is all bots."""
    size = models.PositiveSmallIntegerField()
    """Number of seats at the table."""
    seat = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=20, blank=True)
    matches = models.PositiveBigIntegerField()
    won = models.PositiveBigIntegerField()
    """First places, shared ones included."""
    places = models.PositiveBigIntegerField()
    """Sum of the places."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("bot", "game", "size", "seat", "role"), nulls_distinct=False, name="one_sum_per_seat"
            ),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.bot_id} {self.size}/{self.seat} {self.role}"
