"""Site logo and style sheet with the site's colours."""
# Their URLs contain hashes, so that browsers may cache them.

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from foundation.branding.arena_brand import read_brand

CACHE_SECONDS = 86_400


@require_safe
def logo(_request: HttpRequest, digest: str) -> HttpResponse:
    """Return the site's logo as a PNG file. Answer 404 if the hash in the URL is outdated."""
    brand = read_brand()
    return _answer(brand.logo, "image/png", current=digest == brand.logo_digest)


@require_safe
def style_sheet(_request: HttpRequest, digest: str) -> HttpResponse:
    """Return the style sheet with the site's colours. Answer 404 if the hash in the URL is outdated."""
    brand = read_brand()
    return _answer(brand.style_sheet.encode(), "text/css; charset=utf-8", current=digest == brand.style_digest)


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect browsers that ask for `/favicon.ico` to the logo."""
    brand = read_brand()
    return HttpResponseRedirect(reverse("brand-logo", args=[brand.logo_digest]) if brand.logo else static("crown.svg"))


def _answer(content: bytes, kind: str, *, current: bool) -> HttpResponse:
    if not (content and current):
        raise Http404(gettext("the arena looks different by now; load the page again"))
    answer = HttpResponse(content, content_type=kind)
    patch_cache_control(answer, public=True, max_age=CACHE_SECONDS, immutable=True)
    return answer
