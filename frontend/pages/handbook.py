"""Documentation site, as built by `python -m deploy.handbook`."""

from __future__ import annotations

import base64
import hashlib
import mimetypes
import re
from pathlib import Path

from csp.constants import SELF, UNSAFE_INLINE
from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils._os import safe_join
from django.utils.translation import gettext_lazy as _

from foundation.words import asks

SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
ANY = b"https://arena.example"
"""Placeholder of the pages for this arena's URL."""
KEPT_SECONDS = 600


@asks()
def page(request: HttpRequest, path: str = "") -> HttpResponse:
    """Show a page of the site, or a file that belongs to it."""
    site = Path(settings.HANDBOOK)
    if not site.is_dir():
        said = "There is no handbook on this machine yet: `make docs` makes it.\n"
        return HttpResponse(said, content_type="text/plain; charset=utf-8", status=404)
    file = _file(site, path)
    if file.is_dir():
        if path and not path.endswith("/"):
            return HttpResponseRedirect(f"{path.rpartition('/')[2]}/")
        file /= "index.html"
    if not file.is_file():
        raise Http404(_("the handbook has no such page"))
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    body = file.read_bytes()
    if kind == "text/html":
        response = _with_own_scripts(body.replace(ANY, f"{request.scheme}://{request.get_host()}".encode()))
    else:
        response = HttpResponse(body)  # in one piece: an ASGI server would consume an iterator first
    response["Content-Type"] = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    response["Cache-Control"] = f"max-age={KEPT_SECONDS}"
    return response


def _file(site: Path, path: str) -> Path:
    """Return the file or folder of a path; raises Http404 if it is not in the site."""
    try:
        return Path(safe_join(site, path)).resolve(strict=True)
    except (SuspiciousFileOperation, ValueError, OSError):  # OSError covers names that no file can have
        raise Http404(_("the handbook has no such page")) from None


def _with_own_scripts(html: bytes) -> HttpResponse:
    """Return a page whose Content-Security-Policy allows its inline scripts by hash, and no others."""
    response = HttpResponse(html)
    hashes = [base64.b64encode(hashlib.sha256(script).digest()).decode() for script in SCRIPT.findall(html)]
    response._csp_replace = {  # type: ignore[attr-defined]  # django-csp's own way for what is known so late
        "script-src": [SELF, *(f"'sha256-{name}'" for name in dict.fromkeys(hashes))],
        "style-src": [SELF, UNSAFE_INLINE],  # for the highlights of the search
    }
    return response
