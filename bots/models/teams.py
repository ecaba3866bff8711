"""Former co-authors of bots, kept because conflicts of interest outlast the membership of a team."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from bots.models import Bot


class FormerMember(models.Model):
    """A person who was a co-author of a bot and has left its team."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="former_members")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="former_teams")
    left_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("bot", "person"), name="one_row_for_a_former_member"),)

    def __str__(self) -> str:
        return f"{self.person} left {self.bot}"
