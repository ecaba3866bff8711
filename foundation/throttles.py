"""Rate limits by person and by address, shared by all processes through the database.

The rates are in the settings (`THROTTLES`). An allowance refills steadily and may be spent in one burst. One statement
checks and takes (the generic cell rate algorithm), so concurrent requests cannot spend the same unit.

The table is `bots_allowance`, created by the app `bots` (`bots.models.Allowance`); only this module reads it.
"""

from __future__ import annotations

import math
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
from rest_framework.request import Request

log = structlog.get_logger(__name__)
P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]
PERIODS = {"s": 1, "min": 60, "hour": 3600, "day": 86_400}
NEIGHBOURS = 64
"""Number of leading bits of an IPv6 address that identify one customer."""
SPEND = """
    INSERT INTO bots_allowance AS a (key, until, failures)
    VALUES (%(key)s, clock_timestamp() + %(each)s * interval '1 second', 0)
    ON CONFLICT (key) DO UPDATE
    SET until = greatest(a.until, clock_timestamp()) + %(each)s * interval '1 second'
    WHERE greatest(a.until, clock_timestamp()) + (%(each)s - %(period)s) * interval '1 second' <= clock_timestamp()
    RETURNING extract(epoch FROM until - clock_timestamp())
"""
TRY = """
    INSERT INTO bots_allowance AS a (key, until, failures)
    VALUES (%(key)s, clock_timestamp() + %(wait)s * (%(free)s <= 1)::int * interval '1 second', 1)
    ON CONFLICT (key) DO UPDATE
    SET failures = a.failures + 1, until = clock_timestamp() + interval '1 second' * CASE
        WHEN a.failures + 1 < %(free)s THEN 0
        ELSE least(%(longest)s, %(wait)s * power(2, least(a.failures + 1 - %(free)s, 30)))
    END
    WHERE a.until <= clock_timestamp()
"""
LEFT = "SELECT extract(epoch FROM until - clock_timestamp()) + %s - %s FROM bots_allowance WHERE key = %s"
ASKED_FROM: ContextVar[str] = ContextVar("asked_from", default="")
"""Client address of the current request, recorded with acts of staff; empty in commands and tasks."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of requests per period in seconds."""

    count: int
    period: int

    @property
    def each(self) -> float:
        """Seconds until one more request is allowed."""
        return self.period / self.count


@cache
def read_rate(text: str) -> Rate:
    """Parse a rate like ``120/min``; raises ValueError."""
    count, _, period = text.partition("/")
    if not count.isdecimal() or int(count) < 1 or period not in PERIODS:
        raise ValueError(f"a rate is like 120/min, per {', '.join(PERIODS)}, not {text!r}")
    return Rate(int(count), PERIODS[period])


@dataclass(frozen=True, slots=True)
class Taken:
    """Result of taking one from an allowance."""

    seconds: int
    """Seconds after which to retry; 0 if one was taken."""
    scope: str = ""
    rate: Rate | None = None
    used: float = 0
    """Seconds until the allowance is full again."""

    @property
    def left(self) -> int:
        """Number of requests that may still be made at once."""
        return max(0, int((self.rate.period - self.used) / self.rate.each)) if self.rate else 0


def take(scope: str, who: str) -> Taken:
    """Take one from an allowance if one is left.

    Allow everything while the database is away: whatever needs the database fails by itself.
    """
    rate, key = read_rate(settings.THROTTLES[scope]), f"{scope} {who}"
    try:
        with connection.cursor() as cursor:
            cursor.execute(SPEND, {"key": key, "each": rate.each, "period": rate.period})
            if row := cursor.fetchone():
                return Taken(0, scope, rate, float(row[0]))
            cursor.execute(LEFT, [rate.each, rate.period, key])
            row = cursor.fetchone()
    except DatabaseError as error:
        log.warning("not_throttled", scope=scope, error=str(error))
        return Taken(0)
    return Taken(max(1, math.ceil(row[0])) if row else 1, scope, rate, float(rate.period))


