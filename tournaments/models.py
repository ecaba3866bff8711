"""The projections of the tournaments: tables for the pages, made from the streams and thrown away at will."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from foundation.seeds import new_seed
from ftk_core.games import shelf
from tournaments.bounds import LONGEST_NAME, LONGEST_SLUG, SOUND

ALL_TIME = ""
"""Stands for the season of the ladder that never ends."""


class LeagueQuerySet(models.QuerySet["League"]):
    """Leagues, of which a list shows the sound ones."""

    def sound(self) -> LeagueQuerySet:
        """Return those that can be shown: their rows hold what they may, and their game is on the shelf."""
        return self.filter(*SOUND.values(), game__in=shelf())


class League(models.Model):
    """A league; its truth is the stream ``tournament/<id>``."""

    class Status(models.TextChoices):
        OPEN = "open", "open for entries"
        RUNNING = "running", "running"
        CLOSED = "closed", "closed"

    slug = models.SlugField(max_length=LONGEST_SLUG, unique=True)
    name = models.CharField(max_length=LONGEST_NAME)
    game = models.CharField(max_length=40, db_index=True)
    season = models.CharField(max_length=20, default="", blank=True)
    entries_until = models.DateTimeField(null=True, blank=True)
    """When it begins by itself; null where its organiser begins it."""
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN, db_index=True)
    secret = models.BinaryField(default=new_seed)
    """All deals follow from it; its seal is published when the league opens, itself when it closes."""
    rounds = models.PositiveSmallIntegerField()
    round = models.PositiveSmallIntegerField(default=0)
    """The last round paired."""
    paused = models.BooleanField(default=False)
    waits = models.CharField(max_length=200, default="", blank=True)
    """Why its next round cannot be paired as things are; not from its stream, but found out when that was tried."""
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LeagueQuerySet.as_manager()

    class Meta:
        constraints = tuple(models.CheckConstraint(condition=which, name=name) for name, which in SOUND.items())

    def __str__(self) -> str:
        return self.name

    @property
    def stream_id(self) -> str:
        """The name of its stream."""
        return f"tournament/{self.pk}"


class Entrant(models.Model):
    """A bot version in a league, and where it stands."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="entrants")
    number = models.PositiveIntegerField()
    version = models.ForeignKey("bots.BotVersion", on_delete=models.PROTECT, related_name="entrants")
    name = models.CharField(max_length=60)
    withdrawn = models.BooleanField(default=False)
    place = models.PositiveIntegerField(default=0)
    points = models.CharField(max_length=40, default="0")
    """As an exact fraction."""
    tiebreaks = ArrayField(models.TextField(), default=list)
    """Exact fractions too, in the order in which the tie-breaks are applied."""
    played = models.PositiveIntegerField(default=0)
    byes = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("league", "number"), name="entrants_are_numbered"),)

    def __str__(self) -> str:
        return self.name


class TableMatch(models.Model):
    """One match of one table of a round."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, db_index=False, related_name="tables")
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    game = models.PositiveSmallIntegerField(default=0)
    """Which of the pairing's matches."""
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
    """A bot's rating of all time or of a season; its truth is ``ladder/<game>`` or ``ladder/<game>/<season>``."""

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
    """How far a ladder's tables have been made from its stream: they are a projection of it."""

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
    """One seat of a match in a ladder's order, and how its bot stood before and after the whole match."""

    ladder = models.ForeignKey(LadderFold, on_delete=models.CASCADE, db_index=False)
    at = models.BigIntegerField()
    """The match's place in the order (`tournaments.ladder_order`)."""
    seat = models.PositiveSmallIntegerField()
    match = models.CharField(max_length=32)
    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, db_index=False)
    place = models.PositiveSmallIntegerField()
    """0 where the match's result was taken away."""
    seats = models.PositiveSmallIntegerField()
    """How many sat at the table."""
    before = models.IntegerField()
    """In thousandths of a point, as is what comes after."""
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
    """What a bot did against another one on a ladder."""

    ladder = models.ForeignKey(LadderFold, on_delete=models.CASCADE, db_index=False)
    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="+", db_index=False)
    other = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="+", db_index=False)
    halves = models.IntegerField()
    """Half points won: two where it ended before the other, one where they shared a place."""
    matches = models.IntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("ladder", "bot", "other"), name="one_sum_per_meeting"),)

    def __str__(self) -> str:
        return f"{self.bot_id} against {self.other_id}: {self.halves}/2 of {self.matches}"


class CourtRating(models.Model):
    """A bot's court rating of all time or of a season: that of its newest version which is rated on that ladder."""

    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="court_ratings")
    game = models.CharField(max_length=40, db_index=True)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    version = models.PositiveIntegerField()
    value = models.IntegerField()
    """In hundredths of a point, as are the ends of the interval that holds it, about 95 % sure."""
    low = models.IntegerField()
    high = models.IntegerField()
    provisional = models.BooleanField()
    ahead = models.FloatField(null=True)
    """How likely it is that it is stronger than the next one on the ladder; null for the last."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("bot", "season"), name="one_court_rating_per_season"),)

    def __str__(self) -> str:
        return f"{self.bot} {self.value // 100}"


class CourtFit(models.Model):
    """Up to which head of its stream a ladder's court ratings were fitted; whoever fits them anew holds its row."""

    game = models.CharField(max_length=40)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    head = models.BinaryField(default=bytes)
    matches = models.PositiveIntegerField(default=0)
    bound = models.FloatField(default=0)  # no parameter is further from the exact fit, in points
    width = models.FloatField(null=True)
    """How much a version is believed to differ from the one before it, in points; null where no bot has two."""
    spread = models.FloatField(null=True)
    seats = models.JSONField(default=list)
    """By table size, from the smallest: [value, low, high] of each seat, in points above their mean."""
    roles = models.JSONField(default=list)
    """[name, value, low, high] of each role, in points above their mean; empty where the game's seats have none."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "season"), name="one_court_fit_per_season"),)

    def __str__(self) -> str:
        return f"{self.game} {self.season}: {self.matches} matches"


class LuckMeasure(models.Model):
    """How much of a game's results is luck, as it was measured last."""

    game = models.CharField(max_length=40, unique=True)
    known = models.PositiveIntegerField()
    """How many league matches there were."""
    seats = models.PositiveSmallIntegerField()
    """Of the tables that were looked at: those of which there are most."""
    matches = models.PositiveIntegerField()
    deals = models.PositiveIntegerField()
    """How many deals were played more than once."""
    shares = models.JSONField(default=dict)
    """By source, {value, low, high}; empty where there was too little to tell."""

    def __str__(self) -> str:
        return f"{self.game}: {self.matches} matches"
