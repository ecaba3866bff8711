"""Endpoint for Prometheus; requires the token of the settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bots.version_queries import read_trial_age
from foundation import metering
from foundation.problems import problem
from replays.failed_work import count_left
from replays.reports.health import Going, read_going

KEPT_SECONDS = 5
"""Maximum age of an answer: more frequent scrapes cost the database nothing."""


class OfGoing(Collector):
    """Gauges from the database; no label names a person or a match."""

    def __init__(self, going: Going, trial_s: float, left: Mapping[str, int]) -> None:
        self.going, self.trial_s, self.left = going, trial_s, left

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield each gauge; matches by status, of which there are five."""
        going, gauge = self.going, GaugeMetricFamily
        matches = gauge("ftk_matches", "Matches by status.", labels=["status"])
        for status, count in going.by_status.items():
            matches.add_metric([status], count)
        yield matches
        yield gauge("ftk_queue_age_seconds", "How long the oldest waiting match waits.", going.waited_s)
        yield gauge("ftk_trial_age_seconds", "How long the oldest upload has been in its trial.", self.trial_s)
        yield gauge("ftk_leases_overdue", "Matches whose worker outlived its lease.", going.overdue)
        yield gauge("ftk_workers_playing", "Workers that hold at least one match.", going.holders)
        if going.audited_s is not None:
            yield gauge("ftk_audit_age_seconds", "How long ago a match was audited last.", going.audited_s)
        left = GaugeMetricFamily(
            "ftk_work_left_aside", "Work left aside after its last attempt, by kind.", labels=["kind"]
        )
        for kind, count in (self.left or {"any": 0}).items():
            left.add_metric([kind], count)
        yield left
        yield gauge("ftk_audit_differences", "Matches of which the last audit found a difference.", going.differing)
        yield gauge("ftk_archive_bytes", "What the pages of all streams take on the disk.", going.stored_bytes)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Return all gauges and counters; 404 if the settings name no token, 401 without the right one."""
    if not metering.has_token():
        return problem(404, gettext("no FTK_METRICS_TOKEN is set, so that nobody reads this"))
    if not metering.may_read(request.headers.get("Authorization", "")):
        return problem(401, gettext(metering.REFUSED), {"WWW-Authenticate": "Bearer"})
    numbers = cache.get("metrics-3") or (read_going(), read_trial_age(), count_left())
    cache.add("metrics-3", numbers, KEPT_SECONDS)
    registry = CollectorRegistry()
    registry.register(OfGoing(*numbers))
    text = metering.generate_latest(registry) + metering.generate_latest(metering.counted())
    return HttpResponse(text, content_type=metering.CONTENT_TYPE_LATEST)
