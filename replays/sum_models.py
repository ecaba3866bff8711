"""What all seats of all matches came to, summed up, so that nobody has to look at each."""

from __future__ import annotations

from django.db import models


class SeatSum(models.Model):
    """How one bot, or all together, did on one seat in one role at tables of one size.

    A projection of the seats of matches that are closed and released (`Match.counted`).
    """

    game = models.CharField(max_length=40)
    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, null=True, db_index=False, related_name="seat_sums")
    """Null is everybody."""
    size = models.PositiveSmallIntegerField()
    """How many sat at the table."""
    seat = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=20, blank=True)
    matches = models.PositiveBigIntegerField()
    won = models.PositiveBigIntegerField()
    """First places, shared ones included."""
    places = models.PositiveBigIntegerField()
    """Their places, added up."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("bot", "game", "size", "seat", "role"), nulls_distinct=False, name="one_sum_per_seat"
            ),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.bot_id} {self.size}/{self.seat} {self.role}"
