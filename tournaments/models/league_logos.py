"""Model of the logos of leagues, imported by `tournaments.apps`. No event stream contains them."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.models import League


class LeagueLogo(models.Model):
    """The picture of a league."""

    # Pages read its hash from `League.logo`, so that they need not query this table.

    league = models.OneToOneField(League, on_delete=models.CASCADE, primary_key=True, related_name="logo_picture")
    body = models.BinaryField()
    """PNG file, at most 256 pixels wide and high."""
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """The person who set the logo; null if it was set from a shell, or if the account was deleted."""
    set_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"logo of {self.league_id}"
