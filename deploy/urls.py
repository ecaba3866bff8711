"""URLs of the site; each app lists its own."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_replace
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from foundation.problems import problem
from frontend.pages import metrics
from frontend.pages.wellknown import security
from frontend.staff import SITE
from tournaments.api import signing_key


class Swagger(SpectacularSwaggerSplitView):
    """Swagger page for trying the API; its script is served at the same URL."""

    words = ("script",)
    http_method_names = ("get", "head")

    def http_method_not_allowed(self, request: Any, *_args: Any, **_kwargs: Any) -> Any:
        """Answer without the template, which cannot show this error."""
        return problem(405, f"{request.method} is nothing to do here; GET shows it", {"Allow": "GET, HEAD"})


STYLED = {"style-src": [SELF, UNSAFE_INLINE]}
"""Content-Security-Policy additions for Swagger's page, which has inline styles."""
APPS = {
    "api/v1/bots/": "bots.api_urls",
    "api/v1/": "bots.root_urls",
    "api/v1/matches/": "replays.api_urls",
    "api/v1/leagues/": "tournaments.api_urls",
    "api/v1/ladders/": "tournaments.ladder_urls",
    "api/v1/challenges/": "tournaments.challenge_urls",
    "api/v1/webhooks/": "notices.api_urls",
    "api/v1/notices/": "notices.wishes_urls",
    "": "frontend.urls",
}
handler400 = "frontend.pages.refusals.bad_request"
handler403 = "frontend.pages.refusals.forbidden"
handler404 = "frontend.pages.refusals.not_found"
handler500 = "frontend.pages.refusals.broken"
handler429 = "people.doors.too_often"
urlpatterns = [
    path(".well-known/ftk-signing-key", signing_key, name="signing-key"),
    path(".well-known/security.txt", security, name="security"),
    path("metrics", metrics.page, name="metrics"),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/", csp_replace(STYLED)(Swagger.as_view(url_name="schema")), name="api"),
    path("staff/", SITE.urls),
    path("", include("people.urls")),
    *(path(prefix, include(urls)) for prefix, urls in APPS.items() if find_spec(urls)),
]
