"""Models of append-only streams and of the matches recorded in them."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from foundation.seeds import new_seed
from ftk_core.entries import stream_of
from ftk_core.log import GENESIS
from replays.ends import GOING, until


class Stream(models.Model):
    """Head of one append-only stream, moved by one conditional UPDATE, or not at all."""

    id = models.CharField(max_length=80, primary_key=True)
    """``match/<id>``, ``tournament/<id>``, ``ladder/<game>``, ``ladder/<game>/<season>`` or ``bouts/<game>``."""
    length = models.PositiveIntegerField(default=0)
    head = models.BinaryField(default=GENESIS)
    fence = models.PositiveBigIntegerField(default=0)
    """Number of claims on the stream; a writer with an older number is refused."""

    def __str__(self) -> str:
        return f"{self.id} ({self.length})"


class Page(models.Model):
    """Lines of a stream that became durable together; the database refuses any change to it."""

    pk = models.CompositePrimaryKey("stream_id", "first")
    stream = models.ForeignKey(Stream, on_delete=models.PROTECT, related_name="pages")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    body = models.BinaryField()
    head = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.stream_id} {self.first}-{self.last}"


UNCOUNTED = models.Q(status="closed", counted=False)
SEATS = "seats"  # queue of matches with outside seats; also their kind of work


def new_id() -> str:
    """Return a short random id, valid in a URL."""
    return secrets.token_hex(6)


class Match(models.Model):
    """A match that waits, is played, or has ended; its log is the stream ``match/<id>``."""

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting"
        PLAYING = "playing", "playing"
        ADJOURNED = "adjourned", "adjourned"
        CLOSED = "closed", "closed"
        VOID = "void", "void"

    class Kind(models.TextChoices):
        LEAGUE = "league", "of a league"
        FRIENDLY = "friendly", "friendly"
        LADDER = "ladder", "of a continuous ladder"

    id = models.CharField(max_length=12, primary_key=True, default=new_id)
    game = models.CharField(max_length=40)
    seed = models.BinaryField(default=new_seed)
    """Secret until the match is closed."""
    move_ms = models.PositiveIntegerField(default=1000)
    bank_ms = models.PositiveIntegerField(default=10_000)
    pace_ms = models.PositiveIntegerField(default=0)
    """Minimum time between two choices, for spectators; 0 is as fast as possible."""
    options = models.TextField(blank=True)
    """The game's options as canonical JSON; empty for the default rules."""
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.LEAGUE)
    """Also its queue, unless it has outside seats."""
    outside = models.BooleanField(default=False, db_default=False)
    """True if it has an outside seat, played by a remote program or a person; such matches have a separate queue."""
    hand_ms = models.PositiveIntegerField(null=True)
    """Time of a person for each choice; null is unlimited."""
    resume_at = models.DateTimeField(null=True)
    """When an adjourned match goes on without the answer that it waits for; null is never."""
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, db_index=False, related_name="+")
    """Author of a friendly match; empty in a league."""
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    holder = models.CharField(max_length=80, blank=True)
    """Worker that holds the lease."""
    lease_until = models.DateTimeField(null=True)
    version = models.PositiveSmallIntegerField(null=True)
    build = models.CharField(max_length=80, blank=True, default="", db_default="")
    """Game version and engine build that began it; other software leaves it alone (`replays.playing.builds`)."""
    attempts = models.PositiveIntegerField(default=0)
    """Number of claims by workers; above one, an attempt failed or a worker died."""
    reason = models.TextField(blank=True)
    """Reason why it is void."""
    released = models.BooleanField(default=True)
    """If False, only its result is public, not its inside."""
    counted = models.BooleanField(default=False, db_default=False)
    """True once it is included in the seat sums (`replays.sums`)."""

    class Meta:
        verbose_name_plural = "matches"
        indexes = (
            models.Index(fields=("released", "id"), condition=UNCOUNTED, name="matches_not_counted"),
            models.Index(fields=("-closed_at",), condition=models.Q(status="void"), name="void_matches"),
            models.Index(fields=("id",), condition=models.Q(attempts__gt=1), name="resumed_matches"),
            models.Index(fields=("status",), condition=GOING, name="matches_that_go_on"),
            models.Index(fields=("asked_by",), condition=models.Q(asked_by__isnull=False), name="matches_asked_for"),
            models.Index(fields=("game", "-closed_at"), name="ended_matches_of_a_game"),
            models.Index(fields=("-closed_at",), name="ended_matches"),
            models.Index(fields=("-created_at",), name="created_matches"),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.id}"

    @property
    def stream_id(self) -> str:
        """Name of its stream."""
        return stream_of(self.id)

    @property
    def queue(self) -> str:
        """Queue in which it waits for a worker."""
        return SEATS if self.outside else str(self.kind)

    @property
    def ended(self) -> bool:
        """True if it is closed or void."""
        return self.status in (self.Status.CLOSED, self.Status.VOID)


