"""Models of leagues and ladders, mostly projections of event streams."""
# Some columns of `League` are in no event, such as the logo and the reason for a failed pairing. The league's secret
# enters the stream only at the end. Other modules of this package have models that no stream can rebuild.

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from foundation.random_seeds import new_seed
from ftk_core.games import list_games
from tournaments.league_limits import LEAGUE_CONSTRAINTS, MAX_NAME_CHARACTERS, MAX_SLUG_CHARACTERS

ALL_TIME = ""
"""Season label of a game's all-time ladder."""


class LeagueQuerySet(models.QuerySet["League"]):
    """Query set of leagues with filters for valid rows and installed games."""

    def readable(self) -> LeagueQuerySet:
        """Return the leagues whose row meets all database constraints, even if their game is not installed here."""
        return self.filter(*LEAGUE_CONSTRAINTS.values())

    def valid(self) -> LeagueQuerySet:
        """Return the leagues whose row meets all database constraints and whose game is installed here."""
        return self.readable().filter(game__in=list_games())


class League(models.Model):
    """A league. Its source of truth is the event stream ``tournament/<id>``."""

    class Status(models.TextChoices):
        OPEN = "open", "open for entries"
        RUNNING = "running", "running"
        CLOSED = "closed", "closed"

    slug = models.SlugField(max_length=MAX_SLUG_CHARACTERS, unique=True)
    name = models.CharField(max_length=MAX_NAME_CHARACTERS)
    game = models.CharField(max_length=40, db_index=True)
    season = models.CharField(max_length=20, default="", blank=True)
    entries_until = models.DateTimeField(null=True, blank=True)
    """Entry deadline, at which the league begins; null if an organiser begins it."""
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN, db_index=True)
    secret = models.BinaryField(default=new_seed)
    """Secret from which all deals are derived. It is published at the end of the league, its hash at the start."""
    rounds = models.PositiveSmallIntegerField()  # planned number of rounds
    round = models.PositiveSmallIntegerField(default=0)  # the current one; 0 before the first
    paused = models.BooleanField(default=False)
    waits = models.TextField(default="", blank=True)
    """Reason why the last attempt to pair a round failed, encoded by `encode_message`. It is no fact of the stream."""
    cancelled = models.TextField(default="", db_default="", blank=True)  # reason; empty if nobody cancelled it
    predictions = models.BooleanField(default=True, db_default=True)  # False if an organiser turned them off
    comments = models.CharField(max_length=10, default="", db_default="", blank=True)  # mode; empty: settings.COMMENTS
    logo = models.CharField(max_length=16, default="", db_default="", blank=True)  # hash of its `LeagueLogo`, or empty
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LeagueQuerySet.as_manager()

    class Meta:
        constraints = tuple(models.CheckConstraint(condition=q, name=name) for name, q in LEAGUE_CONSTRAINTS.items())

    def __str__(self) -> str:
        return self.name

    @property
    def stream_id(self) -> str:
        """Name of the league's event stream."""
        return f"tournament/{self.pk}"


class Entrant(models.Model):
    """An entry in a league: one bot version that takes part, with its place in the standings."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="entrants")
    number = models.PositiveIntegerField()  # number of the entry, from 1
    version = models.ForeignKey("bots.BotVersion", on_delete=models.PROTECT, related_name="entrants")
    name = models.CharField(max_length=60)
    withdrawn = models.BooleanField(default=False)
    place = models.PositiveIntegerField(default=0)
    points = models.CharField(max_length=40, default="0")
    """Exact fraction as text, such as ``7/3``."""
    tiebreaks = ArrayField(models.TextField(), default=list)
    """Exact fractions as text, one for each tie-break in order."""
    played = models.PositiveIntegerField(default=0)
    byes = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("league", "number"), name="entrants_are_numbered"),)

    def __str__(self) -> str:
        return self.name


class LeagueMatch(models.Model):
    """A match of a league. In each round, each table (a small group of bots) plays one or more matches."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, db_index=False, related_name="tables")
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()  # number of the table in its round, from 1
    game = models.PositiveSmallIntegerField(default=0)  # number of the match at its table, from 0
    match = models.OneToOneField("replays.Match", on_delete=models.PROTECT, related_name="table")
    recorded = models.BooleanField(default=False)

    class Meta:
        db_table = "tournaments_tablematch"  # the table keeps its name, so that an upgrade can be undone
        constraints = (
            models.UniqueConstraint(fields=("league", "round", "number", "game"), name="one_match_per_table"),
        )
        ordering = ("league", "round", "number", "game")

    def __str__(self) -> str:
        return f"{self.league} {self.round}.{self.number}.{self.game}"


class Rating(models.Model):
    """Elo rating of a bot. Its source of truth is the stream ``ladder/<game>`` or ``ladder/<game>/<season>``."""

    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="ratings")
    game = models.CharField(max_length=40, db_index=True)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    value = models.IntegerField()  # Elo rating in thousandths of a point
    matches = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    last_delta = models.IntegerField(default=0)  # change of `value` by the last match

    class Meta:
        constraints = (models.UniqueConstraint(fields=("bot", "season"), name="one_rating_per_season"),)

    def __str__(self) -> str:
        return f"{self.bot} {self.value // 1000}"


