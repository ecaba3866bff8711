"""Models of notifications: read positions in event logs, webhook endpoints, deliveries, preferences and notices."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q, Value

from notices.stored_message_translation import translate_pattern
from notices.webhook_url_validation import MAX_URL_CHARACTERS


class EventLogReadPosition(models.Model):
    """Position up to which the notices app has read an event log."""

    name = models.CharField(max_length=80, primary_key=True)
    """Name of the event log (stream), or ``trials``."""
    length = models.PositiveBigIntegerField(default=0)
    """Number of processed lines of the log. For ``trials``: primary key up to which all versions are processed."""
    ahead = ArrayField(models.BigIntegerField(), default=list)
    """For ``trials``: primary keys above `length` that are processed already, because trials finish out of order."""

    class Meta:
        db_table = "notices_cursor"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.name} up to {self.length}"


class WebhookEndpoint(models.Model):
    """A person's webhook: a URL that receives messages about chosen kinds of events."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="endpoints")
    url = models.CharField(max_length=MAX_URL_CHARACTERS)
    kinds = ArrayField(models.CharField(max_length=20))
    """Subscribed kinds of events, as in `notices.public_events.KINDS`."""
    league = models.ForeignKey("tournaments.League", on_delete=models.CASCADE, null=True, related_name="+")
    """The league whose events are sent; null for the events of all leagues."""
    secret = models.CharField(max_length=80)
    old_secret = models.CharField(max_length=80, blank=True)
    old_until = models.DateTimeField(null=True)
    """Time until which messages are signed with both the old and the new secret."""
    made_at = models.DateTimeField(auto_now_add=True)
    sequence = models.PositiveBigIntegerField(default=0)
    """Sequence number of the endpoint's latest delivery."""
    disabled_at = models.DateTimeField(null=True)
    disabled_why = models.CharField(max_length=200, blank=True)
    failures = models.PositiveIntegerField(default=0)
    """Number of failed attempts to send since the last success."""
    failing_since = models.DateTimeField(null=True)
    next_at = models.DateTimeField(null=True)
    """Earliest time of the next attempt to send."""
    tried_at = models.DateTimeField(null=True)
    """Time when a worker last leased the endpoint; the endpoint with the oldest time is next."""
    held_until = models.DateTimeField(null=True)
    """Time when the current worker's lease expires."""

    class Meta:
        db_table = "notices_endpoint"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(models.Model):
    """One message to one webhook endpoint, with the result of the last attempt to send it."""

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting"
        ARRIVED = "arrived", "arrived"

    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    sequence = models.PositiveBigIntegerField()
    """Position in the endpoint's order of delivery, counted from 1 without gaps."""
    key = models.CharField(max_length=40, unique=True)
    """Value of the HTTP header ``webhook-id``, which is the same at every attempt."""
    kind = models.CharField(max_length=20)
    told = models.JSONField()
    """Value of ``data`` in the JSON payload."""
    at = models.DateTimeField()
    """Time of the event that the message reports."""
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    tries = models.PositiveIntegerField(default=0)
    tried_at = models.DateTimeField(null=True)
    code = models.PositiveSmallIntegerField(null=True)
    """HTTP status of the last response; null if there was no response."""
    reason = models.CharField(max_length=100, blank=True)
    """Reason of the last failure, without any text from the receiving server."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("endpoint", "sequence"), name="deliveries_are_numbered"),)
        indexes = (
            models.Index(fields=("endpoint", "sequence"), condition=Q(status="waiting"), name="deliveries_that_wait"),
        )
        db_table = "notices_delivery"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.sequence} of {self.endpoint_id}: {self.status}"


class UnreleasedMatchEvent(models.Model):
    """A match event that is withheld until the match's moves become public."""

    league = models.ForeignKey("tournaments.League", on_delete=models.CASCADE, related_name="+")
    match = models.CharField(max_length=12)
    kind = models.CharField(max_length=20)
    at = models.DateTimeField()
    data = models.JSONField()
    """Value of ``data`` in the webhook's JSON payload."""
    entries = ArrayField(models.PositiveIntegerField())
    """Numbers of the league's entries (bots in the league) that the event concerns."""

    class Meta:
        db_table = "notices_withheldevent"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.kind} of {self.match}"


class NotificationPreference(models.Model):
    """A person's preferences for one kind of notice; without a row the defaults of the kind apply."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="wishes")
    kind = models.CharField(max_length=20)
    web = models.BooleanField()
    mail = models.BooleanField()
    mailed_at = models.DateTimeField(null=True)
    """Time of the last mail about this kind of notice, sent or attempted."""

    class Meta:
        db_table = "notices_wish"  # the table keeps its name, so that an upgrade can be undone
        constraints = (models.UniqueConstraint(fields=("person", "kind"), name="one_wish_of_a_kind"),)

    def __str__(self) -> str:
        return f"{self.person}, {self.kind}: web {self.web}, mail {self.mail}"


class Follow(models.Model):
    """A bot, author, league or game about which a person wants notices."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    kind = models.CharField(max_length=10)
    """``bot``, ``author``, ``league`` or ``game``."""
    subject = models.CharField(max_length=80)
    """Slug of the bot or league, user id of the author, or name of the game."""
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("person", "kind", "subject"), name="followed_once"),)
        indexes = (models.Index(fields=("kind", "subject"), name="followers_of_a_subject"),)

    def __str__(self) -> str:
        return f"{self.person} follows {self.kind} {self.subject}"


class LastSeenLadderLeader(models.Model):
    """Bot that was first in a game's all-time ranking when the ranking was last checked."""

    # A comparison with the current first bot shows that a bot has lost the first place.

    game = models.CharField(max_length=40, primary_key=True)
    bot = models.CharField(max_length=80)
    """Slug of the bot with the best court rating (the rating from one statistical fit of all results of the game)."""
    head = models.BinaryField()
    """Not used any more. Release 1.0.0 stores the hash of the last page of the ladder's event log here."""

    class Meta:
        db_table = "notices_ladderlead"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.bot} leads {self.game}"


class Notice(models.Model):
    """A notice to one person about an event, shown on the site, sent by mail, or both."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=120)
    """Key of the event; a person gets only one notice per kind and key."""
    text = models.CharField(max_length=300)
    """The notice's sentence in English."""
    pattern = models.CharField(max_length=300, default="", db_default="")
    """The sentence as a gettext message id with placeholders; empty if the notice is stored in English only."""
    words = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))
    """Values of the pattern's placeholders."""
    link = models.CharField(max_length=200)
    """URL path of the page with details."""
    at = models.DateTimeField()
    on_web = models.BooleanField()
    """True if the notice is listed on the site; False if it is sent by mail only."""
    read_at = models.DateTimeField(null=True)
    to_mail = models.BooleanField(default=False)
    """True until the notice has been sent by mail; False if no mail is wanted."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("person", "kind", "key"), name="nobody_is_told_twice"),)
        indexes = (
            models.Index(fields=("person", "-at"), name="notices_of_a_person"),
            models.Index(fields=("person", "kind"), condition=Q(to_mail=True), name="notices_to_mail"),
        )

    @property
    def sentence(self) -> str:
        """Text of the notice in the active language."""
        return translate_pattern(self.pattern, self.words) if self.pattern else self.text

    def __str__(self) -> str:
        return f"{self.person}: {self.text}"