class MatchSeat(models.Model):
    """Seat of a match: its version, its result, and details that only its author may read."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, db_index=False, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    version = models.ForeignKey("bots.BotVersion", on_delete=models.PROTECT, db_index=False, related_name="match_seats")
    bot = models.ForeignKey("bots.Bot", models.PROTECT, db_index=False, related_name="match_seats")
    """The version's bot, copied by the database: an index finds a bot's newest matches."""
    place = models.PositiveSmallIntegerField(null=True)
    score = models.IntegerField(null=True)
    role = models.CharField(max_length=20, blank=True)
    """Role of the seat, in games with different roles."""
    excuses = models.PositiveIntegerField(default=0)
    missed = models.JSONField(null=True)
    """Number of invalid answers by reason; null in matches before this was recorded, like the fields below."""
    spent = models.FloatField(null=True)
    """Share of its clock that it used: of the time for its choices and the bank."""
    memory = models.PositiveBigIntegerField(null=True)
    """Peak memory of its bot in bytes, by the worker that ended the match; null if not measured."""
    reproducible = models.BooleanField(default=True)
    """False if it answered differently when a resumed match repeated a question."""
    faults = ArrayField(models.TextField(), default=list)
    """Errors; for the author only."""
    notes = ArrayField(models.TextField(), default=list)
    """Notes of the bot; for the author only."""
    stderr = models.TextField(blank=True)
    """First part of stderr; for the author only."""
    closed_at = models.DateTimeField(null=True)
    """The match's, copied by the database."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("match", "seat"), name="one_bot_per_seat"),)
        indexes = (
            models.Index(fields=("version", "-closed_at"), name="ended_seats_of_a_version"),
            models.Index("bot", until("closed_at").desc(), name="seats_of_a_bot"),
        )
        ordering = ("match", "seat")

    def __str__(self) -> str:
        return f"{self.match_id} seat {self.seat}"


class Mailbox(models.Model):
    """Mailbox of an outside seat: its current question and the answer."""

    seat = models.OneToOneField(MatchSeat, on_delete=models.CASCADE, primary_key=True, related_name="mailbox")
    bot = models.ForeignKey("bots.Bot", on_delete=models.PROTECT, related_name="mailboxes")
    """Owner of the mailbox; connections look it up by bot."""
    hello = models.TextField(blank=True)
    """Greeting, as the line that a bot reads."""
    number = models.PositiveIntegerField(default=0)
    line = models.TextField(blank=True)
    """Question, as the line that a bot reads; its number is 0 before the first."""
    items = models.PositiveIntegerField(default=0)
    """Number of items on its menu."""
    asked_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    """Time at which the open connection received the question; null while none has."""
    spent_ms = models.PositiveIntegerField(default=0)
    """Time for which earlier connections had it."""
    answered_at = models.DateTimeField(null=True)
    choice = models.IntegerField(null=True)
    """Answer: an index into the menu."""
    fault = models.TextField(blank=True)
    """Fault of an invalid answer."""
    note = models.TextField(blank=True)
    """Note that the bot sent with its answer, for its author."""
    took_ms = models.PositiveIntegerField(default=0)
    """Time from sending the question to receiving the answer, over all connections."""
    over = models.TextField(blank=True)
    """Last line; empty while the match goes on."""

    class Meta:
        verbose_name_plural = "mailboxes"
        indexes = (models.Index(fields=("bot",), condition=models.Q(sent_at=None), name="mailboxes_not_sent"),)

    def __str__(self) -> str:
        return f"{self.seat}: question {self.number}"


class Attendance(models.Model):
    """Presence of a remote bot's program; the server process with its connection keeps it alive."""

    bot = models.OneToOneField("bots.Bot", on_delete=models.CASCADE, primary_key=True, related_name="attendance")
    connection = models.CharField(max_length=32)
    """Newest connection; earlier ones were taken over."""
    since = models.DateTimeField()
    alive_until = models.DateTimeField()
    """Presence expires at this time. Connections lost because our process died are not charged to the bot."""
    closed_at = models.DateTimeField(null=True)
    """Time at which the program left; null while it is present, or if the server process was lost."""

    def __str__(self) -> str:
        return f"{self.bot} since {self.since}"


class MatchAudit(models.Model):
    """Last audit of a match: the engine build, and its findings."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="audited")
    build = models.CharField(max_length=80)
    """Build that reran it, as a log names it."""
    at = models.DateTimeField(auto_now=True, db_index=True)
    found = models.TextField(blank=True)
    """Differences, one a line; empty without any."""

    class Meta:
        indexes = (models.Index(fields=("-at",), condition=~models.Q(found=""), name="differing_matches"),)

    def __str__(self) -> str:
        return f"{self.match_id} by {self.build}"
