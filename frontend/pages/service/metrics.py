"""Prometheus endpoint with the metrics of this server, protected by a token from the settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bots.versions.queries import read_trial_age
from foundation import process_metrics
from foundation.problem_details import problem_response
from replays.background_work_retries import count_given_up
from replays.reports.match_health import MatchMonitoringCounts, read_running_work
from replays.reviews.review_scheduling import read_review_age

CACHE_SECONDS = 5
"""Seconds for which values read from the database are reused, so that frequent scrapes cost no more queries."""


class DatabaseGaugeCollector(Collector):
    """Prometheus gauges with values from the database."""

    # Labels contain no names of people or matches. `trial_s` is the age in seconds of the oldest unfinished trial match
    # of an upload, and `review_s` of the oldest match analysis that can start now; `failed_work` counts abandoned jobs
    # by kind.

    def __init__(
        self, counts: MatchMonitoringCounts, trial_s: float, review_s: float, failed_work: Mapping[str, int]
    ) -> None:
        self.going, self.trial_s, self.review_s, self.left = counts, trial_s, review_s, failed_work

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauges with their current values."""
        going, gauge = self.going, GaugeMetricFamily
        matches = gauge("ftk_matches", "Matches by status.", labels=["status"])
        for status, count in going.by_status.items():
            matches.add_metric([status], count)
        yield matches
        yield gauge("ftk_queue_age_seconds", "How long the oldest match waits only for a worker.", going.waited_s)
        yield gauge("ftk_trial_age_seconds", "How long the oldest upload has been in its trial.", self.trial_s)
        yield gauge("ftk_review_age_seconds", "How long the oldest review waits while the budget lasts.", self.review_s)
        yield gauge("ftk_leases_overdue", "Matches whose worker outlived its lease.", going.overdue)
        yield gauge("ftk_workers_playing", "Workers that hold at least one match.", going.workers)
        if going.audited_s is not None:
            yield gauge(
                "ftk_audit_age_seconds",
                "How long ago a match was audited last, or before any audit the first match ended.",
                going.audited_s,
            )
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
    """Return all metrics; answer 404 if the settings contain no token, and 401 for a wrong token."""
    if not process_metrics.has_token():
        return problem_response(404, gettext("FTK_METRICS_TOKEN is not set, so nobody can read the metrics; set it"))
    if not process_metrics.is_authorized(request.headers.get("Authorization", "")):
        return problem_response(401, gettext(process_metrics.REFUSAL_MESSAGE), {"WWW-Authenticate": "Bearer"})
    numbers = cache.get("metrics-4") or (read_running_work(), read_trial_age(), read_review_age(), count_given_up())
    cache.add("metrics-4", numbers, CACHE_SECONDS)
    registry = CollectorRegistry()
    registry.register(DatabaseGaugeCollector(*numbers))
    text = process_metrics.generate_latest(registry) + process_metrics.generate_latest(
        process_metrics.collect_metrics()
    )
    return HttpResponse(text, content_type=process_metrics.CONTENT_TYPE_LATEST)
