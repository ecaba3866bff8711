"""Models of notifications: read positions, webhook endpoints, deliveries, notices and preferences."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q, Value

from notices.addresses import LONGEST_URL
from notices.saying import say


class Cursor(models.Model):
    """Read position of a source of events: a stream, or the results of trials."""

    name = models.CharField(max_length=80, primary_key=True)
    """A stream's name, or ``trials``."""
    length = models.PositiveBigIntegerField(default=0)
    """Number of processed lines of the stream; for trials the primary key up to which all versions are processed."""
    ahead = ArrayField(models.BigIntegerField(), default=list)
    """Primary keys beyond it that are processed already, because trials finish out of order."""

    def __str__(self) -> str:
        return f"{self.name} up to {self.length}"


class Endpoint(models.Model):
    """A webhook address of a person, to which events are delivered in the order of their sequence."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="endpoints")
    url = models.CharField(max_length=LONGEST_URL)
    kinds = ArrayField(models.CharField(max_length=20))
    """Subscribed kinds of events."""
    league = models.ForeignKey("tournaments.League", on_delete=models.CASCADE, null=True, related_name="+")
    """The only subscribed league; null for all."""
    secret = models.CharField(max_length=80)
    old_secret = models.CharField(max_length=80, blank=True)
    old_until = models.DateTimeField(null=True)
    """Until then messages are signed with both the old and the new secret."""
    made_at = models.DateTimeField(auto_now_add=True)
    sequence = models.PositiveBigIntegerField(default=0)
    """Number of the latest delivery created for it."""
    disabled_at = models.DateTimeField(null=True)
    disabled_why = models.CharField(max_length=200, blank=True)
    failures = models.PositiveIntegerField(default=0)
    """Number of failed attempts since the last success."""
    failing_since = models.DateTimeField(null=True)
    next_at = models.DateTimeField(null=True)
    """Earliest time of the next attempt."""
    tried_at = models.DateTimeField(null=True)
    """Start of its last lease; the endpoint with the oldest one is next."""
    held_until = models.DateTimeField(null=True)
    """End of a worker's lease."""

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One message for one endpoint and the result of its delivery."""

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting"
        ARRIVED = "arrived", "arrived"

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    sequence = models.PositiveBigIntegerField()
    """Counts from 1 for each endpoint, without gaps; the order of delivery."""
    key = models.CharField(max_length=40, unique=True)
    """Value of the header ``webhook-id``: the same at every attempt."""
    kind = models.CharField(max_length=20)
    told = models.JSONField()
    """The payload's ``data``."""
    at = models.DateTimeField()
    """Time of the event."""
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    tries = models.PositiveIntegerField(default=0)
    tried_at = models.DateTimeField(null=True)
    code = models.PositiveSmallIntegerField(null=True)
    """HTTP status of the last answer; null without an answer."""
    reason = models.CharField(max_length=100, blank=True)
    """Reason of the last failure, in our words."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("endpoint", "sequence"), name="deliveries_are_numbered"),)
        indexes = (
            models.Index(fields=("endpoint", "sequence"), condition=Q(status="waiting"), name="deliveries_that_wait"),
        )

    def __str__(self) -> str:
        return f"{self.sequence} of {self.endpoint_id}: {self.status}"


class WithheldEvent(models.Model):
    """An event that reveals the inside of a match, stored until that match is released."""

    league = models.ForeignKey("tournaments.League", on_delete=models.CASCADE, related_name="+")
    match = models.CharField(max_length=12)
    kind = models.CharField(max_length=20)
    at = models.DateTimeField()
    data = models.JSONField()
    """The payload's ``data``."""
    entries = ArrayField(models.PositiveIntegerField())
    """Entries of the league that the event concerns."""

    def __str__(self) -> str:
        return f"{self.kind} of {self.match}"


class Wish(models.Model):
    """A person's preferences for one kind of notice; without a row the defaults apply."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="wishes")
    kind = models.CharField(max_length=20)
    web = models.BooleanField()
    mail = models.BooleanField()
    mailed_at = models.DateTimeField(null=True)
    """Time of the last mail of this kind, sent or attempted."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("person", "kind"), name="one_wish_of_a_kind"),)

    def __str__(self) -> str:
        return f"{self.person}, {self.kind}: web {self.web}, mail {self.mail}"


class Notice(models.Model):
    """One sentence for one person."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=120)
    """Key of the event; a person gets only one notice per kind and key."""
    text = models.CharField(max_length=300)
    """The sentence in English."""
    pattern = models.CharField(max_length=300, default="", db_default="")
    """The sentence as a message id of the translation catalogues; empty for notices from before translation."""
    words = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))
    """Values of the pattern's placeholders."""
    link = models.CharField(max_length=200)
    """Path of the page with details."""
    at = models.DateTimeField()
    on_web = models.BooleanField()
    """True if it is listed on the web; False for a notice that was sent by mail only."""
    read_at = models.DateTimeField(null=True)
    to_mail = models.BooleanField(default=False)
    """True if a mail with it is pending."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("person", "kind", "key"), name="nobody_is_told_twice"),)
        indexes = (
            models.Index(fields=("person", "-at"), name="notices_of_a_person"),
            models.Index(fields=("person", "kind"), condition=Q(to_mail=True), name="notices_to_mail"),
        )

    @property
    def told(self) -> str:
        """The sentence in the active language."""
        return say(self.pattern, self.words) if self.pattern else self.text

    def __str__(self) -> str:
        return f"{self.person}: {self.text}"
