"""Entries in leagues for a person's data export. Erasing an account keeps the entries in the streams of leagues."""

from __future__ import annotations

from django.contrib.auth.models import User

from people.account_erasure import Parts, encode_json
from tournaments.models import Entrant
from tournaments.models.entry_answers import EntryAnswers

EXPORTED_FIELDS = ("league__slug", "name", "place", "points", "played", "withdrawn")


def export_entries(owner: User) -> Parts:
    """Yield the file names and contents of JSON files with a person's entries in leagues and their answers."""
    rows = Entrant.objects.filter(version__bot__owner=owner).order_by("league__created_at", "number")
    yield "entries.json", encode_json(list(rows.values(*EXPORTED_FIELDS)))
    answers = EntryAnswers.objects.filter(person=owner).order_by("pk")
    yield "entry_answers.json", encode_json(list(answers.values("league__slug", "entry", "answers")))
