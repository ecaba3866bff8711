"""Projections of the tournaments: tables for the pages, made from the streams and disposable."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from foundation.seeds import new_seed
from ftk_core.games import shelf
from tournaments.bounds import LONGEST_NAME, LONGEST_SLUG, SOUND

ALL_TIME = ""
"""Season value of the ladder of all time."""


class LeagueQuerySet(models.QuerySet["League"]):
    """Leagues with a filter for those that lists can show."""

    def sound(self) -> LeagueQuerySet:
        """Return the leagues with valid rows and a registered game."""
        return self.filter(*SOUND.values(), game__in=shelf())


class League(models.Model):
    """A league; its source of truth is the stream ``tournament/<id>``."""

    class Status(models.TextChoices):
        OPEN = "open", "open for entries"
        RUNNING = "running", "running"
        CLOSED = "closed", "closed"

    slug = models.SlugField(max_length=LONGEST_SLUG, unique=True)
    name = models.CharField(max_length=LONGEST_NAME)
    game = models.CharField(max_length=40, db_index=True)
    season = models.CharField(max_length=20, default="", blank=True)
    entries_until = models.DateTimeField(null=True, blank=True)
    """Time of its automatic start; null if its organiser starts it."""
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN, db_index=True)
    secret = models.BinaryField(default=new_seed)
    """Seed of all deals; its digest is published when the league opens, itself when it closes."""
    rounds = models.PositiveSmallIntegerField()
    round = models.PositiveSmallIntegerField(default=0)
    """The last round paired."""
    paused = models.BooleanField(default=False)
    waits = models.CharField(max_length=200, default="", blank=True)
    """Reason why its next round cannot be paired; found by trying, not from its stream."""
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LeagueQuerySet.as_manager()

    class Meta:
        constraints = tuple(models.CheckConstraint(condition=which, name=name) for name, which in SOUND.items())

    def __str__(self) -> str:
        return self.name

    @property
    def stream_id(self) -> str:
        """Name of its stream."""
        return f"tournament/{self.pk}"


class Entrant(models.Model):
    """A bot version in a league, with its standing."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="entrants")
    number = models.PositiveIntegerField()
    version = models.ForeignKey("bots.BotVersion", on_delete=models.PROTECT, related_name="entrants")
    name = models.CharField(max_length=60)
    withdrawn = models.BooleanField(default=False)
    place = models.PositiveIntegerField(default=0)
    points = models.CharField(max_length=40, default="0")
    """As an exact fraction."""
    tiebreaks = ArrayField(models.TextField(), default=list)
    """As exact fractions, in the order of the tie-breaks."""
    played = models.PositiveIntegerField(default=0)
    byes = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("league", "number"), name="entrants_are_numbered"),)

    def __str__(self) -> str:
        return self.name


class TableMatch(models.Model):
    """A match of a table in a round."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, db_index=False, related_name="tables")
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    game = models.PositiveSmallIntegerField(default=0)
    """Number among the table's matches."""
    match = models.OneToOneField("replays.Match", on_delete=models.PROTECT, related_name="table")
    recorded = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("league", "round", "number", "game"), name="one_match_per_table"),
        )
        ordering = ("league", "round", "number", "game")

    def __str__(self) -> str:
        return f"{self.league} {self.round}.{self.number}.{self.game}"


class Rating(models.Model):
    """A bot's Elo for all time or a season; its source of truth is ``ladder/<game>`` or ``ladder/<game>/<season>``."""

    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="ratings")
    game = models.CharField(max_length=40, db_index=True)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    value = models.IntegerField()
    """In thousandths of a point."""
    matches = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    last_delta = models.IntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("bot", "season"), name="one_rating_per_season"),)

    def __str__(self) -> str:
        return f"{self.bot} {self.value // 1000}"


class LadderFold(models.Model):
    """Progress of the projection of a ladder's stream into its tables."""

    game = models.CharField(max_length=40)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    head = models.BinaryField(default=bytes)
    """Of the ladder's stream."""
    pruned_before = models.BigIntegerField(default=0, db_default=0)  # only each bot's last matches have rows there

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "season"), name="one_ladder_fold_per_season"),)

    def __str__(self) -> str:
        return f"{self.game} {self.season}".strip()


