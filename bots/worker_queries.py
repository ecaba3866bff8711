"""Read queries about the workers: their sandboxes and languages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from bots.models import CageReport
from ftk_core.kit.languages import LANGUAGES

LATELY = timedelta(days=1)
"""A worker counts for this long after its last start."""
MOST = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CageRow:
    """A worker's test of its sandbox at its start."""

    worker: str
    tier: str
    cgroup: bool
    held: bool
    reason: str
    tried_at: datetime


def list_cages() -> list[CageRow]:
    """Return the workers' sandbox tests, the newest first."""
    rows = CageReport.objects.order_by("-tried_at")[:MOST]
    return [
        CageRow(worker=r.worker, tier=r.tier, cgroup=r.cgroup, held=r.held, reason=r.reason, tried_at=r.tried_at)
        for r in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageRow:
    """A language and the arena's support for it."""

    name: str
    title: str
    command: str
    """Command in an upload's manifest."""
    workers: int
    """Number of workers that support it."""
    prebuilt: bool
    """True for uploaded compiled programs, which the organiser may forbid."""
    versions: tuple[str, ...]
    """Version lines of its compilers or interpreters."""


def list_languages() -> list[LanguageRow]:
    """Return every language with the number of workers that can play it."""
    reports = _reports()
    return [
        LanguageRow(
            name=name,
            title=row.title,
            command=f"{name} main{row.suffix}",
            workers=sum(name in report for report in reports),
            prebuilt=row.prebuilt,
            versions=tuple(sorted({report[name] for report in reports if name in report})),
        )
        for name, row in LANGUAGES.items()
    ]


def find_lack(language: str) -> str:
    """Return the reason why no worker can run a language, with the remedy.

    Empty if one can, or if no worker has reported yet.
    """
    reports = _reports()
    if not reports or any(language in report for report in reports):
        return ""
    others = ", ".join(name for name in LANGUAGES if any(name in report for report in reports))
    return (
        f"no worker of this arena can build {LANGUAGES[language].title}: write the bot in {others},"
        f" or ask the organiser for {LANGUAGES[language].title}"
    )


def is_reported(language: str) -> bool:
    """Return True if a worker with a valid sandbox has ever reported a language."""
    return CageReport.objects.filter(held=True, languages__has_key=language).exists()


def _reports() -> list[dict[str, str]]:
    """Return the languages of workers with a valid sandbox, without reports from before languages were stored."""
    lately = CageReport.objects.filter(held=True, tried_at__gt=timezone.now() - LATELY)
    return [report.languages for report in lately if report.languages]
