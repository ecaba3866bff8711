"""Who plays: bots, their immutable versions, and the files behind them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models

from ftk_core.kit.names import BOT_NAME, LONGEST_BOT_NAME


class Bot(models.Model):
    """A name on the leaderboard, with one author and one game."""

    class Kind(models.TextChoices):
        UPLOADED = "uploaded", "uploaded"
        REMOTE = "remote", "remote"
        PERSON = "person", "by hand"

    slug = models.SlugField(max_length=LONGEST_BOT_NAME, unique=True, validators=[RegexValidator(BOT_NAME)])
    game = models.CharField(max_length=40, db_index=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots")
    created_at = models.DateTimeField(auto_now_add=True)
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.UPLOADED, db_default=Kind.UPLOADED)
    """Who answers for it: a program in our cage, a program of its author's on a machine of theirs, or its author."""
    challenged = models.BooleanField(default=True, db_default=True)
    """Whether others may challenge it; its authors say."""
    banned = models.CharField(max_length=200, default="", blank=True)
    """Why staff has banned it; empty where it is not."""

    def __str__(self) -> str:
        return self.slug


class Quota(models.Model):
    """How much one author may, where staff has said otherwise than the settings; null where it has not."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="quota"
    )
    uploads = models.PositiveIntegerField(null=True, blank=True)
    """Versions sent within 24 hours."""
    disk = models.PositiveBigIntegerField(null=True, blank=True)
    """Bytes that all versions hold, unpacked, and the programs made of them."""
    trials = models.PositiveIntegerField(null=True, blank=True)
    """Trials that wait at the same time."""
    challenges = models.PositiveIntegerField(null=True, blank=True)
    """Friendly matches, those of challenges included, asked for within 24 hours."""
    reviews = models.PositiveIntegerField(null=True, blank=True)
    """Reviews of matches asked for within 24 hours."""

    def __str__(self) -> str:
        return f"{self.person}: {self.uploads}, {self.disk}, {self.trials}, {self.challenges}, {self.reviews}"


class CoAuthor(models.Model):
    """Somebody who shares a bot with its owner, once he has accepted."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="co_authors")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="shared_bots")
    invited_at = models.DateTimeField(auto_now_add=True)
    accepted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("bot", "person"), name="co_authors_are_invited_once"),)

    def __str__(self) -> str:
        return f"{self.person} of {self.bot}"


class CageReport(models.Model):
    """What a worker found when it tried its cage; it starts no bot unless the cage held."""

    worker = models.CharField(max_length=120, primary_key=True)
    tier = models.CharField(max_length=20)
    cgroup = models.BooleanField(default=False)
    """Whether each bot also has a cgroup of its own."""
    held = models.BooleanField()
    reason = models.TextField(blank=True)
    """Why no bot is started there."""
    languages = models.JSONField(default=dict, db_default={})
    """What bots there may be written in, and how what compiles or runs each calls itself."""
    tried_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.worker}: {self.tier} {'holds' if self.held else 'does not hold'}"


class Allowance(models.Model):
    """What somebody has spent of an allowance (`foundation.throttles`). Not written through: a crash may forget it."""

    key = models.CharField(max_length=120, primary_key=True)
    """The scope, and the address or person."""
    until = models.DateTimeField()
    """When it will be whole again; of tries that failed, when the next one is taken."""
    failures = models.PositiveIntegerField(default=0)
    """How many have failed in a row, where that is what is counted."""

    def __str__(self) -> str:
        return f"{self.key}: whole at {self.until}"


