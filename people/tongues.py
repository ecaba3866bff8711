"""The stored language of a person, for mails and other texts outside a request.

It is the language of their first sign-in until they choose another.
"""

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
    """Return a person's stored language, as named by `foundation.tongues.CODES`; empty if none is stored."""
    return KeptTongue.objects.filter(person=person).values_list("tongue", flat=True).first() or ""


def speaking_to(person: User, otherwise: str = "en") -> AbstractContextManager[None]:
    """Return a context manager that activates a person's stored language, or else `otherwise`."""
    return translation.override(CODES[tongue_of(person) or otherwise])


@receiver(chosen)
def keep(request: HttpRequest, tongue: str, **_words: Any) -> None:
    """Store the language that a signed-in person has chosen."""
    person = getattr(request, "user", None)  # a request that was refused early has none
    if isinstance(person, User) and tongue_of(person) != tongue:
        KeptTongue.objects.update_or_create(person=person, defaults={"tongue": tongue})


@receiver(user_logged_in)
def note(request: HttpRequest, user: User, **_words: Any) -> None:
    """Store the language of the first sign-in by a browser, and use it in later browsers until they choose another."""
    if for_programs(request):
        return
    row, _ = KeptTongue.objects.get_or_create(person=user, defaults={"tongue": spoken()})
    if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES and row.tongue != spoken():
        setattr(request, KEPT, row.tongue)