class LadderProjection(models.Model):
    """A ladder (rating list) of a game. Its database tables contain all events up to `head`."""

    game = models.CharField(max_length=40)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    head = models.BinaryField(default=bytes)
    """Hash of the stream after the last line that is applied to the database tables."""
    pruned_before = models.BigIntegerField(default=0, db_default=0)
    """Position in the match order before which only the latest matches of each bot have rows."""

    class Meta:
        db_table = "tournaments_ladderfold"  # the table keeps its name, so that an upgrade can be undone
        constraints = (models.UniqueConstraint(fields=("game", "season"), name="one_ladder_fold_per_season"),)

    def __str__(self) -> str:
        return f"{self.game} {self.season}".strip()


class RatedMatchSeat(models.Model):
    """A seat of a rated match, with its bot's Elo rating before and after."""

    ladder = models.ForeignKey(LadderProjection, on_delete=models.CASCADE, db_index=False)
    at = models.BigIntegerField()
    """Position of the match in the order in which matches are rated (`tournaments.ladders.match_rating_order`)."""
    seat = models.PositiveSmallIntegerField()
    match = models.CharField(max_length=32)
    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, db_index=False)
    place = models.PositiveSmallIntegerField()
    """Place of the bot, from 1; 0 if the result of the match was withdrawn."""
    seats = models.PositiveSmallIntegerField()  # number of seats at the table
    before = models.IntegerField()
    """Elo rating before the match, in thousandths of a point; `after` has the same unit."""
    after = models.IntegerField()
    matches = models.PositiveIntegerField()
    """Number of rated matches of the bot, this one included; `wins` is the number of matches that it won."""
    wins = models.PositiveIntegerField()

    class Meta:
        db_table = "tournaments_ratedseat"  # the table keeps its name, so that an upgrade can be undone
        constraints = (models.UniqueConstraint(fields=("ladder", "at", "seat"), name="one_row_per_rated_seat"),)
        indexes = (
            models.Index(fields=("bot", "ladder", "at"), name="rated_seats_of_a_bot"),
            models.Index(fields=("match",), name="rated_seats_of_a_match"),
        )

    def __str__(self) -> str:
        return f"{self.match}.{self.seat} on {self.ladder_id}"


class HeadToHeadTotal(models.Model):
    """Results of one bot against another on a ladder, summed over all matches."""

    ladder = models.ForeignKey(LadderProjection, on_delete=models.CASCADE, db_index=False)
    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="+", db_index=False)
    other = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="+", db_index=False)
    halves = models.IntegerField()
    """Half points of the bot: two for each match in which it finished ahead of the other, one for each shared place."""
    matches = models.IntegerField()

    class Meta:
        db_table = "tournaments_meetingsum"  # the table keeps its name, so that an upgrade can be undone
        constraints = (models.UniqueConstraint(fields=("ladder", "bot", "other"), name="one_sum_per_meeting"),)

    def __str__(self) -> str:
        return f"{self.bot_id} against {self.other_id}: {self.halves}/2 of {self.matches}"


class CourtRating(models.Model):
    """Court rating of a bot on a ladder: the strength of one version, estimated from the ladder's matches."""

    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="court_ratings")
    game = models.CharField(max_length=40, db_index=True)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    version = models.PositiveIntegerField()  # number of the newest active version, or of the newest if none is active
    fitted_versions = ArrayField(models.PositiveIntegerField(), null=True)  # numbers; null in fits of release 1.0.0
    value = models.IntegerField()
    """Rating in hundredths of a point. `low` and `high`, in the same unit, bound its interval of about 95 %."""
    low = models.IntegerField()
    high = models.IntegerField()
    provisional = models.BooleanField()
    ahead = models.FloatField(null=True)
    """Probability that the bot is stronger than the next bot on the ladder; null for the last bot."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("bot", "season"), name="one_court_rating_per_season"),)

    def __str__(self) -> str:
        return f"{self.bot} {self.value // 100}"


class CourtRatingFit(models.Model):
    """Latest fit of a ladder's ratings to its matches."""

    # The fit used the stream up to the line with the hash `head`. A fit locks the row.

    game = models.CharField(max_length=40)
    season = models.CharField(max_length=20, default=ALL_TIME, blank=True)
    head = models.BinaryField(default=bytes)
    matches = models.PositiveIntegerField(default=0)
    bound = models.FloatField(default=0)  # maximum distance of a parameter from the exact fit, in points
    width = models.FloatField(null=True)
    """Standard deviation, in points, that the fit assumes for the strength change between versions of a bot.

    Null if no bot has two rated versions.
    """
    spread = models.FloatField(null=True)  # assumed standard deviation of the strengths of bots, in points
    seats = models.JSONField(default=list)
    """By table size, from the smallest: [value, low, high] of each seat, in points relative to the mean seat."""
    roles = models.JSONField(default=list)
    """[name, value, low, high] of each role, in points relative to the mean role; empty in games without roles."""

    class Meta:
        db_table = "tournaments_courtfit"  # the table keeps its name, so that an upgrade can be undone
        constraints = (models.UniqueConstraint(fields=("game", "season"), name="one_court_fit_per_season"),)

    def __str__(self) -> str:
        return f"{self.game} {self.season}: {self.matches} matches"
