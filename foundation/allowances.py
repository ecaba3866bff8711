"""Rate limits of the REST API and the response headers that report them."""

from __future__ import annotations

import math
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from foundation.throttles import Taken, address_of, person_of, take


class Allowances(MiddlewareMixin):
    """Middleware that reports the remaining allowances (the IETF's draft on RateLimit headers)."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Add one RateLimit entry for each allowance that the request was charged to."""
        taken: list[Taken] = getattr(request, "allowances", [])
        policies = [f'"{one.scope}";q={one.rate.count};w={one.rate.period}' for one in taken if one.rate]
        if policies:
            left = [f'"{one.scope}";r={one.left};t={math.ceil(one.used)}' for one in taken]
            response.headers["RateLimit-Policy"] = ", ".join(dict.fromkeys(policies))
            response.headers["RateLimit"] = ", ".join(left)
        return response


class ByPerson(BaseThrottle):
    """Throttle of REST views by the scopes ``person`` and ``token``, or ``anonymous``, and by the view's own scope."""

    def __init__(self) -> None:
        self._seconds = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Take one from each allowance; the view's own scope counts by person and by address."""
        person, address = person_of(request), address_of(request)
        own = getattr(view, "throttle_scope", None)
        scopes = [("anonymous" if person == address else "person", person)]
        token = getattr(request.auth, "start", "")
        scopes += [("token", f"token {token}")] if token else []
        scopes += [(own, who) for who in dict.fromkeys((person, address))] if own else []
        taken: list[Taken] = []
        for scope, who in scopes:
            taken.append(take(scope, who))
            if taken[-1].seconds:
                break
        self._seconds = taken[-1].seconds
        request._request.allowances = [one for one in taken if one.rate]  # type: ignore[attr-defined]  # for `Allowances`
        return not self._seconds

    def wait(self) -> float:
        """Return the number of seconds after which to retry."""
        return self._seconds
