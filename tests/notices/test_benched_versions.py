"""Benched versions: their authors are notified and can reinstate them."""

from __future__ import annotations

import pytest
from django.db import transaction

from notices import tasks
from notices.notice_preferences import list_notices
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version
from tests.support.people import open_session
from tournaments.continuous_ladder.continuous_ladder_facts import BotVersionExcluded
from tournaments.continuous_ladder.continuous_ladder_projection import append
from tournaments.models.continuous_ladders import ContinuousLadder

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_authors_of_a_bot_version_suspended_for_crashing_are_notified_once_and_can_reinstate_it() -> None:
    version = create_own_version()
    tasks.sweep()
    ladder = ContinuousLadder.objects.create(game="pig")
    with transaction.atomic():
        append(ladder, [BotVersionExcluded(version=version.pk, name="ada v1", why="it crashed", at=60)])
    tasks.sweep()
    tasks.sweep()
    owner = version.bot.owner
    assert [row.text for row in list_notices(owner) if row.kind == "benched"] == ["ada v1 is benched: it crashed."]
    page = open_session(owner)
    benched = page.get("/bots/ada/").content.decode()
    assert "v1 is benched" in benched
    assert "Return v1 to the ladder" in benched
    stranger = open_session(AuthorFactory.create())
    assert stranger.post("/bots/ada/versions/1/", {"back": "1"}).status_code == 403
    benched_for_others = stranger.get("/bots/ada/").content.decode()
    assert "v1 is benched" in benched_for_others
    assert "Return v1 to the ladder" not in benched_for_others
    assert page.post("/bots/ada/versions/1/", {"back": "1"}).headers["Location"] == "/bots/ada/"
    assert "is benched" not in page.get("/bots/ada/").content.decode()
