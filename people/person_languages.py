"""The language stored for each person, for mails and other texts outside a request."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import translation

from foundation.problem_details import is_api_request
from foundation.response_language import ACCOUNT_LANGUAGE_ATTRIBUTE, CODES, active_language, language_chosen
from people.models import PersonLanguage


def read_language(person: User) -> str:
    """Return the tag of a person's stored language, or an empty string."""
    # A stored language that is not installed any more counts as none.
    stored = PersonLanguage.objects.filter(person=person).values_list("language", flat=True).first()
    return stored if stored and stored in CODES else ""


def use_language_of(person: User, otherwise: str = "en") -> AbstractContextManager[None]:
    """Return a context manager that activates a person's stored language, or `otherwise` if none is stored."""
    return translation.override(CODES[read_language(person) or otherwise])


@receiver(language_chosen)
def store_chosen_language(request: HttpRequest, language: str, **_words: Any) -> None:
    """Store the language that a signed-in person has chosen."""
    person = getattr(request, "user", None)  # a request that was refused early has no user
    if isinstance(person, User) and read_language(person) != language:
        PersonLanguage.objects.update_or_create(person=person, defaults={"language": language})


@receiver(user_logged_in)
def store_first_language(request: HttpRequest, user: User, **_words: Any) -> None:
    """Store the language of the page at a person's first sign-in."""
    # A browser without a language cookie gets the stored language later. API sign-ins change nothing.
    if is_api_request(request):
        return
    stored, _ = PersonLanguage.objects.get_or_create(person=user, defaults={"language": active_language()})
    if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES and stored.language != active_language():
        setattr(request, ACCOUNT_LANGUAGE_ATTRIBUTE, stored.language)
