"""Root URL patterns of the site, which include those of each app."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_replace
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from foundation.problem_details import problem_response
from frontend.pages.service import metrics
from frontend.pages.service.security_contact import security
from frontend.staff_pages import STAFF_SITE
from tournaments.api.exports import signing_key


class SwaggerView(SpectacularSwaggerSplitView):
    """Swagger page for trying the API."""

    # The page's script is served at the same URL with the parameter ``script``.

    words = ("script",)
    http_method_names = ("get", "head")

    def http_method_not_allowed(self, request: Any, *_args: Any, **_kwargs: Any) -> Any:
        """Answer a method other than GET and HEAD with status 405 and a problem document in JSON."""
        # The HTML template of the Swagger page cannot show errors.
        return problem_response(405, f"{request.method} is nothing to do here; GET shows it", {"Allow": "GET, HEAD"})


STYLED = {"style-src": [SELF, UNSAFE_INLINE]}
"""Directive of the Content-Security-Policy that is replaced for Swagger's page only, because it has inline styles."""
APPS = {
    "api/v1/bots/": "bots.api.urls",
    "api/v1/": "bots.api.root_urls",
    "api/v1/matches/": "replays.api.urls",
    "api/v1/leagues/": "tournaments.api.league_urls",
    "api/v1/series/": "tournaments.api.league_series_urls",
    "api/v1/ladders/": "tournaments.api.ladder_urls",
    "api/v1/challenges/": "tournaments.api.challenge_urls",
    "api/v1/webhooks/": "notices.api.webhook_urls",
    "api/v1/notices/": "notices.api.notice_urls",
    "": "frontend.urls",
}
handler400 = "frontend.pages.service.error_pages.bad_request"
handler403 = "frontend.pages.service.error_pages.forbidden"
handler404 = "frontend.pages.service.error_pages.not_found"
handler500 = "frontend.pages.service.error_pages.broken"
handler429 = "people.account_views.refuse_rate_limited"
urlpatterns = [
    path(".well-known/ftk-signing-key", signing_key, name="signing-key"),
    path(".well-known/security.txt", security, name="security"),
    path("metrics", metrics.page, name="metrics"),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/", csp_replace(STYLED)(SwaggerView.as_view(url_name="schema")), name="api"),
    path("staff/", STAFF_SITE.urls),
    path("", include("people.urls")),
    *(path(prefix, include(urls)) for prefix, urls in APPS.items() if find_spec(urls)),
]
