"""Asking for the review of a match: by somebody within their quota, by a league for its last round, or at the shell."""

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
"""The queue of the reviews; also their kind to workers."""
DAY = timedelta(days=1)


class NotReviewed(Exception):
    """Raised for a review that cannot be asked for; the message says why, and what can be done."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code
        """A short word for programs."""


def check_named(eyes: str) -> None:
    """Raise UnknownEyes for eyes with which no match is reviewed."""
    if eyes not in EYES:
        raise UnknownEyes(
            gettext("a match is reviewed with the eyes %(eyes)s, not %(asked)r")
            % {"eyes": " or ".join(map(repr, EYES)), "asked": eyes[:20]}
        )


def left_of(person: User) -> int:
    """Return how many reviews somebody may still ask for, of those of 24 hours."""
    asked = Review.objects.filter(asked_by=person, asked_at__gt=timezone.now() - DAY).count()
    return max(0, quota_of(person).reviews - asked)


@transaction.atomic
def ask(match_id: str, eyes: str, person: User) -> Review:
    """Ask for a review, or return the one that was asked for before, which costs nothing.

    Raises Match.DoesNotExist, UnknownEyes, EyesClosed as for frames, or NotReviewed.
    """
    check_named(eyes)
    match, _ = admitted(match_id, eyes, person.pk)
    User.objects.select_for_update().get(pk=person.pk)  # of two who ask at a time the second sees the first
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
    """Ask for a review without a quota; `again` lets one that was given up go on where it was.

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
    """Ask for the reviews of matches, with whatever eyes each can be reviewed; those that there are stay."""
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
    """Ring once; the worker who comes, and the sweepers, ring for the rest."""
    transaction.on_commit(lambda: ring("bots.work", REVIEWS, queue=REVIEWS))
