"""Database model for the current state of rate limits."""

from __future__ import annotations

from django.db import models


class RateLimitState(models.Model):
    """State of one rate limit for one person, IP address or API token."""

    # The table is unlogged: PostgreSQL empties it after a crash.

    key = models.CharField(max_length=120, primary_key=True)
    """The scope, such as ``upload``, and the client address, the id of the person or the token's first characters."""
    until = models.DateTimeField()
    """Time when the full allowance is available again. For limits on attempts: earliest time of the next attempt."""
    failures = models.PositiveIntegerField(default=0)
    """Number of consecutive failed attempts, for limits that count attempts such as sign-ins."""

    class Meta:
        db_table = "bots_allowance"  # the name of the table in an earlier release

    def __str__(self) -> str:
        return f"{self.key}: whole at {self.until}"
