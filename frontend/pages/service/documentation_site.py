"""Documentation, served as the static site that `python -m deploy.release.handbook` builds."""

from __future__ import annotations

import base64
import hashlib
import json
import mimetypes
import re
from pathlib import Path

from csp.constants import SELF, UNSAFE_INLINE
from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils._os import safe_join
from django.utils.html import escape
from django.utils.translation import gettext_lazy as _

from foundation.branding.arena_brand import EffectiveBrand, read_brand
from foundation.query_parameters import query_parameters

INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
USUAL_NAME = b"The Court"
"""Default arena name in the built pages; it is replaced by the name of this arena when a page is served."""
URL_PLACEHOLDER = b"https://arena.example"
"""Placeholder in the built pages for the URL of this server."""
CACHE_SECONDS = 600
LOGO, STYLE_SHEET = "look/crown.svg", "look/court.css"
"""Paths of the logo and of the style sheet with the colours, in the documentation site."""


@query_parameters()
def page(request: HttpRequest, path: str = "") -> HttpResponse:
    """Serve a page of the documentation, or a file that the pages use."""
    site = Path(settings.HANDBOOK)
    if not site.is_dir():
        return render(request, "frontend/no_handbook.html", status=404)
    file = _find_file(site, path)
    if file.is_dir():
        if path and not path.endswith("/"):
            return HttpResponseRedirect(f"{path.rpartition('/')[2]}/")
        file /= "index.html"
    if not file.is_file():
        raise Http404(_("the handbook has no such page"))
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    brand = read_brand()
    if path == LOGO and brand.logo:
        kind, body = "image/png", brand.logo
    else:
        body = _apply_brand(file.read_bytes(), path, kind, brand)
    if kind == "text/html":
        response = _allow_inline_scripts(
            body.replace(URL_PLACEHOLDER, f"{request.scheme}://{request.get_host()}".encode())
        )
    else:
        response = HttpResponse(body)  # in one piece: under ASGI Django would read all of an iterator first
    response["Content-Type"] = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    response["Cache-Control"] = f"max-age={CACHE_SECONDS}"
    return response


def _apply_brand(body: bytes, path: str, kind: str, brand: EffectiveBrand) -> bytes:
    """Return a file of the documentation with this site's name and colours."""
    if path == STYLE_SHEET:
        return body + brand.style_sheet.encode()
    if kind == "text/html":
        return body.replace(USUAL_NAME, escape(brand.name).encode())
    if kind == "application/json":  # the index of the search
        return body.replace(USUAL_NAME, json.dumps(brand.name)[1:-1].encode())
    return body


def _find_file(site: Path, path: str) -> Path:
    """Return the documentation file for a URL path. Raises Http404 if it does not exist."""
    try:
        return Path(safe_join(site, path)).resolve(strict=True)
    except (SuspiciousFileOperation, ValueError, OSError):  # OSError covers names that no file can have
        raise Http404(_("the handbook has no such page")) from None


def _allow_inline_scripts(html: bytes) -> HttpResponse:
    """Return the page with a Content-Security-Policy that allows its own inline scripts."""
    response = HttpResponse(html)
    hashes = [base64.b64encode(hashlib.sha256(script).digest()).decode() for script in INLINE_SCRIPT.findall(html)]
    response._csp_replace = {  # type: ignore[attr-defined]  # django-csp reads this attribute
        "script-src": [SELF, *(f"'sha256-{name}'" for name in dict.fromkeys(hashes))],
        "style-src": [SELF, UNSAFE_INLINE],  # the search highlights words with inline styles
    }
    return response
