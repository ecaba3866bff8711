"""Requests for reviews (analyses of matches) by people, by leagues or from the shell."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from bots.author_quotas import quota_of
from bots.remote_bots import PERSON
from foundation.celery_task_messages import enqueue_task
from ftk_core.analysis.match_review import EYES, check_review_eyes
from ftk_core.games import game
from ftk_core.match_fork import MatchForkError
from replays.match_access import InvalidViewpointError, MatchViewForbiddenError, admitted_viewer
from replays.models import Match, MatchSeat
from replays.models.reviews import MatchReview

REVIEW_KIND: Final = "reviews"
"""Job kind of reviews, and name of their Celery queue."""
LEAGUE_EYES = ("own", "public")
"""Values of `MatchReview.eyes` (knowledge that an analysis uses) for which a league requests reviews."""
DAY = timedelta(days=1)


class ReviewRequestRefusedError(Exception):
    """Raised if a review cannot be requested; the message gives the reason and the remedy."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code
        """Error code for programs."""


def required_viewer(eyes: str) -> str:
    """Return the view of a match that the readers of a review must be allowed to see.

    `eyes` is the knowledge that the review uses. Raises InvalidViewpointError if it is unknown.
    """
    # A review from each seat's own knowledge reveals what every seat knew, so it requires `all`.
    if eyes not in EYES:
        raise InvalidViewpointError(
            gettext("a match is reviewed with the eyes %(eyes)s, not %(asked)r")
            % {"eyes": " or ".join(map(repr, EYES)), "asked": eyes[:20]}
        )
    return "public" if eyes == "public" else "all"


def remaining_quota(person: User) -> int:
    """Return how many more reviews a person may request now."""
    # The quota counts the requests of the last 24 hours.
    asked = MatchReview.objects.filter(asked_by=person, asked_at__gt=timezone.now() - DAY).count()
    return max(0, quota_of(person).reviews - asked)


@transaction.atomic
def request_review(match_id: str, eyes: str, person: User) -> MatchReview:
    """Request a review of a match, or return the existing review. Only new reviews count for the quota.

    Raises Match.DoesNotExist, InvalidViewpointError, ReviewRequestRefusedError, or MatchViewForbiddenError if the
    person may not see the review.
    """
    match, _ = admitted_viewer(match_id, required_viewer(eyes), person.pk)
    User.objects.select_for_update().get(pk=person.pk)  # lock, so that a concurrent request is counted
    if row := MatchReview.objects.filter(match=match, eyes=eyes).first():
        return row
    _check_request(match, eyes)
    if not remaining_quota(person):
        most = quota_of(person).reviews
        raise ReviewRequestRefusedError(
            gettext("you may ask for %(most)s reviews within 24 hours, and have; ask again later") % {"most": most},
            "quota",
        )
    _enqueue()
    return _store_request(match, eyes, person)


@transaction.atomic
def request_from_shell(match_id: str, eyes: str, *, again: bool = False) -> MatchReview:
    """Request a review of a match; no quota applies. With `again`, retry a review that workers gave up.

    Raises Match.DoesNotExist, InvalidViewpointError or ReviewRequestRefusedError.
    """
    required_viewer(eyes)
    match = Match.objects.get(pk=match_id)
    _check_request(match, eyes)
    if again:
        given_up = MatchReview.objects.filter(match=match, eyes=eyes, status=MatchReview.Status.GIVEN_UP)
        given_up.update(status=MatchReview.Status.WAITING, reason="", attempts=0, cpu_ms=0, ended_at=None)
    _enqueue()
    return MatchReview.objects.filter(match=match, eyes=eyes).first() or _store_request(match, eyes, None)


def request_for_all(match_ids: Iterable[str]) -> None:
    """Request the missing reviews of matches with a result."""
    # One for each kind of knowledge in LEAGUE_EYES that the game supports.
    for match in Match.objects.filter(pk__in=list(match_ids), status=Match.Status.CLOSED):
        for eyes in LEAGUE_EYES:
            try:
                _check_request(match, eyes)
            except ReviewRequestRefusedError:
                continue
            if not MatchReview.objects.filter(match=match, eyes=eyes).exists():
                _store_request(match, eyes, None)
    _enqueue()


def request_for_people(match_id: str, *, by_hand: bool, **_kwargs: object) -> None:
    """Request the review of a match for those who played it by hand, if they have half of their quota left."""
    if not by_hand:
        return
    seats = MatchSeat.objects.filter(match=match_id, version__bot__kind=PERSON).select_related("version__bot__owner")
    for person in (seat.version.bot.owner for seat in seats):
        if person is None or 2 * remaining_quota(person) < quota_of(person).reviews:
            continue
        try:
            request_review(match_id, "own", person)
        except (ReviewRequestRefusedError, MatchViewForbiddenError):
            continue  # a void match, a game that cannot be reviewed so, or a match that the person may not see


def _check_request(match: Match, eyes: str) -> None:
    if match.status == Match.Status.VOID:
        raise ReviewRequestRefusedError(
            gettext("the match is void: only matches with a result can be reviewed"), "void"
        )
    if match.status != Match.Status.CLOSED:
        raise ReviewRequestRefusedError(gettext("the match has not ended; ask again once it has"), "not_ended")
    try:
        check_review_eyes(game(match.game), eyes)
    except MatchForkError as error:
        raise ReviewRequestRefusedError(str(error), "eyes") from None


def _store_request(match: Match, eyes: str, person: User | None) -> MatchReview:
    # Somebody else may request the same review at the same time.
    new = {"playouts": settings.REVIEWS["playouts"], "asked_by": person}
    return MatchReview.objects.get_or_create(match=match, eyes=eyes, defaults=new)[0]


def _enqueue() -> None:
    """Enqueue one task message for the waiting reviews when the transaction commits."""
    # One suffices: the worker that gets it, and a periodic task, enqueue further messages.
    transaction.on_commit(lambda: enqueue_task("bots.work", REVIEW_KIND, queue=REVIEW_KIND))
