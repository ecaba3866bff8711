"""Models of bots, their immutable versions, and their files."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models

from ftk_core.kit.uploads.bot_names import BOT_NAME, MAX_BOT_NAME_CHARACTERS


class Bot(models.Model):
    """Bot with an owner and a game; each upload creates a version of it."""

    class Kind(models.TextChoices):
        UPLOADED = "uploaded", "uploaded"
        REMOTE = "remote", "remote"
        PERSON = "person", "by hand"

    slug = models.SlugField(max_length=MAX_BOT_NAME_CHARACTERS, unique=True, validators=[RegexValidator(BOT_NAME)])
    game = models.CharField(max_length=40, db_index=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots")
    created_at = models.DateTimeField(auto_now_add=True)
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.UPLOADED, db_default=Kind.UPLOADED)
    """Source of the bot's answers: a program in the sandbox or on the author's machine, or the author by hand."""
    challenged = models.BooleanField(default=True, db_default=True)
    """True if the authors allow others to challenge the bot (order matches against it)."""
    banned = models.CharField(max_length=200, default="", blank=True)
    """Reason why staff banned the bot; empty if it is not banned."""

    def __str__(self) -> str:
        return self.slug


class Quota(models.Model):
    """Limits that staff set for one author."""

    # If a field is null, the default of the settings applies.

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="quota"
    )
    uploads = models.PositiveIntegerField(null=True, blank=True)
    """Maximum number of versions uploaded within 24 hours."""
    disk = models.PositiveBigIntegerField(null=True, blank=True)
    """Maximum bytes of all the author's versions, unpacked, including their compiled programs."""
    trials = models.PositiveIntegerField(null=True, blank=True)
    """Maximum number of trial matches pending at the same time."""
    challenges = models.PositiveIntegerField(null=True, blank=True)
    """Maximum number of matches outside leagues (friendlies and challenges) requested within 24 hours."""
    reviews = models.PositiveIntegerField(null=True, blank=True)
    """Maximum number of match analyses (reviews) requested within 24 hours."""

    def __str__(self) -> str:
        return f"{self.person}: {self.uploads}, {self.disk}, {self.trials}, {self.challenges}, {self.reviews}"


class CoAuthor(models.Model):
    """A person who shares a bot with its owner, or is invited to (`accepted_at` is null)."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="co_authors")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="shared_bots")
    invited_at = models.DateTimeField(auto_now_add=True)
    accepted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("bot", "person"), name="co_authors_are_invited_once"),)

    def __str__(self) -> str:
        return f"{self.person} of {self.bot}"


class ApiToken(models.Model):
    """API token of a person, stored as a hash."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    scopes = ArrayField(models.CharField(max_length=10))
    """Permissions of the token: keys of `ftk_core.kit.client.api_token_format.SCOPES`."""
    start = models.CharField(max_length=15, db_index=True)
    """First characters of the token, shown to its owner and stored with the sessions and uploads that used it."""
    digest = models.CharField(max_length=128, unique=True)
    """SHA-512 of the whole token."""
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    """Time when the token expires; None for a token that does not expire."""
    used_at = models.DateTimeField(null=True)
    """Time when the token was last used, precise to a minute."""
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="children")
    """Token that started the session in which this token was created; both are revoked together."""

    class Meta:
        db_table = "bots_token"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.name} ({self.start}…)"


class DeviceAuthorizationRequest(models.Model):
    """A program's pending request for a token, which a person approves in a browser (RFC 8628)."""

    digest = models.CharField(max_length=128, unique=True)
    """SHA-512 of the device code, with which the program polls."""
    user_code = models.CharField(max_length=8, unique=True)
    """Code that the person types in the browser."""
    client = models.CharField(max_length=60)
    """Name that the program gave for itself."""
    scopes = ArrayField(models.CharField(max_length=10))
    address = models.CharField(max_length=60)
    """Network address of the program."""
    asked_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    polled_at = models.DateTimeField()
    """Time when the program last polled."""
    interval = models.PositiveSmallIntegerField()
    """Minimum seconds between two polls of the program."""
    approved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    parent = models.ForeignKey(ApiToken, on_delete=models.CASCADE, null=True, related_name="+")
    """Token that started the session in which the person approved the request."""
    refused = models.BooleanField(default=False)

    class Meta:
        db_table = "bots_devicecode"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.client} waits with {self.user_code}"


