"""Data export of a person: matches and reviews. Erasure removes the person from both."""

from __future__ import annotations

from django.contrib.auth.models import User

from people.leaving import Parts, as_json
from replays.models import Match
from replays.review_models import Review


def belongings(owner: User) -> Parts:
    """Yield as JSON the matches and the reviews that a person requested."""
    rows = Match.objects.filter(asked_by=owner).order_by("created_at")
    yield "matches.json", as_json(list(rows.values("id", "game", "status", "created_at", "closed_at")))
    reviews = Review.objects.filter(asked_by=owner).order_by("asked_at")
    yield "reviews.json", as_json(list(reviews.values("match", "eyes", "status", "asked_at", "ended_at")))
