"""Export and erasure of a person's data about leagues."""
# An erasure never changes event streams, which are permanent.

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from people.account_erasure import Parts, encode_json
from tournaments.models import Entrant
from tournaments.models.challenges import Challenge
from tournaments.models.comments import Comment, CommentReport
from tournaments.models.entry_question_answers import EntryAnswers
from tournaments.models.league_logos import LeagueLogo
from tournaments.models.league_templates import LeagueTemplate
from tournaments.models.organiser_roles import MAX_REFUSAL_CHARACTERS, LeagueRole, Proposal, Refusal
from tournaments.models.predictions import POINT, Prediction
from tournaments.models.series import Series


@dataclass(frozen=True)
class _ExportedTable:
    file: str
    rows: QuerySet[Any]
    """All rows of the table, in the order of the file."""
    person: str
    """Field that names the person."""
    fields: tuple[str, ...]


TABLES = (
    _ExportedTable(
        "entries.json",
        Entrant.objects.order_by("league__created_at", "number"),
        "version__bot__owner",
        ("league__slug", "name", "place", "points", "played", "withdrawn"),
    ),
    _ExportedTable(
        "entry_answers.json", EntryAnswers.objects.order_by("pk"), "person", ("league__slug", "entry", "answers")
    ),
    _ExportedTable(
        "predictions.json",
        Prediction.objects.order_by("pk"),
        "person",
        ("league__slug", "round", "table", "entry", "at", "points"),
    ),
    _ExportedTable(
        "comments.json",
        Comment.objects.order_by("pk"),
        "person",
        ("league__slug", "match", "text", "at", "status", "hidden_why"),
    ),
    _ExportedTable("hidden_comments.json", Comment.objects.order_by("pk"), "hidden_by", ("pk", "hidden_why")),
    _ExportedTable(
        "comment_reports.json",
        CommentReport.objects.order_by("pk"),
        "person",
        ("comment", "comment__league__slug", "why", "at"),
    ),
    _ExportedTable("league_roles.json", LeagueRole.objects.order_by("pk"), "person", ("league__slug", "role")),
    _ExportedTable(
        "proposals.json",
        Proposal.objects.order_by("pk"),
        "by",
        ("league__slug", "verb", "told", "why", "at", "status", "decided_at"),
    ),
    _ExportedTable(
        "decided_proposals.json",
        Proposal.objects.order_by("pk"),
        "decided_by",
        ("league__slug", "verb", "status", "decided_at"),
    ),
    _ExportedTable("refusals.json", Refusal.objects.order_by("pk"), "person", ("league__slug", "what", "why", "at")),
    _ExportedTable(
        "challenges.json",
        Challenge.objects.order_by("pk"),
        "by",
        ("game", "names", "size", "duplicate", "seed", "at"),
    ),
    _ExportedTable(
        "series.json", Series.objects.order_by("pk"), "owner", ("slug", "name", "game", "drops", "points", "created_at")
    ),
    _ExportedTable(
        "league_templates.json", LeagueTemplate.objects.order_by("pk"), "made_by", ("name", "terms", "made_at")
    ),
    _ExportedTable("league_logos.json", LeagueLogo.objects.order_by("pk"), "set_by", ("league__slug", "set_at")),
)


def export_league_data(owner: User) -> Parts:
    """Yield (file name, JSON) pairs with a person's data about leagues."""
    for table in TABLES:
        rows = [dict(row) for row in table.rows.filter(**{table.person: owner}).values(*table.fields)]
        for row in rows if table.file == "predictions.json" else ():
            row["points"] = None if row["points"] is None else row["points"] / POINT
        yield table.file, encode_json(rows)


def erase_league_data(owner: User, tombstone: User) -> None:
    """Transfer the challenges of `owner` to `tombstone`, and remove the owner's name from stored actions.

    `tombstone` is the account that stands for erased people.
    """
    Challenge.objects.filter(by=owner).update(by=tombstone)  # their matches go on, and are rated
    _anonymise_organiser_acts(owner, tombstone)


def _anonymise_organiser_acts(owner: User, tombstone: User) -> None:
    """Replace the name of an erased person in proposed and refused actions of organisers."""
    # Only these actions are stored in tables. Actions that were carried out are in permanent event streams.
    name, replacement = owner.get_username(), tombstone.get_username()
    for proposal in Proposal.objects.filter(Q(told__person=name) | Q(told__author=name)):
        proposal.told |= {key: replacement for key in ("person", "author") if proposal.told.get(key) == name}
        proposal.save(update_fields=("told",))
    argument = re.compile(rf"(?<= )(person|author)={re.escape(name)}(?!\S)")
    for refusal in Refusal.objects.filter(what__contains=f"={name}"):
        refusal.what = argument.sub(rf"\1={replacement}", refusal.what)[:MAX_REFUSAL_CHARACTERS]
        refusal.save(update_fields=("what",))
