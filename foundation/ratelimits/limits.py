"""Rate limits by person and by IP address, shared by all processes through the database."""
# An allowance is the number of requests that somebody may still make. It refills steadily. One SQL statement checks and
# decrements it (the generic cell rate algorithm), so that concurrent requests cannot spend the same unit. Only this
# module accesses the table of `foundation.ratelimits.models.RateLimitState`. A time there that lies further ahead than
# any request can have set it is from before the clock was set back: the next request is allowed and replaces it.

from __future__ import annotations

import math
import re
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, wraps
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Concatenate, ParamSpec

import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext
from rest_framework.request import Request

log = structlog.get_logger(__name__)
P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]
PERIODS = {"s": 1, "min": 60, "hour": 3600, "day": 86_400}
RATE_PATTERN = re.compile(rf"(?P<count>[1-9]\d*)/(?P<times>[1-9]\d*)?(?P<period>{'|'.join(PERIODS)})", re.ASCII)
IPV6_PREFIX_BITS = 64
"""Number of leading bits of an IPv6 address that are treated as one client: a network usually gets a /64."""
SPEND_SQL = """
    INSERT INTO bots_allowance AS a (key, until, failures)
    VALUES (%(key)s, clock_timestamp() + %(each)s * interval '1 second', 0)
    ON CONFLICT (key) DO UPDATE
    SET until = least(
        greatest(a.until, clock_timestamp()) + %(each)s * interval '1 second',
        clock_timestamp() + %(period)s * interval '1 second'
    )
    WHERE greatest(a.until, clock_timestamp()) + (%(each)s - %(period)s) * interval '1 second' <= clock_timestamp()
        OR a.until > clock_timestamp() + %(period)s * interval '1 second'
    RETURNING extract(epoch FROM until - clock_timestamp())
"""
ATTEMPT_SQL = """
    INSERT INTO bots_allowance AS a (key, until, failures)
    VALUES (%(key)s, clock_timestamp() + least(%(longest)s, %(wait)s) * (%(free)s <= 1)::int * interval '1 second', 1)
    ON CONFLICT (key) DO UPDATE
    SET failures = a.failures + 1, until = clock_timestamp() + interval '1 second' * CASE
        WHEN a.failures + 1 < %(free)s THEN 0
        ELSE least(%(longest)s, %(wait)s * power(2, least(a.failures + 1 - %(free)s, 30)))
    END
    WHERE a.until <= clock_timestamp() OR a.until > clock_timestamp() + %(longest)s * interval '1 second'
"""
SECONDS_LEFT_SQL = "SELECT extract(epoch FROM until - clock_timestamp()) + %s - %s FROM bots_allowance WHERE key = %s"
CLIENT_ADDRESS: ContextVar[str] = ContextVar("asked_from", default="")
"""Client address of the current request, for the audit trail of staff; empty in commands and tasks."""


@dataclass(frozen=True, slots=True)
class RequestRate:
    """Rate limit of `count` requests per `period` seconds."""

    count: int
    period: int

    @property
    def seconds_each(self) -> float:
        """Seconds in which the allowance grows by one request."""
        return self.period / self.count


@cache
def read_rate(text: str) -> RequestRate:
    """Parse a rate such as ``1200/min`` or ``200/10s``. Raises ValueError."""
    # Both examples have the same rate in the long run, but 200/10s allows only 200 requests at once.
    match = RATE_PATTERN.fullmatch(text)
    if match is None:
        raise ValueError(f"a rate is like 120/min or 200/10s, per {', '.join(PERIODS)}, not {text!r}")
    return RequestRate(int(match["count"]), int(match["times"] or 1) * PERIODS[match["period"]])


@dataclass(frozen=True, slots=True)
class RateLimitDecision:
    """Result of counting one request against a rate limit."""

    seconds: int
    """Seconds after which to retry; 0 if the request is allowed."""
    scope: str = ""
    rate: RequestRate | None = None
    used: float = 0
    """Seconds until the whole allowance is available again; 0 if nothing is used."""

    @property
    def remaining(self) -> int:
        """Number of requests that are still allowed right now."""
        return max(0, int((self.rate.period - self.used) / self.rate.seconds_each)) if self.rate else 0


def charge_allowance(scope: str, subject: str) -> RateLimitDecision:
    """Count one request against a rate limit. The result says if it is allowed or how long to wait."""
    # Without a database every request is allowed: a view that needs the database then fails anyway.
    rate, key = read_rate(settings.THROTTLES[scope]), f"{scope} {subject}"
    try:
        with connection.cursor() as cursor:
            cursor.execute(SPEND_SQL, {"key": key, "each": rate.seconds_each, "period": rate.period})
            if seconds_row := cursor.fetchone():
                return RateLimitDecision(0, scope, rate, float(seconds_row[0]))
            cursor.execute(SECONDS_LEFT_SQL, [rate.seconds_each, rate.period, key])
            seconds_row = cursor.fetchone()
    except DatabaseError as error:
        log.warning("not_throttled", scope=scope, error=str(error))
        return RateLimitDecision(0)
    return RateLimitDecision(max(1, math.ceil(seconds_row[0])) if seconds_row else 1, scope, rate, float(rate.period))


