"""Models of people beside those of Django and allauth: sign-ins, languages, invitations, bans, staff audit trail."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SignIn(models.Model):
    """Record of one sign-in: the session that it started, its time and method, the IP address and the browser."""

    key = models.CharField(max_length=40, unique=True)
    """Primary key of Django's session."""
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_ins")
    way = models.CharField(max_length=60, blank=True)
    """Way of signing in: ``sign-up``, ``password``, ``password, totp``, ``webauthn``, ``token``, an OAuth provider."""
    token = models.CharField(max_length=25, blank=True)
    """First characters of the API token that started the session; empty if none did."""
    address = models.CharField(max_length=60)
    browser = models.CharField(max_length=120)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.owner} since {self.at}"


class PersonLanguage(models.Model):
    """The stored language of a person, used for mails."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="stored_language"
    )
    language = models.CharField(max_length=10, db_column="tongue")
    """Language tag. The language may not be installed any more, if a plug-in that brought it was removed."""

    class Meta:
        db_table = "people_kepttongue"  # table and column keep their names, so that an upgrade can be undone

    def __str__(self) -> str:
        return f"{self.person}: {self.language}"


class ErasedAccountName(models.Model):
    """Digest of the name of an erased account. The name stays reserved, because old leagues contain it."""

    digest = models.CharField(max_length=64, primary_key=True)
    """SHA-256 of the name in lower case."""

    class Meta:
        db_table = "people_gonename"  # the table keeps its name, so that an upgrade can be undone

    def __str__(self) -> str:
        return self.digest[:12]


class Invitation(models.Model):
    """A single-use link to create an account with a role."""

    # Only the digest of the link's token is stored.

    class Role(models.TextChoices):
        AUTHOR = "author", "author"
        ORGANISER = "organiser", "organiser"

    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the token in the link."""
    role = models.CharField(max_length=10, choices=Role.choices)
    note = models.CharField(max_length=100, blank=True)
    """The organiser's private note about the invited person."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="invitations"
    )
    """The organiser who invites; null for an invitation printed by `manage.py organiser`."""
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    """Null (no expiry) for an invitation printed by `manage.py organiser`."""
    used_at = models.DateTimeField(null=True)
    used_by = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="invited_by"
    )

    def __str__(self) -> str:
        return f"for {self.note or 'somebody'} to be {self.role}"


class Ban(models.Model):
    """A ban of an author by staff; the account cannot sign in until the ban is lifted."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="ban"
    )
    why = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.person}: {self.why}"


class StaffAct(models.Model):
    """Audit record of one action of staff, such as a ban."""

    # It is stored in the same transaction as the action's effects.

    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """The staff member who acted; null for a command in the server's shell, and after the account is deleted."""
    name = models.CharField(max_length=150)
    """Name of the actor, which remains after their account is deleted."""
    what = models.CharField(max_length=40)
    """Verb that names the act, such as ``ban``."""
    on = models.CharField(max_length=200)
    """Kind and name of the object of the act, such as ``bot ada``."""
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """The person whom the act concerns, if any."""
    why = models.CharField(max_length=200, blank=True)
    address = models.CharField(max_length=60, blank=True)
    """Client address of the staff member; empty for a command in the shell, and after the account is deleted."""

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.name}: {self.what} {self.on}"
