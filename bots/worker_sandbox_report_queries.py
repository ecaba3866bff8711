"""Read queries about the workers: results of their sandbox self-tests, and the languages they support."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Max, QuerySet
from django.utils import timezone

from bots.models.worker_reports_and_usage import WorkerSandboxReport
from ftk_core.kit.uploads.programming_languages import LANGUAGES

REPORT_LIFETIME = timedelta(hours=1)
"""Time for which a worker's report counts. A worker stores its report when it starts and refreshes it while it runs."""
MAX_REPORTS = 50
REPORTED_WAIT_FACTOR = 24
"""Factor that multiplies the setting LACK_SECONDS for languages and code that some worker has had before.

LACK_SECONDS is how long work waits for a worker that supports its bot's language, before it ends without a result.
"""
_STARTED = time.monotonic()
"""Time at which this process, or the process that forked it, was started."""
ENGINE = "engine"
"""Key in a worker's self-test report (`WorkerSandboxReport.languages`) for the digest of the C++ library of game rules.

Only workers that offer the library to bots report this key.
"""

LIBRARIES = "libraries"
"""Key in a worker's self-test report (`WorkerSandboxReport.languages`) for Python bots' libraries, with versions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSelfTestResult:
    """Result of the sandbox self-test that a worker made at its start."""

    worker: str
    tier: str
    """Sandbox backend that was tested."""
    cgroup: bool
    """True if each bot also gets its own cgroup."""
    held: bool
    """True if the test passed."""
    reason: str
    tried_at: datetime
    """Time of the worker's last report."""


def list_worker_sandboxes() -> list[WorkerSelfTestResult]:
    """Return the results of the workers' sandbox self-tests, the newest first, at most `MAX_REPORTS`."""
    reports = WorkerSandboxReport.objects.order_by("-tried_at")[:MAX_REPORTS]
    return [
        WorkerSelfTestResult(
            worker=report.worker,
            tier=report.tier,
            cgroup=report.cgroup,
            held=report.held,
            reason=report.reason,
            tried_at=report.tried_at,
        )
        for report in reports
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportedProgrammingLanguage:
    """A programming language, and how many workers of this server support it."""

    name: str
    title: str
    command: str
    """Value of `command` in the manifest of an upload (bot.toml), for a program file called main."""
    workers: int
    """Number of workers that can build and run bots in the language."""
    prebuilt: bool
    """True if authors upload compiled programs, not source; the organiser may forbid such uploads."""
    versions: tuple[str, ...]
    """Version texts of the language's compilers or interpreters on the workers."""


def list_languages() -> list[SupportedProgrammingLanguage]:
    """Return all languages, each with the number of workers that can build and run bots in it."""
    reports = _recent_languages()
    return [
        SupportedProgrammingLanguage(
            name=name,
            title=language.title,
            command=f"{name} main{language.suffix}",
            workers=sum(name in report for report in reports),
            prebuilt=language.prebuilt,
            versions=tuple(sorted({report[name] for report in reports if name in report})),
        )
        for name, language in LANGUAGES.items()
    ]


def count_engine_workers() -> tuple[int, int]:
    """Return the number of workers that have the C++ library of game rules, and the number of all workers."""
    # Only workers that passed their sandbox self-test and have a recent report count.
    reports = _recent_languages()
    return sum(ENGINE in report for report in reports), len(reports)


def list_libraries() -> tuple[str, ...]:
    """Return the libraries that Python bots may import on every worker, as texts such as "numpy 2.3.1"."""
    reports = [set(report.get(LIBRARIES, "").split(", ")) - {""} for report in _recent_languages()]
    return tuple(sorted(set.intersection(*reports))) if reports else ()


def count_workers() -> int:
    """Return the number of workers that can run bots; at least 1."""
    # At least 1, because forecasts of a league's duration divide by this number.
    return max(1, _recent_reports().count())


def find_missing_support(language: str) -> str:
    """Return an error message if no worker can run a language; empty otherwise."""
    # Also empty if no worker has a recent report, because the languages are then unknown.
    reports = _recent_languages()
    if not reports or any(language in report for report in reports):
        return ""
    supported = ", ".join(list_reported_languages())
    return (
        f"no worker of this arena can build {LANGUAGES[language].title}: write the bot in {supported},"
        f" or ask the organiser for {LANGUAGES[language].title}"
    )


def list_reported_languages() -> list[str]:
    """Return the languages that at least one worker with a recent report supports."""
    reports = _recent_languages()
    return [name for name in LANGUAGES if any(name in report for report in reports)]


def list_supported_languages() -> list[str]:
    """Return the languages that some running worker supports; all languages if no worker has a recent report."""
    return list_reported_languages() or list(LANGUAGES)


def find_last_report(language: str) -> datetime | None:
    """Return the time of the last report by a worker that supports a language, or None."""
    reports = WorkerSandboxReport.objects.filter(held=True, languages__has_key=language)
    last_report: datetime | None = reports.aggregate(at=Max("tried_at"))["at"]
    return last_report


def list_lacking_languages() -> list[tuple[str, timedelta]]:
    """Return the languages that no worker has supported for long, each with how long work in it waits at most.

    The list is empty while no worker has reported recently, and in the first LACK_SECONDS of this process.
    """
    # After a restart the workers report one after another.
    supported, now = list_reported_languages(), timezone.now()
    if not supported or time.monotonic() - _STARTED < settings.LACK_SECONDS:
        return []
    lacking = []
    for language in LANGUAGES.keys() - supported:
        last_report = find_last_report(language)
        patience = timedelta(seconds=settings.LACK_SECONDS * (REPORTED_WAIT_FACTOR if last_report else 1))
        if last_report is None or last_report <= now - patience:
            lacking.append((language, patience))
    return sorted(lacking)


def _recent_languages() -> list[dict[str, str]]:
    """Return one dict for each worker with a recent report: language -> version of the compiler or interpreter."""
    # Each dict may also have the keys `ENGINE` and `LIBRARIES`.
    return [report.languages for report in _recent_reports() if report.languages]


def _recent_reports() -> QuerySet[WorkerSandboxReport]:
    return WorkerSandboxReport.objects.filter(held=True, tried_at__gt=timezone.now() - REPORT_LIFETIME)
