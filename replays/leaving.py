"""What the matches say of somebody who takes their things along; once they left, nobody asked for them."""

from __future__ import annotations

from django.contrib.auth.models import User

from people.leaving import Parts, as_json
from replays.models import Match


def belongings(owner: User) -> Parts:
    """Yield as JSON the matches that a person asked for."""
    rows = Match.objects.filter(asked_by=owner).order_by("created_at")
    yield "matches.json", as_json(list(rows.values("id", "game", "status", "created_at", "closed_at")))
