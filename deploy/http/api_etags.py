"""ETags of API responses, and status 304 for unchanged content."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware

from foundation.problem_details import is_api_request


class ApiETagMiddleware(ConditionalGetMiddleware):
    """Middleware that adds ETags to API responses and answers 304 for unchanged content."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Add an ETag to an API response, unless it has ``Cache-Control: no-store``."""
        # HTML pages get none: each contains a new CSRF token, so its content always changes.
        if not is_api_request(request) or "no-store" in response.get("Cache-Control", ""):
            return response
        return super().process_response(request, response)
