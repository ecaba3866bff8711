"""Entries in leagues for a person's data export. Erasing an account keeps the entries in the streams of leagues."""

from __future__ import annotations

from django.contrib.auth.models import User

from people.account_erasure import Parts, encode_json
from tournaments.models import Entrant

EXPORTED_FIELDS = ("league__slug", "name", "place", "points", "played", "withdrawn")


def export_entries(owner: User) -> Parts:
    """Yield the file name and content of a JSON file with a person's entries in leagues."""
    rows = Entrant.objects.filter(version__bot__owner=owner).order_by("league__created_at", "number")
    yield "entries.json", encode_json(list(rows.values(*EXPORTED_FIELDS)))
