"""Model of series, a projection of the streams ``series/<id>``. `tournaments.apps` imports it."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from tournaments.league_limits import MAX_NAME_CHARACTERS, MAX_SLUG_CHARACTERS


class Series(models.Model):
    """A series of leagues of one game, whose points are added up for each bot."""

    slug = models.SlugField(max_length=MAX_SLUG_CHARACTERS, unique=True)
    name = models.CharField(max_length=MAX_NAME_CHARACTERS)
    game = models.CharField(max_length=40)
    drops = models.PositiveSmallIntegerField(default=0)
    """Number of each bot's worst leagues that do not count."""
    points = ArrayField(models.PositiveIntegerField(), default=list)
    """Points by place, first place first. If empty, a bot gets 100 times the share of bots that finish behind it."""
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="series")
    created_at = models.DateTimeField(auto_now_add=True)
    leagues = models.ManyToManyField("tournaments.League", related_name="series")

    def __str__(self) -> str:
        return self.name

    @property
    def stream_id(self) -> str:
        """Name of the series' event stream."""
        return f"series/{self.pk}"