def spend(scope: str, who: str) -> int:
    """Take one from an allowance; return 0, or the seconds after which to retry if none is left."""
    return take(scope, who).seconds


def attempt(scope: str, who: str) -> int:
    """Count an attempt as failed until `succeeded` is called; return 0, or the seconds after which to retry.

    The first attempts are free; each further one doubles the wait. The count is made before the outcome is known, so
    that concurrent attempts get no more than sequential ones.
    """
    key, back = f"{scope} failed {who}", settings.BACKOFF
    try:
        with connection.cursor() as cursor:
            cursor.execute(TRY, {"key": key, **back})
            if cursor.rowcount:
                return 0
            cursor.execute(LEFT, [0, 0, key])
            row = cursor.fetchone()
    except DatabaseError as error:
        log.warning("not_throttled", scope=scope, error=str(error))
        return 0
    return max(1, math.ceil(row[0])) if row else 1


def succeeded(scope: str, who: str) -> None:
    """Delete the failed attempts."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM bots_allowance WHERE key = %s", [f"{scope} failed {who}"])


def forget_full() -> int:
    """Delete full allowances and old failures; return their number."""
    kept = "CASE WHEN failures > 0 THEN %s ELSE 0 END * interval '1 second'"
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM bots_allowance WHERE until + {kept} < clock_timestamp()",  # noqa: S608 - put together of constants
            [settings.BACKOFF["longest"]],
        )
        return int(cursor.rowcount)


def believed(address: str, forwarded: str) -> str:
    """Return the client address, given the peer address and X-Forwarded-For.

    Anybody can write X-Forwarded-For, but each proxy appends the address of its peer. It is therefore trusted only as
    far as the settings say how many proxies of ours there are.
    """
    if settings.PROXIES:
        chain = [part.strip() for part in forwarded.split(",") if part.strip()]
        if len(chain) >= settings.PROXIES:
            address = chain[-settings.PROXIES]
    try:
        known = ip_address(address)
    except ValueError:
        return address[:60].replace("\0", "")
    if isinstance(known, IPv6Address):
        return str(known.ipv4_mapped or ip_network((known, NEIGHBOURS), strict=False))
    return str(known)


def address_of(request: HttpRequest | Request) -> str:
    """Return the client address of a request."""
    return believed(str(request.META.get("REMOTE_ADDR", "")), str(request.META.get("HTTP_X_FORWARDED_FOR", "")))


def refusal(seconds: int) -> HttpResponse:
    """Return the response to a client that exceeds its limit."""
    message = f"Too many requests; try again in {seconds} s.\n"
    return HttpResponse(message, status=429, headers={"Retry-After": str(seconds)}, content_type="text/plain")


class ByAddress(MiddlewareMixin):
    """Middleware that limits each address by the scope ``request``.

    Static files are served before it and cost nothing.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Refuse a request over the limit, and record its client address for its acts."""
        address = address_of(request)
        ASKED_FROM.set(address)
        seconds = spend("request", address)
        if not seconds:
            return None
        answer = refusal(seconds)
        answer.headers["X-Refused-Everything"] = "1"  # the gate refuses by itself until then
        return answer


def throttled(scope: str, *, by: Callable[[HttpRequest], str] = address_of) -> Callable[[View[P]], View[P]]:
    """Limit the POST requests of a view by a scope."""

    def wrap(view: View[P]) -> View[P]:
        @wraps(view)
        def asked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            seconds = spend(scope, by(request)) if request.method == "POST" else 0
            return refusal(seconds) if seconds else view(request, *args, **kwargs)

        return asked

    return wrap


def person_of(request: HttpRequest | Request) -> str:
    """Return the person's number, or the client address if nobody is signed in."""
    user: Any = getattr(request, "user", None)
    return f"#{user.pk}" if user is not None and user.is_authenticated else address_of(request)
