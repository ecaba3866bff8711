"""Models of people, in addition to Django's and allauth's: sessions, languages, invitations, bans, acts of staff."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SignIn(models.Model):
    """Description of a session, which itself is Django's."""

    key = models.CharField(max_length=40, unique=True)
    """The key of the session."""
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_ins")
    way = models.CharField(max_length=60, blank=True)
    """Way of signing in: ``sign-up``, ``password``, ``password, totp``, ``webauthn``, ``token``, a service's name."""
    token = models.CharField(max_length=25, blank=True)
    """First characters of the token, if it was started with one."""
    address = models.CharField(max_length=60)
    browser = models.CharField(max_length=120)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.owner} since {self.at}"


class KeptTongue(models.Model):
    """The language of mails to a person."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="kept_tongue"
    )
    tongue = models.CharField(max_length=10)
    """``en`` or ``zh-Hant``."""

    def __str__(self) -> str:
        return f"{self.person}: {self.tongue}"


class GoneName(models.Model):
    """Tombstone: the name of a deleted account as a digest, so that nobody else takes it; old leagues contain it."""

    digest = models.CharField(max_length=64, primary_key=True)
    """SHA-256 of the name in lower case."""

    def __str__(self) -> str:
        return self.digest[:12]


class Invitation(models.Model):
    """A link to create one account with a role. Only the digest of its token is stored."""

    class Role(models.TextChoices):
        AUTHOR = "author", "author"
        ORGANISER = "organiser", "organiser"

    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the token in the link."""
    role = models.CharField(max_length=10, choices=Role.choices)
    note = models.CharField(max_length=100, blank=True)
    """The organiser's note on the recipient."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="invitations"
    )
    """The organiser; null for an invitation printed on the arena's terminal."""
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    """Null (no expiry) for an invitation printed on the terminal."""
    used_at = models.DateTimeField(null=True)
    used_by = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="invited_by"
    )

    def __str__(self) -> str:
        return f"for {self.note or 'somebody'} to be {self.role}"


class Ban(models.Model):
    """A ban of an author by staff; the account is inactive until the ban ends."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="ban"
    )
    why = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.person}: {self.why}"


class StaffAct(models.Model):
    """An act of staff; it is stored in the transaction of the act, and never changed."""

    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """None for a person with access to the arena's shell."""
    name = models.CharField(max_length=150)
    """Name of the actor, which remains after their account is deleted."""
    what = models.CharField(max_length=40)
    """The verb, such as ``ban``."""
    on = models.CharField(max_length=200)
    """The object in words, such as ``bot ada``."""
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """The person it concerns, if any."""
    why = models.CharField(max_length=200, blank=True)
    address = models.CharField(max_length=60, blank=True)
    """Network address of the request; empty for a shell."""

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.name}: {self.what} {self.on}"
