"""What somebody takes along, and what stays behind when they leave.

The apps above this one say what they keep of a person by answering two signals, so that no app is forgotten here
because nobody thought of it, and none is known here that should not be.
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
"""Sent with `owner`; who hears it returns the files, as (path, bytes), that it keeps of this person."""
departing = Signal()
"""Sent with `owner` and `heir`, in the transaction in which the owner goes; who hears it leaves nothing of theirs."""
HEIR = "departed author"
"""Who has what stays behind. The space keeps the name from anybody who signs up."""
IN_MEMORY = 4 * 1024 * 1024


def as_json(value: Any) -> bytes:
    """Return a value as JSON that a person can read."""
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2).encode() + b"\n"


def export(owner: User) -> IO[bytes]:
    """Return a zip file of everything that is kept of a person, open at its beginning."""
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
    """Delete a person: account, e-mail addresses, sessions, tokens, factors. The bots stay, and are the heir's."""
    heir, _ = User.objects.get_or_create(username=HEIR, defaults={"is_active": False, "password": "!"})
    departing.send(sender=User, owner=owner, heir=heir)
    sessions.end_all(owner)
    named = Replace("on", Value(f"author {owner.get_username()}"), Value(HEIR))
    StaffAct.objects.filter(person=owner).update(on=named)
    StaffAct.objects.filter(by=owner).update(address="")
    GoneName.objects.get_or_create(digest=digest_of(owner.get_username().lower()))
    owner.delete()


def was_somebodys(name: str) -> bool:
    """Tell whether a name was that of somebody who left: in finished leagues it still stands for them."""
    return GoneName.objects.filter(digest=digest_of(name.lower())).exists()


def on_export(answer: Callable[[User], Parts], app: str) -> None:
    """Let an app say what it keeps of a person."""
    exporting.connect(lambda owner, **_words: answer(owner), weak=False, dispatch_uid=f"{app} exports")


def on_departure(act: Callable[[User, User], None], app: str) -> None:
    """Let an app hand over or delete what it keeps of a person, given the person and the heir."""
    departing.connect(lambda owner, heir, **_words: act(owner, heir), weak=False, dispatch_uid=f"{app} departs")
