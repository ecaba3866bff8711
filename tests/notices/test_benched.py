"""Whose version is called to its continuous ladder no more hears of it, and can have it called again."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from notices import tasks
from notices.wishes import list_notices
from tests.support.entering import mine
from tests.support.factories import AuthorFactory
from tournaments.bout_facts import VersionBenched
from tournaments.bout_models import ContinuousLadder
from tournaments.bout_rows import append

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_authors_of_a_version_that_is_benched_are_told_once_and_have_it_called_again() -> None:
    version = mine()
    tasks.sweep()
    ladder = ContinuousLadder.objects.create(game="pig")
    with transaction.atomic():
        append(ladder, [VersionBenched(version=version.pk, name="ada v1", why="it crashed", at=60)])
    tasks.sweep()
    tasks.sweep()
    owner = version.bot.owner
    assert [row.text for row in list_notices(owner) if row.kind == "benched"] == ["ada v1 is benched: it crashed."]
    page = signed_in(owner)
    assert "Have v1 called again" in page.get("/bots/ada/").content.decode()
    assert "Have v1 called again" not in signed_in(AuthorFactory.create()).get("/bots/ada/").content.decode()
    assert page.post("/bots/ada/versions/1/", {"back": "1"}).headers["Location"] == "/bots/ada/"
    assert "is benched" not in page.get("/bots/ada/").content.decode()


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client
