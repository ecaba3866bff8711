"""Which tongue a person is spoken to where no browser asks: that of their first sign-in, until they choose another."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import translation

from foundation.problems import for_programs
from foundation.tongues import CODES, KEPT, chosen, spoken
from people.models import KeptTongue


def tongue_of(person: User) -> str:
    """Return the tongue that is kept of a person, as `foundation.tongues.CODES` names it; empty where none is."""
    return KeptTongue.objects.filter(person=person).values_list("tongue", flat=True).first() or ""


def speaking_to(person: User, otherwise: str = "en") -> AbstractContextManager[None]:
    """Let what is said meanwhile be said in the tongue that is kept of a person, whichever the process speaks."""
    return translation.override(CODES[tongue_of(person) or otherwise])


@receiver(chosen)
def keep(request: HttpRequest, tongue: str, **_words: Any) -> None:
    """Keep what somebody who is signed in has chosen."""
    person = getattr(request, "user", None)  # a request that was turned away early has none
    if isinstance(person, User) and tongue_of(person) != tongue:
        KeptTongue.objects.update_or_create(person=person, defaults={"tongue": tongue})


@receiver(user_logged_in)
def note(request: HttpRequest, user: User, **_words: Any) -> None:
    """Keep the tongue of somebody's first sign-in by a browser; a later browser is spoken to in it until it chooses."""
    if for_programs(request):
        return
    row, _ = KeptTongue.objects.get_or_create(person=user, defaults={"tongue": spoken()})
    if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES and row.tongue != spoken():
        setattr(request, KEPT, row.tongue)
