"""Web manifest and service worker, with which a phone installs the site."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foundation.branding.arena_brand import EffectiveBrand, read_brand
from frontend.drawing.shapes_and_fonts import BUILT_ASSETS

ICON_PIXELS = (192, 512)
CACHE_SECONDS = 600
WORKER_SOURCE = "src/offline/worker.ts"
"""Source module of the service worker; under this name the manifest of the build lists the built script."""


@require_safe
def web_manifest(request: HttpRequest) -> HttpResponse:
    """Return the web manifest: the name, colours and icons of the installed site."""
    del request
    brand = read_brand()
    manifest = {
        "id": reverse("home"),
        "name": brand.name,
        "short_name": brand.name,
        "description": _("Bots at board games: leagues, leaderboards and every match to watch again."),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "minimal-ui",
        "background_color": brand.colours.page_night,
        "theme_color": brand.colours.page_night,
        "icons": _list_icons(brand),
    }
    answer = JsonResponse(manifest, content_type="application/manifest+json")
    answer["Cache-Control"] = f"max-age={CACHE_SECONDS}"
    return answer


def _list_icons(brand: EffectiveBrand) -> list[dict[str, str]]:
    """Return the icons of the installed site."""
    if brand.logo:
        return [{"src": reverse("brand-logo", args=[brand.logo_digest]), "sizes": "any", "type": "image/png"}]
    crowns = [
        {"src": static(f"crown-{pixels}.png"), "sizes": f"{pixels}x{pixels}", "type": "image/png", "purpose": purpose}
        for pixels in ICON_PIXELS
        for purpose in ("any", "maskable")
    ]
    return [{"src": static("crown.svg"), "sizes": "any", "type": "image/svg+xml"}, *crowns]


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the script of the service worker, or 404 if the front end is not built."""
    # Its URL never changes, because browsers look for a new version at the old URL.
    del request
    try:
        script = _read_built_worker(settings.DJANGO_VITE["default"]["manifest_path"])
    except (FileNotFoundError, KeyError):
        raise Http404(_("the front end is not built")) from None
    answer = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    return answer


@lru_cache(1)
def _read_built_worker(manifest: Path) -> bytes:
    file: str = json.loads(manifest.read_text())[WORKER_SOURCE]["file"]
    return (BUILT_ASSETS / file).read_bytes()
