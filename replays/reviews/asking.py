"""Requests for reviews: by a person within a quota, by a league for its last round, or from the shell."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from bots.quotas import quota_of
from foundation.doorbell import ring
from ftk_core.fork import NoFork, check_eyes
from ftk_core.games import game
from ftk_core.review import EYES
from replays.access import UnknownEyes, admitted
from replays.models import Match
from replays.review_models import Review

REVIEWS: Final = "reviews"
"""Queue of the reviews; also their kind of work."""
DAY = timedelta(days=1)


class NotReviewed(Exception):
    """Raised for a refused request; the message gives the reason and the remedy."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code
        """Error code for programs."""


def check_named(eyes: str) -> None:
    """Raise UnknownEyes for a viewer for whom matches are not reviewed."""
    if eyes not in EYES:
        raise UnknownEyes(
            gettext("a match is reviewed with the eyes %(eyes)s, not %(asked)r")
            % {"eyes": " or ".join(map(repr, EYES)), "asked": eyes[:20]}
        )


def left_of(person: User) -> int:
    """Return how many reviews a person may still request within 24 hours."""
    asked = Review.objects.filter(asked_by=person, asked_at__gt=timezone.now() - DAY).count()
    return max(0, quota_of(person).reviews - asked)


@transaction.atomic
def ask(match_id: str, eyes: str, person: User) -> Review:
    """Request a review, or return an earlier one, which costs nothing.

    Raises Match.DoesNotExist, UnknownEyes, EyesClosed as for frames, or NotReviewed.
    """
    check_named(eyes)
    match, _ = admitted(match_id, eyes, person.pk)
    User.objects.select_for_update().get(pk=person.pk)  # the second of two concurrent requests sees the first
    if row := Review.objects.filter(match=match, eyes=eyes).first():
        return row
    _check(match, eyes)
    if not left_of(person):
        most = quota_of(person).reviews
        raise NotReviewed(
            gettext("you may ask for %(most)s reviews within 24 hours, and have; ask again later") % {"most": most},
            "quota",
        )
    _ring()
    return _order(match, eyes, person)


@transaction.atomic
def ask_at_the_shell(match_id: str, eyes: str, *, again: bool = False) -> Review:
    """Request a review without a quota; `again` resumes one that was given up.

    Raises Match.DoesNotExist, UnknownEyes or NotReviewed.
    """
    check_named(eyes)
    match = Match.objects.get(pk=match_id)
    _check(match, eyes)
    if again:
        given_up = Review.objects.filter(match=match, eyes=eyes, status=Review.Status.GIVEN_UP)
        given_up.update(status=Review.Status.WAITING, reason="", attempts=0, cpu_ms=0, ended_at=None)
    _ring()
    return Review.objects.filter(match=match, eyes=eyes).first() or _order(match, eyes, None)


def ask_for_all(match_ids: Iterable[str]) -> None:
    """Request all possible reviews of matches; existing ones stay."""
    for match in Match.objects.filter(pk__in=list(match_ids), status=Match.Status.CLOSED):
        for eyes in EYES:
            try:
                _check(match, eyes)
            except NotReviewed:
                continue
            if not Review.objects.filter(match=match, eyes=eyes).exists():
                _order(match, eyes, None)
    _ring()


def _check(match: Match, eyes: str) -> None:
    if match.status == Match.Status.VOID:
        raise NotReviewed(gettext("the match is void: what nobody played to its end is not reviewed"), "void")
    if match.status != Match.Status.CLOSED:
        raise NotReviewed(gettext("the match has not ended; ask again once it has"), "not_ended")
    try:
        check_eyes(game(match.game), EYES[eyes])
    except NoFork as error:
        raise NotReviewed(str(error), "eyes") from None


def _order(match: Match, eyes: str, person: User | None) -> Review:
    return Review.objects.create(match=match, eyes=eyes, playouts=settings.REVIEWS["playouts"], asked_by=person)


def _ring() -> None:
    """Enqueue one task; its worker and the sweepers enqueue the rest."""
    transaction.on_commit(lambda: ring("bots.work", REVIEWS, queue=REVIEWS))
