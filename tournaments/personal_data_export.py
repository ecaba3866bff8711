"""Export and erasure of a person's data about leagues."""
# An erasure never changes event streams, which are permanent.

from __future__ import annotations

import re

from django.contrib.auth.models import User
from django.db.models import Q

from people.account_erasure import Parts, encode_json
from tournaments.models import Entrant
from tournaments.models.challenges import Challenge
from tournaments.models.comments import Comment, CommentReport
from tournaments.models.entry_question_answers import EntryAnswers
from tournaments.models.organiser_roles import MAX_REFUSAL_CHARACTERS, Proposal, Refusal
from tournaments.models.predictions import POINT, Prediction

EXPORTED_FIELDS = ("league__slug", "name", "place", "points", "played", "withdrawn")
COMMENT_FIELDS = ("league__slug", "match", "text", "at", "status", "hidden_why")


def export_entries(owner: User) -> Parts:
    """Yield (file name, JSON) pairs with a person's data about leagues."""
    rows = Entrant.objects.filter(version__bot__owner=owner).order_by("league__created_at", "number")
    yield "entries.json", encode_json(list(rows.values(*EXPORTED_FIELDS)))
    answers = EntryAnswers.objects.filter(person=owner).order_by("pk")
    yield "entry_answers.json", encode_json(list(answers.values("league__slug", "entry", "answers")))
    predictions = Prediction.objects.filter(person=owner).order_by("pk")
    fields = ("league__slug", "round", "table", "entry", "at", "points")
    yield (
        "predictions.json",
        encode_json(
            [
                row | {"points": None if row["points"] is None else row["points"] / POINT}
                for row in predictions.values(*fields)
            ]
        ),
    )
    comments = Comment.objects.filter(person=owner).order_by("pk")
    yield "comments.json", encode_json(list(comments.values(*COMMENT_FIELDS)))
    reports = CommentReport.objects.filter(person=owner).order_by("pk")
    yield "comment_reports.json", encode_json(list(reports.values("comment", "comment__league__slug", "why", "at")))


def erase_league_data(owner: User, tombstone: User) -> None:
    """Transfer an erased person's challenges to the shared account, and replace their name in stored actions."""
    Challenge.objects.filter(by=owner).update(by=tombstone)  # their matches go on, and are rated
    _anonymise_organiser_acts(owner, tombstone)


def _anonymise_organiser_acts(owner: User, tombstone: User) -> None:
    """Replace the name of an erased person in organisers' actions that were proposed or refused."""
    # Only these actions are stored in tables. Actions that were carried out are in permanent event streams.
    name, replacement = owner.get_username(), tombstone.get_username()
    for proposal in Proposal.objects.filter(Q(told__person=name) | Q(told__author=name)):
        proposal.told |= {key: replacement for key in ("person", "author") if proposal.told.get(key) == name}
        proposal.save(update_fields=("told",))
    argument = re.compile(rf"(?<= )(person|author)={re.escape(name)}(?!\S)")
    for refusal in Refusal.objects.filter(what__contains=f"={name}"):
        refusal.what = argument.sub(rf"\1={replacement}", refusal.what)[:MAX_REFUSAL_CHARACTERS]
        refusal.save(update_fields=("what",))
