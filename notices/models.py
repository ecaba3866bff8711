"""What is told outside: to whose endpoints, to which people, and how far the streams have been read for it."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q, Value

from notices.addresses import LONGEST_URL
from notices.saying import say


class Cursor(models.Model):
    """How far something has been read whose happenings are told: a stream, or the verdicts of trials."""

    name = models.CharField(max_length=80, primary_key=True)
    """A stream's name, or ``trials``."""
    length = models.PositiveBigIntegerField(default=0)
    """Lines of the stream that were told; of trials the key of a version, up to which all are."""
    ahead = ArrayField(models.BigIntegerField(), default=list)
    """Keys of versions behind that one which are told already, as a trial may take longer than a later one."""

    def __str__(self) -> str:
        return f"{self.name} up to {self.length}"


class Endpoint(models.Model):
    """An address that a person wants to be told at, by webhooks in the order of their sequence."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="endpoints")
    url = models.CharField(max_length=LONGEST_URL)
    kinds = ArrayField(models.CharField(max_length=20))
    """Of which kinds of happenings it is told."""
    league = models.ForeignKey("tournaments.League", on_delete=models.CASCADE, null=True, related_name="+")
    """The only one of which it is told; null for all."""
    secret = models.CharField(max_length=80)
    old_secret = models.CharField(max_length=80, blank=True)
    old_until = models.DateTimeField(null=True)
    """So long signatures by the secret before this one stand beside the new ones."""
    made_at = models.DateTimeField(auto_now_add=True)
    sequence = models.PositiveBigIntegerField(default=0)
    """Of the last delivery that was made for it."""
    disabled_at = models.DateTimeField(null=True)
    disabled_why = models.CharField(max_length=200, blank=True)
    failures = models.PositiveIntegerField(default=0)
    """How many tries failed since the last one that did not."""
    failing_since = models.DateTimeField(null=True)
    next_at = models.DateTimeField(null=True)
    """Not before then is it tried again."""
    tried_at = models.DateTimeField(null=True)
    """When its last errand began; whoever has waited longest is next."""
    held_until = models.DateTimeField(null=True)
    """So long it is one worker's."""

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One message for one endpoint: what is told, and how telling it went."""

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting"
        ARRIVED = "arrived", "arrived"

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    sequence = models.PositiveBigIntegerField()
    """From 1 for each endpoint, without a gap; the order of arrival."""
    key = models.CharField(max_length=40, unique=True)
    """What ``webhook-id`` says: the same at every try."""
    kind = models.CharField(max_length=20)
    told = models.JSONField()
    """The payload's ``data``."""
    at = models.DateTimeField()
    """When it happened."""
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    tries = models.PositiveIntegerField(default=0)
    tried_at = models.DateTimeField(null=True)
    code = models.PositiveSmallIntegerField(null=True)
    """The status of the last answer; null where there was none."""
    reason = models.CharField(max_length=100, blank=True)
    """Why the last try failed, in our words."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("endpoint", "sequence"), name="deliveries_are_numbered"),)
        indexes = (
            models.Index(fields=("endpoint", "sequence"), condition=Q(status="waiting"), name="deliveries_that_wait"),
        )

    def __str__(self) -> str:
        return f"{self.sequence} of {self.endpoint_id}: {self.status}"


class WithheldEvent(models.Model):
    """An event that tells the inside of a match, kept until that match is released."""

    league = models.ForeignKey("tournaments.League", on_delete=models.CASCADE, related_name="+")
    match = models.CharField(max_length=12)
    kind = models.CharField(max_length=20)
    at = models.DateTimeField()
    data = models.JSONField()
    """The payload's ``data``."""
    entries = ArrayField(models.PositiveIntegerField())
    """The entries of the league that it is about."""

    def __str__(self) -> str:
        return f"{self.kind} of {self.match}"


class Wish(models.Model):
    """What one person wants for one kind of notice; where there is none it is as for everybody."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="wishes")
    kind = models.CharField(max_length=20)
    web = models.BooleanField()
    mail = models.BooleanField()
    mailed_at = models.DateTimeField(null=True)
    """When the last mail of this kind was sent, or tried."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("person", "kind"), name="one_wish_of_a_kind"),)

    def __str__(self) -> str:
        return f"{self.person}, {self.kind}: web {self.web}, mail {self.mail}"


class Notice(models.Model):
    """One sentence for one person."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=120)
    """What it is about: of the same nobody is told twice."""
    text = models.CharField(max_length=300)
    """What is said, in English."""
    pattern = models.CharField(max_length=300, default="", db_default="")
    """What is said, as the catalogues of tongues know it; empty for what was told before there were any."""
    words = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))
    """What stands for the pattern's placeholders."""
    link = models.CharField(max_length=200)
    """The path of the page that says more."""
    at = models.DateTimeField()
    on_web = models.BooleanField()
    """Whether it is listed; else it was for the mail only."""
    read_at = models.DateTimeField(null=True)
    to_mail = models.BooleanField(default=False)
    """Whether a mail is still to say it."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("person", "kind", "key"), name="nobody_is_told_twice"),)
        indexes = (
            models.Index(fields=("person", "-at"), name="notices_of_a_person"),
            models.Index(fields=("person", "kind"), condition=Q(to_mail=True), name="notices_to_mail"),
        )

    @property
    def told(self) -> str:
        """What is said, in the tongue that is spoken now."""
        return say(self.pattern, self.words) if self.pattern else self.text

    def __str__(self) -> str:
        return f"{self.person}: {self.text}"
