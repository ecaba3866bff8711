"""In which tongue a page speaks: the one that its address asks for, else the one chosen before, else the browser's.

An address asks with `?lang=`, which is kept in a cookie. A program asks by `Accept-Language` alone, and hears in that
tongue why it is refused; codes, statuses and all that it is given are the same in every tongue.
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
"""The word of an address that asks for a tongue; every page knows it."""
CODES = {"en": "en", "zh-Hant": "zh-hant"}
"""The tongues as addresses and readers write them, and as Django does."""
KEPT_S = 31_536_000
KEPT = "kept_tongue"
"""The attribute of a request with which somebody signs in whose browser has chosen no tongue: that of the account."""
chosen = Signal()
"""Sent with `request` and `tongue` when a page is asked for in a tongue; the app of the people keeps it."""


class Tongue(MiddlewareMixin):
    """Lets everything that is said to a reader be said in the reader's tongue."""

    def process_request(self, request: HttpRequest) -> None:
        """Speak the tongue of this request until it is answered."""
        page = not for_programs(request)
        code = CODES.get(request.GET.get(ASKED, "")) or _usual(request) if page else _preferred(request)
        translation.activate(code)
        request.LANGUAGE_CODE = code

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Say which tongue it is and what it depends on, and keep what was asked of a page."""
        tongue = spoken()
        translation.deactivate()  # the thread may speak to somebody else next
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
    """Return what was chosen before, else the first that the browser prefers and we speak, else English."""
    return translation.get_language_from_request(request)


def _preferred(request: HttpRequest) -> str:
    """Return the first that the header prefers and we speak, else English; a program's cookies choose nothing."""
    for tag, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "").lower()):
        if tag == "*":
            break
        try:
            return translation.get_supported_language_variant(tag)
        except LookupError:
            continue
    return "en"


def spoken() -> str:
    """Return the tongue that is spoken now, as `ftk_core.words.LANGUAGES` names it."""
    return next((name for name, code in CODES.items() if code == translation.get_language()), "en")
