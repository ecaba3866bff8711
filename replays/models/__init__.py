"""Models of append-only streams (event logs), matches, seats, and audits."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from foundation.random_seeds import new_seed
from foundation.time_control_fields import AbstractBotClockModel
from ftk_core.hash_chained_log import GENESIS
from ftk_core.log_entries import stream_of
from replays.match_end_times import RUNNING_STATUSES, end_time_of


class EventStream(models.Model):
    """Current length and hash of an append-only event log."""

    # Writers with an old fencing token are refused.

    id = models.CharField(max_length=80, primary_key=True)
    """Name such as ``match/<id>``, ``tournament/<id>``, ``ladder/<game>/<season>`` or ``bouts/<game>``."""
    length = models.PositiveIntegerField(default=0)
    head = models.BinaryField(default=GENESIS)
    fence = models.PositiveBigIntegerField(default=0)
    """Fencing token: the number of claims on the stream; a writer with a smaller number is refused."""

    class Meta:
        db_table = "replays_stream"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.id} ({self.length})"


class EventStreamPage(models.Model):
    """Lines of an event log that were stored in one transaction."""

    # The database refuses any change to a page.

    pk = models.CompositePrimaryKey("stream_id", "first")
    stream = models.ForeignKey(EventStream, on_delete=models.PROTECT, related_name="pages")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    body = models.BinaryField()
    head = models.BinaryField()

    class Meta:
        db_table = "replays_page"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.stream_id} {self.first}-{self.last}"


UNCOUNTED = models.Q(status="closed", counted=False)
SEATS = "seats"  # queue and job kind of matches with a seat played by a remote bot or a person


def new_id() -> str:
    """Return a short random id, valid in a URL."""
    return secrets.token_hex(6)


class Match(AbstractBotClockModel):
    """A match that waits, is being played, or has ended; its log is the stream ``match/<id>``."""

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
    """Number from which all chance of the match is computed; secret until the match is closed."""
    pace_ms = models.PositiveIntegerField(default=0)
    """Minimum milliseconds between two choices, so that spectators can follow; 0 is as fast as possible."""
    options = models.TextField(blank=True)
    """Options of the game's rules as canonical JSON; empty for the default rules."""
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.LEAGUE)
    """Kind of the match; also the queue in which it waits for a worker, unless `outside` is true."""
    outside = models.BooleanField(default=False, db_default=False)
    """True if a remote bot or a person plays a seat of the match; such matches wait in a separate queue."""
    hand_ms = models.PositiveIntegerField(null=True)
    """Milliseconds that a person who plays by hand has for each choice; null is unlimited."""
    resume_at = models.DateTimeField(null=True)
    """Time at which an adjourned match goes on without the person's answer; null is never."""
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, db_index=False, related_name="+")
    """Person who ordered the match; null if a league or a ladder did."""
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    holder = models.CharField(max_length=80, blank=True)
    """Worker that last claimed the match; empty before the first claim, after an adjournment and in the archive."""
    lease_until = models.DateTimeField(null=True)
    version = models.PositiveSmallIntegerField(null=True)
    """Version of the game's rules with which the match began; null before its start."""
    build = models.CharField(max_length=80, blank=True, default="", db_default="")
    """Build that began the match: version of the core and hash of the game's code. See `playing.resumable_matches`."""
    attempts = models.PositiveIntegerField(default=0)
    """Number of attempts to play the match. Attempts that ended by a shutdown or an adjournment are not counted."""
    reason = models.TextField(blank=True)
    """Reason why the match is void (ended without a result); empty otherwise."""
    released = models.BooleanField(default=True)
    """True if everybody may see the whole match once it has ended; if False, only its result is public."""
    counted = models.BooleanField(default=False, db_default=False)
    """True once the match is included in the sums of results by seat (`SeatResultSum`)."""

    class Meta:
        verbose_name_plural = "matches"
        indexes = (
            models.Index(fields=("released", "id"), condition=UNCOUNTED, name="matches_not_counted"),
            models.Index(fields=("-closed_at",), condition=models.Q(status="void"), name="void_matches"),
            models.Index(fields=("id",), condition=models.Q(attempts__gt=1), name="resumed_matches"),
            models.Index(fields=("status",), condition=RUNNING_STATUSES, name="matches_that_go_on"),
            models.Index(fields=("asked_by",), condition=models.Q(asked_by__isnull=False), name="matches_asked_for"),
            models.Index(fields=("game", "-closed_at"), name="ended_matches_of_a_game"),
            models.Index(fields=("-closed_at",), name="ended_matches"),
            models.Index(fields=("-created_at",), name="created_matches"),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.id}"

    @property
    def stream_id(self) -> str:
        """Name of the match's stream."""
        return stream_of(self.id)

    @property
    def queue(self) -> str:
        """Name of the queue in which the match waits for a worker."""
        return SEATS if self.outside else str(self.kind)

    @property
    def ended(self) -> bool:
        """True if the match is closed (has a result) or void (ended without a result)."""
        return self.status in (self.Status.CLOSED, self.Status.VOID)


