"""What is told of a review: on its page, in tables, and to the public nothing but what the public stream holds."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from django.db import transaction
from django.test import Client

from ftk_core.facts import secrets_of
from ftk_core.games import shelf
from ftk_core.log import lines_of
from replays.models import Match
from replays.review_models import Review
from replays.reviews.working import review_next
from replays.store import StreamLog
from tests.support.factories import AuthorFactory, active_version, waiting_match
from tests.support.live import lines_played
from tests.support.reviewable import closed_match, reviewed_match

pytestmark = pytest.mark.django_db
HIDING = [name for name, row in shelf().items() if any(map(secrets_of, get_args(row.facts)))]
"""Games in which something is hidden but what chance will say."""


@pytest.fixture(autouse=True)
def quick(settings: Any) -> None:
    """Let a review be rough."""
    settings.REVIEWS = {**settings.REVIEWS, "playouts": 4}


def test_the_page_tells_a_review_in_tables_without_a_script() -> None:
    browser, match = Client(), closed_match()
    browser.force_login(AuthorFactory.create())
    address = f"/matches/{match.pk}/review/"
    assert "Sign in" in Client().get(address).content.decode()
    assert "Review this match" in browser.get(address).content.decode()
    asked = browser.post(address, follow=True).content.decode()
    assert "waits for its turn" in asked
    assert review_next()
    page = Client().get(address).content.decode()
    for said in ("Where each share came from", "Turning points", "The costliest choices", "4 playouts"):
        assert said in page
    assert f'href="/matches/{match.pk}/?at=' in page
    assert address in Client().get(f"/matches/{match.pk}/").content.decode()
    Match.objects.filter(pk=match.pk).update(released=False)
    assert Client().get(address).status_code == 403


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in HIDING if shelf()[name].resample])
def test_with_the_eyes_of_the_public_nothing_is_told_but_what_the_public_stream_holds(name: str) -> None:
    seats, said = min(shelf()[name].seats), []
    first = reviewed_match(closed_match(name, seats), "public")
    public = [line + b"\n" for line in lines_of(StreamLog(first.stream_id))]
    match = waiting_match([active_version(game=name) for _ in range(seats)])
    for world in (0, 1):  # they differ in everything else; that their public streams are the same, a law says
        before = transaction.savepoint()
        StreamLog(match.stream_id).append([line.rstrip(b"\n") + b"\n" for line in lines_played(name, seats, world)], 0)
        Match.objects.filter(pk=match.pk).update(status=Match.Status.CLOSED)
        row = Review.objects.create(match=match, eyes="public", status="done", playouts=4, done=len(public))
        StreamLog(row.stream_id).append(public, 0)
        reviewed_match(match, "all")
        told = {
            eyes: Client().get(f"/api/v1/matches/{match.pk}/review/?eyes={eyes}").content for eyes in ("public", "all")
        }
        told["page"] = Client().get(f"/matches/{match.pk}/review/?eyes=public").content
        said.append(told)
        transaction.savepoint_rollback(before)
    assert b'"curve":[{' in said[0]["public"]
    assert said[0]["public"] == said[1]["public"]
    assert said[0]["page"] == said[1]["page"]
    assert said[0]["all"] != said[1]["all"], "the comparison can tell"
