"""Rate limits of the REST API and the response headers that report them."""

from __future__ import annotations

import math
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from foundation.ratelimits.limits import RateLimitDecision, charge_allowance, request_address, request_subject


class RateLimitHeadersMiddleware(MiddlewareMixin):
    """Middleware that reports rate limits in the response headers RateLimit and RateLimit-Policy (IETF draft)."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Add the RateLimit headers, with one entry for each rate limit that counted the request."""
        charges: list[RateLimitDecision] = getattr(request, "allowances", [])
        policies = [
            f'"{charge.scope}";q={charge.rate.count};w={charge.rate.period}' for charge in charges if charge.rate
        ]
        if policies:
            # A view's limit may count for the person and for the address: the one that is reached first is reported.
            tightest: dict[str, RateLimitDecision] = {}
            for charge in charges:
                tightest[charge.scope] = min(tightest.get(charge.scope, charge), charge, key=lambda one: one.remaining)
            remaining = [f'"{one.scope}";r={one.remaining};t={math.ceil(one.used)}' for one in tightest.values()]
            response.headers["RateLimit-Policy"] = ", ".join(dict.fromkeys(policies))
            response.headers["RateLimit"] = ", ".join(remaining)
        return response


class PersonThrottle(BaseThrottle):
    """Throttle of REST views. It limits requests by person (or IP address), by API token and by view."""

    def __init__(self) -> None:
        self._seconds = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request against each limit that applies. Return False as soon as one is exceeded."""
        person, address = request_subject(request), request_address(request)
        view_scope = getattr(view, "throttle_scope", None)
        scopes = [("anonymous" if person == address else "person", person)]
        token = getattr(request.auth, "start", "")
        scopes += [("token", f"token {token}")] if token else []
        scopes += [(view_scope, subject) for subject in dict.fromkeys((person, address))] if view_scope else []
        charges: list[RateLimitDecision] = []
        for scope, subject in scopes:
            charges.append(charge_allowance(scope, subject))
            if charges[-1].seconds:
                break
        self._seconds = charges[-1].seconds
        request._request.allowances = [charge for charge in charges if charge.rate]  # type: ignore[attr-defined]  # for `RateLimitHeadersMiddleware`
        return not self._seconds

    def wait(self) -> float:
        """Return the number of seconds after which to retry."""
        return self._seconds