class RatedSeat(models.Model):
    """A seat of a match in a ladder's order, with its bot's Elo before and after the whole match."""

    ladder = models.ForeignKey(LadderFold, on_delete=models.CASCADE, db_index=False)
    at = models.BigIntegerField()
    """Place of the match in the order (`tournaments.ladder_order`)."""
    seat = models.PositiveSmallIntegerField()
    match = models.CharField(max_length=32)
    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, db_index=False)
    place = models.PositiveSmallIntegerField()
    """0 if the match's result was withdrawn."""
    seats = models.PositiveSmallIntegerField()
    """Number of seats at the table."""
    before = models.IntegerField()
    """In thousandths of a point, like `after`."""
    after = models.IntegerField()
    matches = models.PositiveIntegerField()
    """How many of its matches count after this one, and how many of them it won."""
    wins = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("ladder", "at", "seat"), name="one_row_per_rated_seat"),)
        indexes = (
            models.Index(fields=("bot", "ladder", "at"), name="rated_seats_of_a_bot"),
            models.Index(fields=("match",), name="rated_seats_of_a_match"),
        )

    def __str__(self) -> str:
        return f"{self.match}.{self.seat} on {self.ladder_id}"


class MeetingSum(models.Model):
    """Results of a bot against another one on a ladder."""

    ladder = models.ForeignKey(LadderFold, on_delete=models.CASCADE, db_index=False)
    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="+", db_index=False)
    other = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="+", db_index=False)
    halves = models.IntegerField()
    """Half points won: two for finishing ahead of the other, one for a shared place."""
    matches = models.IntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("ladder", "bot", "other"), name="one_sum_per_meeting"),)

    def __str__(self) -> str:
        return f"{self.bot_id} against {self.other_id}: {self.halves}/2 of {self.matches}"


class CourtRating(models.Model):
    """A bot's court rating for all time or a season: that of its newest version rated on that ladder."""

    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="court_ratings")
    game = models.CharField(max_length=40, db_index=True)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    version = models.PositiveIntegerField()
    value = models.IntegerField()
    """In hundredths of a point, like the ends of the interval, which holds it with about 95 %."""
    low = models.IntegerField()
    high = models.IntegerField()
    provisional = models.BooleanField()
    ahead = models.FloatField(null=True)
    """Probability that it is stronger than the next one on the ladder; null for the last."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("bot", "season"), name="one_court_rating_per_season"),)

    def __str__(self) -> str:
        return f"{self.bot} {self.value // 100}"


class CourtFit(models.Model):
    """Last court fit of a ladder, with the head of its stream. A new fit locks its row."""

    game = models.CharField(max_length=40)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    head = models.BinaryField(default=bytes)
    matches = models.PositiveIntegerField(default=0)
    bound = models.FloatField(default=0)  # maximum distance of a parameter from the exact fit, in points
    width = models.FloatField(null=True)
    """Assumed difference between a version and its predecessor, in points; null if no bot has two."""
    spread = models.FloatField(null=True)
    seats = models.JSONField(default=list)
    """By table size, from the smallest: [value, low, high] of each seat, in points above their mean."""
    roles = models.JSONField(default=list)
    """[name, value, low, high] of each role, in points above their mean; empty if the seats have none."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "season"), name="one_court_fit_per_season"),)

    def __str__(self) -> str:
        return f"{self.game} {self.season}: {self.matches} matches"


class LuckMeasure(models.Model):
    """Latest luck measure of a game's results."""

    game = models.CharField(max_length=40, unique=True)
    known = models.PositiveIntegerField()
    """Number of league matches at the time."""
    seats = models.PositiveSmallIntegerField()
    """Table size measured: the most frequent one."""
    matches = models.PositiveIntegerField()
    deals = models.PositiveIntegerField()
    """Number of deals that were played more than once."""
    shares = models.JSONField(default=dict)
    """{value, low, high} by source; empty with too little data."""

    def __str__(self) -> str:
        return f"{self.game}: {self.matches} matches"
