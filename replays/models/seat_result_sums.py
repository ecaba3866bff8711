"""Model of results summed over all matches, so that reports need not read each match."""

from __future__ import annotations

from django.db import models


class SeatResultSum(models.Model):
    """Summed results by game, number of seats, seat and role, of one bot or of all bots."""

    # The sums include public matches with a result, which `Match.counted` marks.

    game = models.CharField(max_length=40)
    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, null=True, db_index=False, related_name="seat_sums")
    """The bot; null for the sum over all bots."""
    size = models.PositiveSmallIntegerField()
    """Number of seats in each match."""
    seat = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=20, blank=True)
    matches = models.PositiveBigIntegerField()
    won = models.PositiveBigIntegerField()
    """Number of first places, shared ones included."""
    places = models.PositiveBigIntegerField()
    """Sum of the final places, from 1, for the mean place."""

    class Meta:
        db_table = "replays_seatsum"  # the table keeps its name, so that an upgrade can be undone
        constraints = (
            models.UniqueConstraint(
                fields=("bot", "game", "size", "seat", "role"), nulls_distinct=False, name="one_sum_per_seat"
            ),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.bot_id} {self.size}/{self.seat} {self.role}"
