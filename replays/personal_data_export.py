"""Data export of the matches and reviews that a person requested."""
# These stay when the account is erased, with null as the person.

from __future__ import annotations

from django.contrib.auth.models import User

from people.account_erasure import Parts, encode_json
from replays.models import Match
from replays.models.reviews import MatchReview


def export_matches(owner: User) -> Parts:
    """Yield (path, content) of two JSON files: the matches and the reviews that a person requested."""
    rows = Match.objects.filter(asked_by=owner).order_by("created_at")
    yield "matches.json", encode_json(list(rows.values("id", "game", "status", "created_at", "closed_at")))
    reviews = MatchReview.objects.filter(asked_by=owner).order_by("asked_at")
    yield "reviews.json", encode_json(list(reviews.values("match", "eyes", "status", "asked_at", "ended_at")))
