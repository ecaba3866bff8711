"""Models of people's roles in leagues, and of organisers' proposed or refused actions."""
# Unlike most tables of this app, they are no projections of event streams. `tournaments.apps` imports this module.

from __future__ import annotations

from django.conf import settings
from django.db import models

MAX_REFUSAL_CHARACTERS = 200


class LeagueRole(models.Model):
    """A person's role in one league."""

    class Role(models.TextChoices):
        ORGANISER = "organiser", "organiser"
        CO_ORGANISER = "co-organiser", "co-organiser"
        JUDGE = "judge", "judge"

    league = models.ForeignKey("tournaments.League", on_delete=models.CASCADE, related_name="roles")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="league_roles")
    role = models.CharField(max_length=12, choices=Role.choices)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("league", "person"), name="one_role_in_a_league"),)

    def __str__(self) -> str:
        return f"{self.person}: {self.role} of {self.league}"


class Proposal(models.Model):
    """A proposed action on a league, which a second organiser approves or declines."""

    # The organiser who proposed it has a bot in the league and may therefore not act alone.

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting"
        APPROVED = "approved", "approved"
        DECLINED = "declined", "declined"

    league = models.ForeignKey("tournaments.League", on_delete=models.CASCADE, related_name="proposals")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="proposals")
    verb = models.CharField(max_length=20)
    told = models.JSONField()
    """Arguments of the act by name, such as the entry or the match."""
    why = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.verb} {self.told} by {self.by}: {self.status}"


class Refusal(models.Model):
    """An action on a league that was refused because the person had no right to it."""

    league = models.ForeignKey("tournaments.League", on_delete=models.CASCADE, related_name="refusals")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="refusals")
    what = models.CharField(max_length=MAX_REFUSAL_CHARACTERS)
    """The refused act and its arguments as text."""
    why = models.CharField(max_length=MAX_REFUSAL_CHARACTERS)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.person}, {self.what}: {self.why}"
