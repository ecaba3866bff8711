"""What the workers of this arena reported of themselves: how they contain bots, and in which languages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from bots.models import CageReport
from ftk_core.kit.languages import LANGUAGES

LATELY = timedelta(days=1)
"""How long a worker counts after it was last started."""
MOST = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CageRow:
    """One worker's cage, as it found it when it started."""

    worker: str
    tier: str
    cgroup: bool
    held: bool
    reason: str
    tried_at: datetime


def list_cages() -> list[CageRow]:
    """Return what each worker for matches found, the newest first."""
    rows = CageReport.objects.order_by("-tried_at")[:MOST]
    return [
        CageRow(worker=r.worker, tier=r.tier, cgroup=r.cgroup, held=r.held, reason=r.reason, tried_at=r.tried_at)
        for r in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageRow:
    """A language, and whether this arena plays bots in it."""

    name: str
    title: str
    command: str
    """What an upload's manifest says."""
    workers: int
    """How many of the workers can."""
    prebuilt: bool
    """Whether it is a program that comes compiled, which the organiser may allow."""
    versions: tuple[str, ...]
    """How what compiles or runs it calls itself there."""


def list_languages() -> list[LanguageRow]:
    """Return every language, with how many of the workers that hold bots can play it; 0 is none."""
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
    """Return why no worker can try a bot in a language, and what to do; empty where one can or none has said."""
    reports = _reports()
    if not reports or any(language in report for report in reports):
        return ""
    others = ", ".join(name for name in LANGUAGES if any(name in report for report in reports))
    return (
        f"no worker of this arena can build {LANGUAGES[language].title}: write the bot in {others},"
        f" or ask the organiser for {LANGUAGES[language].title}"
    )


def is_reported(language: str) -> bool:
    """Tell whether any worker that holds bots has ever reported a language."""
    return CageReport.objects.filter(held=True, languages__has_key=language).exists()


def _reports() -> list[dict[str, str]]:
    """Return what the workers said that hold bots, but those that have not yet learnt to say what they can."""
    lately = CageReport.objects.filter(held=True, tried_at__gt=timezone.now() - LATELY)
    return [report.languages for report in lately if report.languages]
