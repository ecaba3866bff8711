"""Export of a person's data, and deletion of their account.

The apps above this one answer two signals, so that this app need not know them and none of them is forgotten.
"""

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
from django.db.models import Value
from django.db.models.functions import Replace
from django.dispatch import Signal

from people import sessions
from people.invitations import digest_of
from people.models import Ban, GoneName, StaffAct
from people.roles import is_organiser
from people.tongues import tongue_of

Parts = Iterator[tuple[str, bytes]]
exporting = Signal()
"""Sent with `owner`; receivers return this person's files as (path, bytes)."""
departing = Signal()
"""Sent with `owner` and `heir` in the transaction of the deletion; receivers transfer or delete the owner's data."""
HEIR = "departed author"
"""Tombstone account that receives the remaining data. Nobody can sign up with this name, as it contains a space."""
IN_MEMORY = 4 * 1024 * 1024


def as_json(value: Any) -> bytes:
    """Return a value as indented JSON."""
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2).encode() + b"\n"


def export(owner: User) -> IO[bytes]:
    """Return a zip file of all data of a person, open at its beginning."""
    file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - whoever reads it closes it
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("profile.json", as_json(_profile(owner)))
        answers: list[Any] = [parts for _, parts in exporting.send(sender=User, owner=owner)]
        for parts in answers:
            for path, body in parts:
                archive.writestr(path, body)
    file.seek(0)
    return file


def _profile(owner: User) -> dict[str, Any]:
    emails = EmailAddress.objects.filter(user=owner).values("email", "verified", "primary")
    factors = Authenticator.objects.filter(user=owner).values("type", "created_at", "last_used_at")
    services = SocialAccount.objects.filter(user=owner).values("provider", "uid", "date_joined", "extra_data")
    rows = sessions.sessions_of(owner, None)
    return {
        "name": owner.get_username(),
        "organiser": is_organiser(owner),
        "tongue": tongue_of(owner),
        "joined": owner.date_joined,
        "last_signed_in": owner.last_login,
        "email": owner.email,
        "emails": list(emails),
        "second_factors": list(factors),
        "services": list(services),
        "sessions": [{"way": s.way, "address": s.address, "browser": s.browser, "at": s.at} for s in rows],
        "banned": list(Ban.objects.filter(person=owner).values("why", "at")),
        "acts_of_staff_on_them": list(StaffAct.objects.filter(person=owner).values("at", "what", "on", "why")),
        "own_acts_of_staff": list(StaffAct.objects.filter(by=owner).values("at", "what", "on", "why", "address")),
        "invitations": list(owner.invitations.values("role", "note", "made_at", "expires_at", "used_at")),
    }


@transaction.atomic
def depart(owner: User) -> None:
    """Delete a person: account, e-mail addresses, sessions, tokens, factors. The bots go to the tombstone account."""
    heir, _ = User.objects.get_or_create(username=HEIR, defaults={"is_active": False, "password": "!"})
    departing.send(sender=User, owner=owner, heir=heir)
    sessions.end_all(owner)
    named = Replace("on", Value(f"author {owner.get_username()}"), Value(HEIR))
    StaffAct.objects.filter(person=owner).update(on=named)
    StaffAct.objects.filter(by=owner).update(address="")
    GoneName.objects.get_or_create(digest=digest_of(owner.get_username().lower()))
    owner.delete()


def was_somebodys(name: str) -> bool:
    """Return True if a name belonged to a deleted account, for which it still stands in finished leagues."""
    return GoneName.objects.filter(digest=digest_of(name.lower())).exists()


def on_export(answer: Callable[[User], Parts], app: str) -> None:
    """Register an app's export of a person's data."""
    exporting.connect(lambda owner, **_words: answer(owner), weak=False, dispatch_uid=f"{app} exports")


def on_departure(act: Callable[[User, User], None], app: str) -> None:
    """Register an app's transfer or deletion of a person's data, given the person and the tombstone account."""
    departing.connect(lambda owner, heir, **_words: act(owner, heir), weak=False, dispatch_uid=f"{app} departs")
