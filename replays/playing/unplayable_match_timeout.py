"""Ending of matches that wait too long, because no worker supports their bots' languages or has their game's code."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import structlog
from django.conf import settings
from django.db.models import Max
from django.utils import timezone

from bots.remote_bots import UPLOADED
from bots.worker_sandbox_report_queries import REPORTED_WAIT_FACTOR, list_lacking_languages
from ftk_core.hash_chained_log import LogWriteConflictError
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from replays.background_work_retries import run_with_retries
from replays.models import Match, MatchSeat, SeatQuestionMailbox
from replays.playing.match_cancellation import end_match
from replays.playing.match_leases import MatchLeaseLost, claim
from replays.playing.match_runner import holder_name
from replays.playing.match_voiding_after_failures import void_match
from replays.playing.resumable_matches import RUNNING_STATUSES, select_resumable_elsewhere

log = structlog.get_logger(__name__)


def end_unsupported_matches() -> int:
    """End matches that wait too long for a worker that supports a bot's language.

    Return the number of ended matches.
    """
    return sum(_end_expired(language, patience) for language, patience in list_lacking_languages())


def _end_expired(language: str, patience: timedelta) -> int:
    """End the matches that have waited too long for a worker that supports `language`; return their number."""
    latest = timezone.now() - patience
    seats = MatchSeat.objects.filter(
        match__status__in=RUNNING_STATUSES,
        match__created_at__lt=latest,
        version__bot__kind=UPLOADED,
        version__package__command__0=language,
    )
    title = LANGUAGES[language].title
    reason = (
        f"no worker of this arena played {title} within {patience.total_seconds() / 3600:.3g} hours; the organiser"
        f" installs {title} on a worker and has the match played again, or the bot is sent in another language"
    )
    ids = seats.order_by("match__created_at", "match").values_list("match", flat=True).distinct()
    return sum(
        run_with_retries("language", match_id, partial(_end, match_id, latest, reason), otherwise=False)
        for match_id in list(ids)
    )


def end_matches_of_other_builds() -> int:
    """End inactive friendly and ladder matches that were begun with game code that this process does not have.

    Return the number of ended matches.
    """
    # The code changes with each release. Organisers have league matches played again; other matches have no organiser.
    patience = timedelta(seconds=settings.LACK_SECONDS * REPORTED_WAIT_FACTOR)
    latest = timezone.now() - patience
    matches = select_resumable_elsewhere().filter(created_at__lt=latest).exclude(kind=Match.Kind.LEAGUE)
    return sum(
        run_with_retries("build", match.pk, partial(_end_other_build, match, latest, patience), otherwise=False)
        for match in matches.order_by("created_at", "pk")
    )


def _end_other_build(match: Match, latest: datetime, patience: timedelta) -> bool:
    reason = (
        f"the arena was upgraded before the match ended, and no worker with the code that began it ({match.build})"
        f" continued it within {patience.total_seconds() / 3600:.3g} hours; a new match can be played"
    )
    return _last_activity(match) <= latest and end_match(match.pk, reason)


def _end(match_id: str, latest: datetime, reason: str) -> bool:
    """End an inactive match that no worker plays, and return True if it was ended."""
    match = Match.objects.get(pk=match_id)
    if _last_activity(match) > latest or (lease := claim(match_id, holder_name())) is None:
        return False
    try:
        void_match(match, lease, reason)
    except (LogWriteConflictError, MatchLeaseLost) as late:
        log.warning("match_lost", match=match_id, reason=str(late))
        return False
    return True


def _last_activity(match: Match) -> datetime:
    """Return the latest time at which a match was ordered, played, resumed, or answered by a person."""
    answered_at = SeatQuestionMailbox.objects.filter(seat__match=match).aggregate(at=Max("answered_at"))["at"]
    times = (match.created_at, match.opened_at, match.lease_until, match.resume_at, answered_at)
    return max(at for at in times if at is not None)
