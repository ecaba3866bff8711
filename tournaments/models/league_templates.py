"""Model of saved league settings, imported by `tournaments.apps`. No event stream contains them."""

from __future__ import annotations

from django.conf import settings
from django.db import models

MAX_TEMPLATE_NAME_CHARACTERS = 60


class LeagueTemplate(models.Model):
    """Terms (settings) of a league, saved under a name. Organisers use them to announce new leagues."""

    name = models.CharField(max_length=MAX_TEMPLATE_NAME_CHARACTERS, unique=True)
    terms = models.TextField()
    """First fact of the original league (`LeagueOpened`) as JSON, without its organiser and dates."""
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name
