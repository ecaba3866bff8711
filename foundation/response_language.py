"""Middleware that chooses the language of a response."""
# Pages use the query parameter `lang`, a cookie or the browser's language. The API uses `Accept-Language`, and
# translates only error messages: codes, statuses and data are the same in every language.

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

from foundation.problem_details import is_api_request
from ftk_core.i18n import list_languages

LANGUAGE_PARAMETER = "lang"
"""Query parameter that chooses the language; every page accepts it."""
CODES = {tag: language.code for tag, language in list_languages().items()}
"""Language tag in URLs -> Django's language code."""
COOKIE_SECONDS = 31_536_000
ACCOUNT_LANGUAGE_ATTRIBUTE = "account_language"
"""Name of the request attribute with the account's language; set at sign-in if the browser stores no language."""
language_chosen = Signal()
"""Signal, sent with `request` and `language` if a page's URL names a language; the app `people` stores the language."""


class LanguageMiddleware(MiddlewareMixin):
    """Middleware that activates the reader's language."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the reader's language for this request."""
        is_page = not is_api_request(request)
        code = (
            CODES.get(request.GET.get(LANGUAGE_PARAMETER, "")) or _page_language(request)
            if is_page
            else _api_language(request)
        )
        translation.activate(code)
        request.LANGUAGE_CODE = code

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Set the headers Content-Language and Vary, and store the language in a cookie."""
        # The cookie stores the language that the URL names, or the account's language after a sign-in without a cookie.
        language = active_language()
        translation.deactivate()  # the thread may serve another reader next
        if is_api_request(request):
            if response.status_code >= HTTPStatus.BAD_REQUEST:
                response.setdefault("Content-Language", language)
                patch_vary_headers(response, ("Accept-Language",))
            return response
        response.setdefault("Content-Language", language)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        is_page = response.get("Content-Type", "").startswith("text/html")
        requested = CODES.get(request.GET.get(LANGUAGE_PARAMETER, "")) if is_page else None
        if code := requested or CODES.get(getattr(request, ACCOUNT_LANGUAGE_ATTRIBUTE, "")):
            options: dict[str, Any] = {
                "max_age": COOKIE_SECONDS,
                "samesite": "Lax",
                "secure": settings.SESSION_COOKIE_SECURE,
            }
            response.set_cookie(settings.LANGUAGE_COOKIE_NAME, code, **options)
        if requested:
            language_chosen.send(sender=type(self), request=request, language=language)
        return response


def _page_language(request: HttpRequest) -> str:
    """Return the language that the reader has chosen, else the browser's first supported language, else English."""
    return translation.get_language_from_request(request)


def _api_language(request: HttpRequest) -> str:
    """Return the first supported language of the Accept-Language header, else English; cookies are ignored."""
    for tag, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "").lower()):
        if tag == "*":
            break
        try:
            return translation.get_supported_language_variant(tag)
        except LookupError:
            continue
    return "en"


def active_language() -> str:
    """Return the tag of the active language, such as ``en``."""
    return next((name for name, code in CODES.items() if code == translation.get_language()), "en")