def charge_or_wait(scope: str, subject: str) -> int:
    """Count one request against a rate limit. Return 0 if it is allowed, or the seconds to wait."""
    return charge_allowance(scope, subject).seconds


def count_attempt(scope: str, subject: str) -> int:
    """Count an attempt, such as a sign-in, against the limit of failed attempts.

    Return 0 if the attempt is allowed, else the seconds to wait. Call this before the attempt, and `clear_failures`
    after a success.
    """
    # The attempt counts as failed at once, so that concurrent attempts cannot evade the limit.
    key, backoff = f"{scope} failed {subject}", settings.BACKOFF
    try:
        with connection.cursor() as cursor:
            cursor.execute(ATTEMPT_SQL, {"key": key, **backoff})
            if cursor.rowcount:
                return 0
            cursor.execute(SECONDS_LEFT_SQL, [0, 0, key])
            seconds_row = cursor.fetchone()
    except DatabaseError as error:
        log.warning("not_throttled", scope=scope, error=str(error))
        return 0
    return max(1, math.ceil(seconds_row[0])) if seconds_row else 1


def clear_failures(scope: str, subject: str) -> None:
    """Reset the count of failed attempts of a person or IP address."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM bots_allowance WHERE key = %s", [f"{scope} failed {subject}"])


def delete_full_allowances() -> int:
    """Delete the database rows of rate limits that have no effect any more. Return the number of deleted rows."""
    retention = "CASE WHEN failures > 0 THEN %s ELSE 0 END * interval '1 second'"
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM bots_allowance WHERE until + {retention} < clock_timestamp()",  # noqa: S608 - constants only
            [settings.BACKOFF["longest"]],
        )
        return int(cursor.rowcount)


def client_address(address: str, forwarded: str) -> str:
    """Return a client's IP address, or the /64 network of an IPv6 address."""
    # Anybody can write X-Forwarded-For, but each proxy appends the address of its peer. With N trusted proxies, only
    # the N-th address from the end is reliable.
    if settings.PROXIES:
        chain = [part.strip() for part in forwarded.split(",") if part.strip()]
        if len(chain) >= settings.PROXIES:
            address = chain[-settings.PROXIES]
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:60].replace("\0", "")
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or ip_network((parsed, IPV6_PREFIX_BITS), strict=False))
    return str(parsed)


def request_address(request: HttpRequest | Request) -> str:
    """Return the client's IP address of a request; for IPv6, the /64 network."""
    return client_address(str(request.META.get("REMOTE_ADDR", "")), str(request.META.get("HTTP_X_FORWARDED_FOR", "")))


def too_many_requests(seconds: int) -> HttpResponse:
    """Return HTTP 429 that tells the client to wait for some seconds."""
    message = f"Too many requests; try again in {seconds} s.\n"
    return HttpResponse(message, status=429, headers={"Retry-After": str(seconds)}, content_type="text/plain")


class AddressRateLimitMiddleware(MiddlewareMixin):
    """Middleware that limits the number of requests from each client IP address."""

    # An earlier middleware serves static files, so they are not counted.

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Count the request against its IP address. Return HTTP 429 if it exceeds the limit."""
        address = request_address(request)
        CLIENT_ADDRESS.set(address)
        seconds = charge_or_wait("request", address)
        if not seconds:
            return None
        # imported here, as it imports the views of REST framework, which import this module
        from foundation.problem_details import is_api_request, problem_response

        if is_api_request(request):
            detail = gettext("too many requests; try again in %(seconds)s s") % {"seconds": seconds}
            answer = problem_response(429, detail, {"Retry-After": str(seconds)})
        else:
            answer = too_many_requests(seconds)
        answer.headers["X-Refused-Everything"] = "1"  # read by `deploy.http.body_size_and_connection_limits`
        return answer


def rate_limited(scope: str, *, by: Callable[[HttpRequest], str] = request_address) -> Callable[[View[P]], View[P]]:
    """Decorate a view so that it answers 429 to clients that send too many POST requests.

    `by` identifies the client, by default by IP address.
    """

    def wrap(view: View[P]) -> View[P]:
        @wraps(view)
        def handle(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            seconds = charge_or_wait(scope, by(request)) if request.method == "POST" else 0
            return too_many_requests(seconds) if seconds else view(request, *args, **kwargs)

        return handle

    return wrap


def request_subject(request: HttpRequest | Request) -> str:
    """Return the id of the signed-in person, or the client's IP address."""
    user: Any = getattr(request, "user", None)
    return f"#{user.pk}" if user is not None and user.is_authenticated else request_address(request)