class Token(models.Model):
    """What a program shows instead of its person; of the secret only its hash is kept."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    scopes = ArrayField(models.CharField(max_length=10))
    """What it may: words of `ftk_core.kit.tokens.SCOPES`."""
    start = models.CharField(max_length=15, db_index=True)
    """How it begins: what its person knows it by, and what others keep that it began."""
    digest = models.CharField(max_length=128, unique=True)
    """SHA-512 of the whole of it."""
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    """None for one that does not expire."""
    used_at = models.DateTimeField(null=True)
    """When it was last shown, to the minute."""

    def __str__(self) -> str:
        return f"{self.name} ({self.start}…)"


class DeviceCode(models.Model):
    """A program that waits for a person to give it a token in a browser (RFC 8628)."""

    digest = models.CharField(max_length=128, unique=True)
    """SHA-512 of the code that the program asks again with."""
    user_code = models.CharField(max_length=8, unique=True)
    """What the person types."""
    client = models.CharField(max_length=60)
    """What the program calls itself."""
    scopes = ArrayField(models.CharField(max_length=10))
    address = models.CharField(max_length=60)
    """Where it asked from."""
    asked_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    polled_at = models.DateTimeField()
    """When it last asked whether it may."""
    interval = models.PositiveSmallIntegerField()
    """After how many seconds it may ask again."""
    approved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    refused = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.client} waits with {self.user_code}"


class Answered(models.Model):
    """What was answered to a POST that had a key, so that it is done once: see `bots.idempotency`."""

    key = models.CharField(max_length=64, primary_key=True)
    """SHA-256 of who asked, and their key."""
    print = models.CharField(max_length=64)
    """SHA-256 of what was asked."""
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(null=True)
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.status} at {self.at}"


class Share(models.Model):
    """What a kind of work has had of the workers, by its weight: see `turns`."""

    kind = models.CharField(max_length=20, primary_key=True)
    spent = models.FloatField(default=0)

    def __str__(self) -> str:
        return f"{self.kind}: {self.spent:.1f}"


class Package(models.Model):
    """The files of a bot, stored once under their digest and never changed."""

    digest = models.CharField(max_length=64, primary_key=True)
    command = models.JSONField()
    size = models.PositiveIntegerField()

    def __str__(self) -> str:
        return self.digest[:12]


class PackageFile(models.Model):
    """One file of a package."""

    package = models.ForeignKey(Package, on_delete=models.PROTECT, related_name="files")
    path = models.CharField(max_length=200)
    body = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("package", "path"), name="one_file_per_path"),)

    def __str__(self) -> str:
        return self.path


class BotVersion(models.Model):
    """What one upload made of a bot; only its verdict is ever written to it afterwards."""

    class Status(models.TextChoices):
        TRIAL = "trial", "on trial"
        ACTIVE = "active", "active"
        REFUSED = "refused", "refused"
        RETIRED = "retired", "retired"
        RESTING = "resting", "resting"

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    package = models.ForeignKey(Package, on_delete=models.PROTECT, related_name="versions")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.TRIAL)
    reason = models.TextField(blank=True)
    trial_log = models.TextField(blank=True)
    """What the author is shown of the trial: faults, notes and stderr."""
    uploaded_at = models.DateTimeField(auto_now_add=True)
    token = models.CharField(max_length=25, blank=True)
    """The beginning of the token by which it came; empty where it came by none."""
    tried_at = models.DateTimeField(null=True)
    """When its trial began, the last time it did."""
    trial_until = models.DateTimeField(null=True)
    """End of the lease of its worker, or of the pause after a failed attempt."""
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)  # at its trial

    class Meta:
        constraints = (models.UniqueConstraint(fields=("bot", "number"), name="versions_are_numbered"),)
        ordering = ("bot", "-number")

    def __str__(self) -> str:
        return f"{self.bot.slug} v{self.number}"

    @property
    def label(self) -> str:
        """What a match calls it, e.g. ``ada-3``."""
        return f"{self.bot.slug}-{self.number}"

    @property
    def language(self) -> str:
        """What it is written in, e.g. ``python``."""
        return str(self.package.command[0])

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the version; raises ValueError when anything but the verdict would change."""
        fields = set(kwargs.get("update_fields") or ())
        if self.pk and (not fields or fields - {"status", "reason", "trial_log"}):
            raise ValueError(f"{self} is immutable: say which part of the verdict is written (update_fields)")
        super().save(*args, **kwargs)
