"""Data export of a person from the leagues. Entries in a league's stream stay there."""

from __future__ import annotations

from django.contrib.auth.models import User

from people.leaving import Parts, as_json
from tournaments.models import Entrant

FIELDS = ("league__slug", "name", "place", "points", "played", "withdrawn")


def belongings(owner: User) -> Parts:
    """Yield a person's entries in leagues as JSON."""
    rows = Entrant.objects.filter(version__bot__owner=owner).order_by("league__created_at", "number")
    yield "entries.json", as_json(list(rows.values(*FIELDS)))
