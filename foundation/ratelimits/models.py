"""Database model for the current state of rate limits."""

from __future__ import annotations

from django.db import models


class Allowance(models.Model):
    """State of one rate limit for one person or address. The table is not durable: a crash may lose it."""

    key = models.CharField(max_length=120, primary_key=True)
    """The scope, such as ``upload``, and the client address or the id of the person."""
    until = models.DateTimeField()
    """Time when the full allowance is available again. For limits on attempts: earliest time of the next attempt."""
    failures = models.PositiveIntegerField(default=0)
    """Number of consecutive failed attempts, for limits that count attempts such as sign-ins."""

    class Meta:
        db_table = "bots_allowance"  # the name of the table in an earlier release

    def __str__(self) -> str:
        return f"{self.key}: whole at {self.until}"
