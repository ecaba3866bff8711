"""Texts of the match viewer in the languages that plug-ins add."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ftk_core.kit.viewer_translations import list_viewer_languages


@require_safe
def file(_request: HttpRequest, language: str, digest: str) -> HttpResponse:
    """Return the match viewer's texts in a language that a plug-in adds, as JSON.

    The URL contains a hash of the texts, so that browsers may cache the file for a year. Raises Http404 for an unknown
    language, or if the hash is outdated.
    """
    added = list_viewer_languages().get(language)
    if added is None or added.file is None or added.digest != digest:
        raise Http404(_("the viewer has no such words in the language %(language)s") % {"language": language})
    answer = HttpResponse(added.file.read_bytes(), content_type="application/json")
    answer["Cache-Control"] = "public, max-age=31536000, immutable"
    return answer