class MatchSeat(models.Model):
    """One player's place in a match: the bot version, its result and details for its authors."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, db_index=False, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    version = models.ForeignKey("bots.BotVersion", on_delete=models.PROTECT, db_index=False, related_name="match_seats")
    bot = models.ForeignKey("bots.Bot", models.PROTECT, db_index=False, related_name="match_seats")
    """The version's bot, copied by a trigger, so that an index finds a bot's newest matches."""
    place = models.PositiveSmallIntegerField(null=True)
    score = models.IntegerField(null=True)
    role = models.CharField(max_length=20, blank=True)
    """Role of the seat in games whose players have different roles; empty in other games."""
    excuses = models.PositiveIntegerField(default=0)
    missed = models.JSONField(null=True)
    """Dict from reason to number of missing or invalid answers; `missed`, `spent`, `memory` are null in old matches."""
    spent = models.FloatField(null=True)
    """Time that the bot used, as a share of its allowed time, which includes the time bank; 1 is all of it."""
    memory = models.PositiveBigIntegerField(null=True)
    """Peak memory of the bot in bytes, as measured by the worker that ended the match; null if not measured."""
    reproducible = models.BooleanField(default=True)
    """False if the bot answered differently when a resumed match repeated a question."""
    faults = ArrayField(models.TextField(), default=list)
    """Descriptions of the bot's invalid answers; for its authors only."""
    notes = ArrayField(models.TextField(), default=list)
    """Notes that the bot sent with its answers; for its authors only."""
    stderr = models.TextField(blank=True)
    """First part of the bot's stderr; for its authors only."""
    closed_at = models.DateTimeField(null=True)
    """The match's `closed_at`, copied by a trigger."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("match", "seat"), name="one_bot_per_seat"),)
        indexes = (
            models.Index(fields=("version", "-closed_at"), name="ended_seats_of_a_version"),
            models.Index("bot", end_time_of("closed_at").desc(), name="seats_of_a_bot"),
        )
        ordering = ("match", "seat")

    def __str__(self) -> str:
        return f"{self.match_id} seat {self.seat}"


class SeatQuestionMailbox(models.Model):
    """Current question to the remote bot or person who plays a seat, and the answer."""

    seat = models.OneToOneField(MatchSeat, on_delete=models.CASCADE, primary_key=True, related_name="mailbox")
    bot = models.ForeignKey("bots.Bot", on_delete=models.PROTECT, related_name="mailboxes")
    """The seat's bot, by which connections find the mailbox."""
    hello = models.TextField(blank=True)
    """Greeting of the match, as the JSON line that a bot reads."""
    number = models.PositiveIntegerField(default=0)
    line = models.TextField(blank=True)
    """Question, as the JSON line that a bot reads; empty, and `number` is 0, before the first question."""
    items = models.PositiveIntegerField(default=0)
    """Number of actions on the question's menu."""
    asked_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    """Time at which the question was sent over the current connection; null if it was not sent yet."""
    spent_ms = models.PositiveIntegerField(default=0)
    """Milliseconds for which the bot had the question over earlier, lost connections."""
    answered_at = models.DateTimeField(null=True)
    choice = models.IntegerField(null=True)
    """The answer, an index into the menu; null for an invalid answer."""
    fault = models.TextField(blank=True)
    """Description of an invalid answer; empty for a valid answer."""
    note = models.TextField(blank=True)
    """Note that the bot sent with its answer, for its authors only."""
    took_ms = models.PositiveIntegerField(default=0)
    """Milliseconds for which the bot had the question until it answered, over all connections."""
    over = models.TextField(blank=True)
    """Last message of the match, as the JSON line that a bot reads; empty while the match goes on."""

    class Meta:
        db_table = "replays_mailbox"  # the table keeps its name, so that an upgrade can be undone
        verbose_name_plural = "mailboxes"
        indexes = (models.Index(fields=("bot",), condition=models.Q(sent_at=None), name="mailboxes_not_sent"),)

    def __str__(self) -> str:
        return f"{self.seat}: question {self.number}"


class MatchAudit(models.Model):
    """Result of a match's latest audit, a rerun that is compared with the stored data."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="audited")
    build = models.CharField(max_length=80)
    """Build that reran the match: version of the core and hash of the game's code, as logs record it."""
    at = models.DateTimeField(auto_now=True, db_index=True)
    found = models.TextField(blank=True)
    """Differences between the rerun and the stored match, one per line; empty if there are none."""

    class Meta:
        indexes = (models.Index(fields=("-at",), condition=~models.Q(found=""), name="differing_matches"),)

    def __str__(self) -> str:
        return f"{self.match_id} by {self.build}"
