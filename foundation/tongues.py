"""Language of a response: from the address, else from an earlier choice, else from the browser.

Addresses choose it by `?lang=`, which a cookie stores. Programs choose it by `Accept-Language` alone, and only for
error messages; codes, statuses and data are the same in every language.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.dispatch import Signal
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation.trans_real import parse_accept_lang_header

from foundation.problems import for_programs

ASKED = "lang"
"""Query parameter that chooses the language; every page knows it."""
CODES = {"en": "en", "zh-Hant": "zh-hant"}
"""Language codes as addresses use them, with Django's."""
KEPT_S = 31_536_000
KEPT = "kept_tongue"
"""Attribute of a request that signs in from a browser without a choice: the account's language."""
chosen = Signal()
"""Sent with `request` and `tongue` when a page is requested in a language; the app `people` stores it."""


class Tongue(MiddlewareMixin):
    """Middleware that activates the reader's language."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language of this request until it is answered."""
        page = not for_programs(request)
        code = CODES.get(request.GET.get(ASKED, "")) or _usual(request) if page else _preferred(request)
        translation.activate(code)
        request.LANGUAGE_CODE = code

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Set Content-Language and Vary, and store the language requested for a page."""
        tongue = spoken()
        translation.deactivate()  # the thread may serve another reader next
        if for_programs(request):
            if response.status_code >= HTTPStatus.BAD_REQUEST:
                response.setdefault("Content-Language", tongue)
                patch_vary_headers(response, ("Accept-Language",))
            return response
        response.setdefault("Content-Language", tongue)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        page = response.get("Content-Type", "").startswith("text/html")
        asked = CODES.get(request.GET.get(ASKED, "")) if page else None
        if code := asked or CODES.get(getattr(request, KEPT, "")):
            options: dict[str, Any] = {"max_age": KEPT_S, "samesite": "Lax", "secure": settings.SESSION_COOKIE_SECURE}
            response.set_cookie(settings.LANGUAGE_COOKIE_NAME, code, **options)
        if asked:
            chosen.send(sender=type(self), request=request, tongue=tongue)
        return response


def _usual(request: HttpRequest) -> str:
    """Return the chosen language, else the browser's first supported one, else English."""
    return translation.get_language_from_request(request)


def _preferred(request: HttpRequest) -> str:
    """Return the first supported language of the header, else English. Cookies do not count for programs."""
    for tag, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "").lower()):
        if tag == "*":
            break
        try:
            return translation.get_supported_language_variant(tag)
        except LookupError:
            continue
    return "en"


def spoken() -> str:
    """Return the active language, named as in `ftk_core.words.LANGUAGES`."""
    return next((name for name, code in CODES.items() if code == translation.get_language()), "en")