class IdempotencyKeyResponse(models.Model):
    """Stored response to a POST with an idempotency key: see `bots.api.idempotency`."""

    key = models.CharField(max_length=64, primary_key=True)
    """SHA-256 of the person and their idempotency key."""
    print = models.CharField(max_length=64)
    """SHA-256 of the request's method, path and content."""
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(null=True)
    at = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "bots_answered"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.status} at {self.at}"


class BotPackage(models.Model):
    """The uploaded files of one or more bot versions; they never change."""

    # Versions with the same files share one package.

    digest = models.CharField(max_length=64, primary_key=True)
    """SHA-256 over the paths and contents of the files, in hexadecimal."""
    command = models.JSONField()
    """List of the language and the file to run, such as ``["python", "bot.py"]``, perhaps with arguments."""
    size = models.PositiveIntegerField()

    class Meta:
        db_table = "bots_package"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return self.digest[:12]


class BotPackageFile(models.Model):
    """One of the uploaded files in a package."""

    package = models.ForeignKey(BotPackage, on_delete=models.PROTECT, related_name="files")
    path = models.CharField(max_length=200)
    body = models.BinaryField()

    class Meta:
        db_table = "bots_packagefile"  # the table keeps its name, so that an upgrade can be undone
        constraints = (models.UniqueConstraint(fields=("package", "path"), name="one_file_per_path"),)

    def __str__(self) -> str:
        return self.path


class BotVersion(models.Model):
    """One upload of a bot; its number and files never change."""

    class Status(models.TextChoices):
        TRIAL = "trial", "on trial"
        ACTIVE = "active", "active"
        REFUSED = "refused", "refused"
        RETIRED = "retired", "retired"
        RESTING = "resting", "resting"

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    package = models.ForeignKey(BotPackage, on_delete=models.PROTECT, related_name="versions")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.TRIAL)
    """State of the version. Only an active version enters leagues; a resting one waits to be activated again."""
    reason = models.TextField(blank=True)
    trial_log = models.TextField(blank=True)
    """Log of the trial match for the bot's authors: faults, notes and stderr of the bot."""
    uploaded_at = models.DateTimeField(auto_now_add=True)
    token = models.CharField(max_length=25, blank=True)
    """First characters of the token used for the upload; empty if none was used."""
    tried_at = models.DateTimeField(null=True)
    """Time when the latest attempt at the version's trial match began."""
    trial_until = models.DateTimeField(null=True)
    """End of the lease of the worker that plays the trial match, or of the pause after a failed attempt."""
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    """Number of attempts at the trial match."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("bot", "number"), name="versions_are_numbered"),)
        ordering = ("bot", "-number")

    def __str__(self) -> str:
        return f"{self.bot.slug} v{self.number}"

    @property
    def label(self) -> str:
        """The version's name in matches, e.g. ``ada-3``."""
        return f"{self.bot.slug}-{self.number}"

    @property
    def language(self) -> str:
        """The version's programming language, e.g. ``python``."""
        return str(self.package.command[0])

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the version. Raises ValueError if this would change an immutable field."""
        # For a stored version, `update_fields` may name only the status, the reason and the log of the trial match.
        fields = set(kwargs.get("update_fields") or ())
        if self.pk and (not fields or fields - {"status", "reason", "trial_log"}):
            raise ValueError(f"{self} is immutable: say which part of the verdict is written (update_fields)")
        super().save(*args, **kwargs)
