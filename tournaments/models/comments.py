"""Models of comments and of reports about them, imported by `tournaments.apps`. No event stream contains them."""

from __future__ import annotations

from hashlib import sha256

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q

from tournaments.models import League

MAX_COMMENT_CHARACTERS = 1000
MAX_REASON_CHARACTERS = 200


class Comment(models.Model):
    """A plain text comment on the page of a league or match."""

    # It is deleted with the account of the person who wrote it.

    class Status(models.TextChoices):
        SHOWN = "shown", "shown"
        WAITING = "waiting", "waits for approval"
        HIDDEN = "hidden", "hidden"

    league = models.ForeignKey("tournaments.League", on_delete=models.CASCADE, db_index=False, related_name="+")
    match = models.CharField(max_length=32, default="", blank=True)
    """Id of a match of the league; empty for a comment on the league."""
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="comments")
    text = models.CharField(max_length=MAX_COMMENT_CHARACTERS)
    at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=10, choices=Status.choices)
    hidden_why = models.CharField(max_length=MAX_REASON_CHARACTERS, default="", blank=True)
    hidden_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        indexes = (models.Index(fields=("league", "match", "-id"), name="comments_of_a_page"),)

    def __str__(self) -> str:
        return f"{self.person} on {self.league_id} {self.match}: {self.status}"


class CommentReport(models.Model):
    """Report of a person who wants a comment hidden. It is deleted when a moderator has decided."""

    comment = models.ForeignKey(Comment, on_delete=models.CASCADE, related_name="reports")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="comment_reports")
    why = models.CharField(max_length=MAX_REASON_CHARACTERS)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("comment", "person"), name="one_report_per_person"),)

    def __str__(self) -> str:
        return f"{self.person} reports {self.comment_id}"


def select_open(league: League) -> models.QuerySet[Comment, int]:
    """Return a query for the ids of a league's comments that wait for approval or were reported."""
    reported = Q(Exists(CommentReport.objects.filter(comment=OuterRef("pk"))), status=Comment.Status.SHOWN)
    rows = Comment.objects.filter(reported | Q(status=Comment.Status.WAITING), league=league)
    return rows.values_list("pk", flat=True)


def compute_state(comment: Comment) -> str:
    """Return a digest of what a moderator decides on: the status of a comment, and the reports about it."""
    reports = sorted((report.person_id, report.why) for report in comment.reports.all())
    return sha256(repr((comment.status, reports)).encode()).hexdigest()[:16]
