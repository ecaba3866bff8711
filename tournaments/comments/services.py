"""Writing, deleting, reporting and moderating comments. No event stream contains them, so they can be deleted."""

from __future__ import annotations

import re
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from ftk_core.league.league_state import CommandRejected
from tournaments.comment_publication_modes import APPROVED, read_mode, takes_comments
from tournaments.models import League
from tournaments.models.comments import (
    MAX_COMMENT_CHARACTERS,
    MAX_REASON_CHARACTERS,
    Comment,
    CommentReport,
    compute_state,
)
from tournaments.organisers.direct_league_setting_permissions import find_managed_league, record_staff_setting
from tournaments.organisers.league_access_rights import ACT, may

MAX_COMMENTS_PER_DAY = 30
"""Maximum number of comments of one person within 24 hours."""
MODERATE = "moderate a comment"
"""Name of an attempt to show or hide a comment, in the lists of refused acts and of acts by staff."""
REMOVED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Pattern of the characters that are removed from a comment.

These are control characters, direction overrides that would reorder the text around a comment, and lone surrogates.
"""


class CommentsDisabledError(CommandRejected):
    """Raised for a comment on a league whose comments are turned off."""


@transaction.atomic
def add_comment(person: User, slug: str, match_id: str, text: str) -> Comment:
    """Store a comment on a league, or on one of its matches with a public replay.

    Raises League.DoesNotExist, CommentsDisabledError, or CommandRejected for a bad text, an unpublished match or too
    many comments.
    """
    User.objects.select_for_update().get(pk=person.pk)  # one request at a time, so that the quota holds
    league = League.objects.valid().get(slug=slug)
    if not takes_comments(league.comments, league.game):
        raise CommentsDisabledError(gettext("%(league)s takes no comments") % {"league": league.name})
    if match_id and not league.tables.filter(match_id=match_id, match__released=True).exists():
        raise CommandRejected(
            gettext("%(league)s has no match %(match_id)s whose replay is released")
            % {"league": league.name, "match_id": match_id[:40]}
        )
    waits = read_mode(league.comments) == APPROVED and not may(ACT, person, league)
    _check_quota(person)
    return Comment.objects.create(
        league=league,
        match=match_id,
        person=person,
        text=_clean_text(text, MAX_COMMENT_CHARACTERS),
        status=Comment.Status.WAITING if waits else Comment.Status.SHOWN,
    )


def remove_comment(person: User, slug: str, comment_id: int) -> None:
    """Delete a person's own comment; raises Comment.DoesNotExist."""
    Comment.objects.get(pk=comment_id, league__slug=slug, person=person).delete()


def record_report(person: User, slug: str, comment_id: int, why: str) -> None:
    """Report a public comment to the league's organisers, replacing an earlier report by the same person.

    Raises Comment.DoesNotExist, or CommandRejected without a reason.
    """
    comment = Comment.objects.get(pk=comment_id, league__slug=slug, status=Comment.Status.SHOWN)
    reason = _clean_text(why, MAX_REASON_CHARACTERS)
    CommentReport.objects.update_or_create(comment=comment, person=person, defaults={"why": reason})


def moderate_comment(person: User, slug: str, comment_id: int, *, hide: bool, seen: str, why: str = "") -> None:
    """Show or hide a comment and delete the reports about it.

    `seen` is the comment's `ModeratedComment.state` when the person saw it. Raises League.DoesNotExist,
    Comment.DoesNotExist, MissingRightError for people other than organisers and staff, or CommandRejected for hiding
    without a reason and if the comment is in another state by now.
    """
    league = find_managed_league(person, slug, MODERATE)
    reason = _clean_text(why, MAX_REASON_CHARACTERS) if hide else ""
    with transaction.atomic():
        comment = Comment.objects.select_for_update().get(pk=comment_id, league=league)
        if compute_state(comment) != seen:
            raise CommandRejected(gettext("this comment was decided on or reported meanwhile; look at it again"))
        record_staff_setting(person, league, MODERATE)
        comment.status = Comment.Status.HIDDEN if hide else Comment.Status.SHOWN
        comment.hidden_why, comment.hidden_by = reason, person if hide else None
        comment.save(update_fields=("status", "hidden_why", "hidden_by"))
        comment.reports.all().delete()


def _clean_text(text: str, most: int) -> str:
    """Remove control characters and surrounding spaces; raise CommandRejected for an empty or too long text."""
    cleaned = REMOVED.sub("", text).strip()
    if not 0 < len(cleaned) <= most:
        message = gettext("a text must have 1 to %(most)s characters (got %(count)s)")
        raise CommandRejected(message % {"most": most, "count": len(cleaned)})
    return cleaned


def _check_quota(person: User) -> None:
    since = timezone.now() - timedelta(days=1)
    if Comment.objects.filter(person=person, at__gt=since).count() >= MAX_COMMENTS_PER_DAY:
        message = gettext(
            "you can have at most %(most)s comments from the last 24 hours; delete one, or try again tomorrow"
        )
        raise CommandRejected(message % {"most": MAX_COMMENTS_PER_DAY})
