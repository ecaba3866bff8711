"""What happened: streams of pages that can only grow, and the matches that are played into them."""

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
    """The head of one append-only stream: moved by one conditional UPDATE, or not at all."""

    id = models.CharField(max_length=80, primary_key=True)
    """``match/<id>``, ``tournament/<id>``, ``ladder/<game>``, ``ladder/<game>/<season>`` or ``bouts/<game>``."""
    length = models.PositiveIntegerField(default=0)
    head = models.BinaryField(default=GENESIS)
    fence = models.PositiveBigIntegerField(default=0)
    """Counts the claims on the stream; a writer with an older number is refused."""

    def __str__(self) -> str:
        return f"{self.id} ({self.length})"


class Page(models.Model):
    """Some lines of a stream that became durable at once; the database refuses any change to it."""

    pk = models.CompositePrimaryKey("stream_id", "first")
    stream = models.ForeignKey(Stream, on_delete=models.PROTECT, related_name="pages")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    body = models.BinaryField()
    head = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.stream_id} {self.first}-{self.last}"


UNCOUNTED = models.Q(status="closed", counted=False)
SEATS = "seats"  # the queue of the matches with seats that are played from outside; also their kind to workers


def new_id() -> str:
    """Return a short random id that is fit for an address."""
    return secrets.token_hex(6)


class Match(models.Model):
    """One match to play, being played, or played; its story is the stream ``match/<id>``."""

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
    """The least time between two choices, for those who watch; 0 is as fast as it goes."""
    options = models.TextField(blank=True)
    """The game's options as canonical JSON; empty as the rule book has it."""
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.LEAGUE)
    """Also the queue in which it waits, unless somebody from outside sits in it."""
    outside = models.BooleanField(default=False, db_default=False)
    """Whether somebody from outside sits in it, a program over a socket or a person: it has a queue of its own."""
    hand_ms = models.PositiveIntegerField(null=True)
    """How long a person has for each choice; null is as long as they like."""
    resume_at = models.DateTimeField(null=True)
    """When an adjourned match goes on without the answer that it waits for; null is never."""
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, db_index=False, related_name="+")
    """Whose a friendly match is; nobody's in a league."""
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    holder = models.CharField(max_length=80, blank=True)
    """The worker that holds the lease."""
    lease_until = models.DateTimeField(null=True)
    version = models.PositiveSmallIntegerField(null=True)
    build = models.CharField(max_length=80, blank=True, default="", db_default="")
    """By which version of the game and build of the engine it was begun: others leave it (`replays.playing.builds`)."""
    attempts = models.PositiveIntegerField(default=0)
    """Number of claims by workers; above one, an attempt failed or a worker died."""
    reason = models.TextField(blank=True)
    """Why it is void."""
    released = models.BooleanField(default=True)
    """Whether everybody may see what happens within it; if not, its result is all that is told."""
    counted = models.BooleanField(default=False, db_default=False)
    """Whether it is in the sums of the seats (`replays.sums`)."""

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
        """The name of its stream."""
        return stream_of(self.id)

    @property
    def queue(self) -> str:
        """The queue in which it waits for a worker."""
        return SEATS if self.outside else str(self.kind)

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen in it."""
        return self.status in (self.Status.CLOSED, self.Status.VOID)


class MatchSeat(models.Model):
    """Who sits where, how it ended for them, and what only their author may read."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, db_index=False, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    version = models.ForeignKey("bots.BotVersion", on_delete=models.PROTECT, db_index=False, related_name="match_seats")
    bot = models.ForeignKey("bots.Bot", models.PROTECT, db_index=False, related_name="match_seats")
    """The version's, as the database copies it: a bot's newest matches are found without everybody's."""
    place = models.PositiveSmallIntegerField(null=True)
    score = models.IntegerField(null=True)
    role = models.CharField(max_length=20, blank=True)
    """What the seat turned out to be, in a game where that is not the same for all."""
    excuses = models.PositiveIntegerField(default=0)
    missed = models.JSONField(null=True)
    """By reason how often it gave no valid answer; null in matches from before that was kept, as is what follows."""
    spent = models.FloatField(null=True)
    """The part of its clock that it used: of what its choices and the bank allowed."""
    memory = models.PositiveBigIntegerField(null=True)
    """The most bytes that its bot was seen to use, by the worker that ended the match; null where nobody looked."""
    reproducible = models.BooleanField(default=True)
    """False once it answered otherwise when a resumed match asked it what it had been asked before."""
    faults = ArrayField(models.TextField(), default=list)
    """The author's: what went wrong."""
    notes = ArrayField(models.TextField(), default=list)
    """The author's: what the bot noted."""
    stderr = models.TextField(blank=True)
    """The author's: the first part of stderr."""
    closed_at = models.DateTimeField(null=True)
    """The match's, as the database copies it."""

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
    """Where the questions to a seat that is played from outside wait for their answers, one after the other."""

    seat = models.OneToOneField(MatchSeat, on_delete=models.CASCADE, primary_key=True, related_name="mailbox")
    bot = models.ForeignKey("bots.Bot", on_delete=models.PROTECT, related_name="mailboxes")
    """Whose it is: what its connection looks for."""
    hello = models.TextField(blank=True)
    """The greeting, as the line that a bot reads."""
    number = models.PositiveIntegerField(default=0)
    line = models.TextField(blank=True)
    """The question, as the line that a bot reads, and its number; 0 before the first."""
    items = models.PositiveIntegerField(default=0)
    """How many there are on its menu."""
    asked_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    """When the connection that is open was given the question; null while none was."""
    spent_ms = models.PositiveIntegerField(default=0)
    """How long earlier connections had it."""
    answered_at = models.DateTimeField(null=True)
    choice = models.IntegerField(null=True)
    """The answer: an index into the menu."""
    fault = models.TextField(blank=True)
    """What is wrong with an answer that is none."""
    note = models.TextField(blank=True)
    """What the bot noted with its answer, for its author."""
    took_ms = models.PositiveIntegerField(default=0)
    """From when the question was sent to when the answer came, over all connections."""
    over = models.TextField(blank=True)
    """The last line; empty while the match goes on."""

    class Meta:
        verbose_name_plural = "mailboxes"
        indexes = (models.Index(fields=("bot",), condition=models.Q(sent_at=None), name="mailboxes_not_sent"),)

    def __str__(self) -> str:
        return f"{self.seat}: question {self.number}"


class Attendance(models.Model):
    """Whether a remote bot's program is connected: the server process that has the connection keeps it alive."""

    bot = models.OneToOneField("bots.Bot", on_delete=models.CASCADE, primary_key=True, related_name="attendance")
    connection = models.CharField(max_length=32)
    """The newest connection; one before it was taken over."""
    since = models.DateTimeField()
    alive_until = models.DateTimeField()
    """Until then its server process is believed to live; a connection that was lost by us is not its bot's fault."""
    closed_at = models.DateTimeField(null=True)
    """When the program left; null while it is there, or if the server process was lost."""

    def __str__(self) -> str:
        return f"{self.bot} since {self.since}"


class MatchAudit(models.Model):
    """The last audit of a match: by which version of the engine, and what it found."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="audited")
    build = models.CharField(max_length=80)
    """What reran it, as a log names it."""
    at = models.DateTimeField(auto_now=True, db_index=True)
    found = models.TextField(blank=True)
    """The differences, one a line; empty when there were none."""

    class Meta:
        indexes = (models.Index(fields=("-at",), condition=~models.Q(found=""), name="differing_matches"),)

    def __str__(self) -> str:
        return f"{self.match_id} by {self.build}"
