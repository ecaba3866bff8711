"""Queries for comments: those under a page, and those that wait for a moderator."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Q

from foundation.keyset_pagination import SortColumn, read_number, read_page
from tournaments.comment_publication_modes import APPROVED, read_mode, takes_comments
from tournaments.models import League
from tournaments.models.comments import Comment, compute_state, select_open
from tournaments.organisers.direct_league_setting_permissions import find_managed_league
from tournaments.organisers.league_access_rights import ACT, may

COMMENTS_PAGE = 20
MAX_MODERATED = 100
NEWEST_FIRST = (SortColumn("pk", read_number, descending=True),)
SEE_COMMENTS = "see the comments to moderate"
"""Name, in the list of refused acts, of an attempt to see the comments that wait for a moderator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentForReader:
    """A comment on a page, as one reader sees it. `own` is True if the reader wrote it."""

    id: int
    person: str
    text: str
    at: datetime
    status: str
    """``shown``; the author of a comment also sees it while it is ``waiting``, and when it is ``hidden``."""
    hidden_why: str
    own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentThread:
    """Comments under the page of a league or match, newest first."""

    slug: str
    name: str
    match: str
    """Id of the match; empty for the comments on the league."""
    on: bool
    """False if the league takes no comments; then none is shown."""
    approved: bool
    """True if a comment is shown only after a moderator has approved it."""
    moderates: bool
    """True if the reader may hide comments."""
    comments: list[CommentForReader]
    after: str
    """Cursor of the next page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeratedComment:
    """A comment that waits for a moderator, was reported or is hidden."""

    id: int
    person: str
    match: str
    text: str
    at: datetime
    status: str
    hidden_why: str
    hidden_by: str
    reports: list[tuple[str, str]]
    """(username, reason) of each report."""
    state: str
    """Digest of status and reports, as `compute_state` returns it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentModerationPage:
    """Comments of a league for its moderators. Each list has at most `MAX_MODERATED` comments, oldest first."""

    slug: str
    name: str
    open: list[ModeratedComment]
    """Comments that wait for approval, and reported ones."""
    hidden: list[ModeratedComment]


def read_thread(slug: str, match: str, person: User | None, after: str = "") -> CommentThread:
    """Return a page of the comments on a league or match; raises League.DoesNotExist or InvalidCursorError.

    If the league's game is not installed here, the league takes no comments.
    """
    league = League.objects.readable().get(slug=slug)
    is_open = takes_comments(league.comments, league.game)
    shown = Q(status=Comment.Status.SHOWN, person__is_active=True)
    rows = Comment.objects.filter(shown | Q(person=person) if person else shown, league=league, match=match)
    page = read_page(rows.select_related("person") if is_open else rows.none(), NEWEST_FIRST, after, COMMENTS_PAGE)
    return CommentThread(
        slug=slug,
        name=league.name,
        match=match,
        on=is_open,
        approved=read_mode(league.comments) == APPROVED,
        moderates=may(ACT, person, league),
        comments=[_make_comment(row, person) for row in page.rows],
        after=page.after,
    )


def read_moderation(person: User, slug: str) -> CommentModerationPage:
    """Return a league's comments that are hidden, reported or waiting for approval.

    Raises League.DoesNotExist, or MissingRightError (the refused attempt is stored).
    """
    league = find_managed_league(person, slug, SEE_COMMENTS)
    rows = Comment.objects.filter(league=league).select_related("person", "hidden_by")
    rows = rows.prefetch_related("reports__person").order_by("pk")
    open_rows = rows.filter(pk__in=select_open(league))
    hidden = rows.filter(status=Comment.Status.HIDDEN).order_by("-pk")  # the newest can be shown again
    return CommentModerationPage(
        slug=slug,
        name=league.name,
        open=[_make_moderated(row) for row in open_rows[:MAX_MODERATED]],
        hidden=[_make_moderated(row) for row in hidden[:MAX_MODERATED]],
    )


def _make_comment(row: Comment, person: User | None) -> CommentForReader:
    return CommentForReader(
        id=row.pk,
        person=row.person.get_username(),
        text=row.text,
        at=row.at,
        status=row.status,
        hidden_why=row.hidden_why,
        own=person is not None and row.person_id == person.pk,
    )


def _make_moderated(row: Comment) -> ModeratedComment:
    return ModeratedComment(
        id=row.pk,
        person=row.person.get_username(),
        match=row.match,
        text=row.text,
        at=row.at,
        status=row.status,
        hidden_why=row.hidden_why,
        hidden_by=row.hidden_by.get_username() if row.hidden_by else "",
        reports=[(report.person.get_username(), report.why) for report in row.reports.all()],
        state=compute_state(row),
    )
