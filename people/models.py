"""Who has an account, beside what Django and allauth keep of it: where they are signed in, and who may come in."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SignIn(models.Model):
    """A session that somebody began; the session itself is Django's."""

    key = models.CharField(max_length=40, unique=True)
    """The session's."""
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_ins")
    way = models.CharField(max_length=60, blank=True)
    """How it began: ``sign-up``, ``password``, ``password, totp``, ``webauthn``, ``token``, a service's name."""
    token = models.CharField(max_length=25, blank=True)
    """The beginning of the token, where it began with one."""
    address = models.CharField(max_length=60)
    browser = models.CharField(max_length=120)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.owner} since {self.at}"


class KeptTongue(models.Model):
    """The tongue in which mails speak to somebody."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="kept_tongue"
    )
    tongue = models.CharField(max_length=10)
    """``en`` or ``zh-Hant``."""

    def __str__(self) -> str:
        return f"{self.person}: {self.tongue}"


class GoneName(models.Model):
    """The name of somebody who left, as a digest: what was theirs in old leagues is not to be anybody else's."""

    digest = models.CharField(max_length=64, primary_key=True)
    """SHA-256 of the name in small letters."""

    def __str__(self) -> str:
        return self.digest[:12]


class Invitation(models.Model):
    """A link by which one person may make an account with a role. The link itself is kept nowhere, only its digest."""

    class Role(models.TextChoices):
        AUTHOR = "author", "author"
        ORGANISER = "organiser", "organiser"

    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the token in the link."""
    role = models.CharField(max_length=10, choices=Role.choices)
    note = models.CharField(max_length=100, blank=True)
    """For whom it is, in the organiser's words."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="invitations"
    )
    """The organiser; nobody for what the arena printed on its own terminal."""
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    """Never, for what the arena printed."""
    used_at = models.DateTimeField(null=True)
    used_by = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="invited_by"
    )

    def __str__(self) -> str:
        return f"for {self.note or 'somebody'} to be {self.role}"


class Ban(models.Model):
    """An author whom staff has banned; the account is inactive until the ban is lifted."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="ban"
    )
    why = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.person}: {self.why}"


class StaffAct(models.Model):
    """Something that staff did; it is written with what was done, and never changed."""

    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """None for whoever has the arena's shell."""
    name = models.CharField(max_length=150)
    """Whose act it was, also after they have left."""
    what = models.CharField(max_length=40)
    """The verb, such as ``ban``."""
    on = models.CharField(max_length=200)
    """On what, in words, such as ``bot ada``."""
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """Whom it concerns, if anybody."""
    why = models.CharField(max_length=200, blank=True)
    address = models.CharField(max_length=60, blank=True)
    """From which address it was asked; empty for a shell."""

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.name}: {self.what} {self.on}"
