"""Export of a person's data, and erasure of their account."""
# Other apps register functions for their own data, so that this app need not import them.

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.dispatch import Signal

from people import login_sessions
from people.invitations import compute_digest
from people.models import Ban, ErasedAccountName, Invitation, StaffAct
from people.person_languages import read_language
from people.person_roles import is_organiser
from people.staff_audit_trail import anonymise_acts

Parts = Iterator[tuple[str, bytes]]
data_export_requested = Signal()
"""Signal sent when the stored data of a person is exported; the argument `owner` is the person.

Each receiver returns an iterator of pairs (path in the zip file, content in bytes).
"""
erasure_requested = Signal()
"""Signal sent before an account is deleted, in the same transaction.

Receivers delete the data of `owner` or transfer it to `tombstone`, the tombstone account.
"""
TOMBSTONE_NAME = "departed author"
"""Name of the tombstone account, which receives the bots of erased people. Sign-up refuses names with a space."""
MAX_BYTES_IN_MEMORY = 4 * 1024 * 1024


def encode_json(value: Any) -> bytes:
    """Return a value as indented JSON, encoded as UTF-8 bytes that end with a newline."""
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2).encode() + b"\n"


def export_person(owner: User) -> IO[bytes]:
    """Return a zip file with all stored data of a person, opened for reading."""
    file = SpooledTemporaryFile(max_size=MAX_BYTES_IN_MEMORY)  # noqa: SIM115 - the caller closes it
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("profile.json", encode_json(_make_profile(owner)))
        exports: list[Any] = [parts for _, parts in data_export_requested.send(sender=User, owner=owner)]
        for parts in exports:
            for path, body in parts:
                archive.writestr(path, body)
    file.seek(0)
    return file


def _make_profile(owner: User) -> dict[str, Any]:
    emails = EmailAddress.objects.filter(user=owner).values("email", "verified", "primary")
    factors = Authenticator.objects.filter(user=owner).values("type", "created_at", "last_used_at")
    services = SocialAccount.objects.filter(user=owner).values("provider", "uid", "date_joined", "extra_data")
    session_rows = login_sessions.list_sessions(owner, None)
    return {
        "name": owner.get_username(),
        "organiser": is_organiser(owner),
        "language": read_language(owner),
        "joined": owner.date_joined,
        "last_signed_in": owner.last_login,
        "email": owner.email,
        "emails": list(emails),
        "second_factors": list(factors),
        "services": list(services),
        "sessions": [
            {"way": session.way, "address": session.address, "browser": session.browser, "at": session.at}
            for session in session_rows
        ],
        "invited_as": list(Invitation.objects.filter(used_by=owner).values("role", "used_at")),
        "banned": list(Ban.objects.filter(person=owner).values("why", "at")),
        "acts_of_staff_on_them": list(StaffAct.objects.filter(person=owner).values("at", "what", "on", "why")),
        "own_acts_of_staff": list(StaffAct.objects.filter(by=owner).values("at", "what", "on", "why", "address")),
        "invitations": list(owner.invitations.values("role", "note", "made_at", "expires_at", "used_at")),
    }


@transaction.atomic
def erase_person(owner: User) -> None:
    """Erase a person's account. Transfer the person's bots to one account for the bots of all erased people."""
    # The name stays reserved. Audit records get the name of the shared account.
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # before the bots, as bans and activations do
    tombstone, _ = User.objects.get_or_create(username=TOMBSTONE_NAME, defaults={"is_active": False, "password": "!"})
    erasure_requested.send(sender=User, owner=owner, tombstone=tombstone)
    login_sessions.end_all_sessions(owner)
    anonymise_acts(owner, TOMBSTONE_NAME)
    Invitation.objects.filter(used_by=owner).update(note="")
    ErasedAccountName.objects.get_or_create(digest=compute_digest(owner.get_username().lower()))
    owner.delete()


def is_name_of_erased_person(name: str) -> bool:
    """Return True if a name belonged to an erased account."""
    # The name stays reserved, because finished leagues contain it.
    return ErasedAccountName.objects.filter(digest=compute_digest(name.lower())).exists()


def register_export(export: Callable[[User], Parts], app: str) -> None:
    """Register the function with which an app exports its data about a person.

    The function takes the person and yields pairs (path in the zip file, content in bytes).
    """
    data_export_requested.connect(lambda owner, **_words: export(owner), weak=False, dispatch_uid=f"{app} exports")


def register_erasure(erase: Callable[[User, User], None], app: str) -> None:
    """Register the function with which an app erases its data about a person.

    The function takes the person and the shared account that gets the bots of all erased people.
    """
    erasure_requested.connect(
        lambda owner, tombstone, **_words: erase(owner, tombstone), weak=False, dispatch_uid=f"{app} departs"
    )
