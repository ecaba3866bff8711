"""An author brings an older version back, and a later one again."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import pytest

from bots.models import BotVersion
from bots.version_queries import find_newest, list_newest_active
from tests.support.entering import mine, newer
from tests.support.factories import AuthorFactory
from tests.support.uploads import client_of, upload

pytestmark = pytest.mark.django_db


def choose(client: Any, number: object, bot: str = "ada") -> Any:
    return client.post(f"/api/v1/bots/{bot}/activate/", {"version": number}, format="json")


def test_an_older_version_plays_while_later_ones_rest_until_one_of_them_is_activated() -> None:
    first = mine()
    second = newer(first)
    third = newer(second)
    author = client_of(first.bot.owner)
    assert [row.number for row in list_newest_active("pig")] == [third.number]
    assert choose(author, 1).json()["status"] == "active"
    assert [row.number for row in list_newest_active("pig")] == [1]
    assert find_newest([third.pk])[third.pk] == first
    states = dict(BotVersion.objects.order_by("number").values_list("number", "status"))
    assert states == {1: "active", second.number: "resting", third.number: "resting"}
    assert choose(author, third.number).status_code == HTTPStatus.OK
    assert [row.number for row in list_newest_active("pig")] == [third.number]


def test_what_is_sent_next_plays_before_all_that_rest() -> None:
    first = mine()
    newer(first)
    author = client_of(first.bot.owner)
    choose(author, 1)
    said = upload(author, b"from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n")
    assert said.status_code == HTTPStatus.CREATED
    assert said.json()["number"] == 3


@pytest.mark.parametrize("state", ["trial", "refused", "retired"])
def test_only_what_passed_its_trial_plays(state: str) -> None:
    version = mine()
    BotVersion.objects.update(status=state)
    said = choose(client_of(version.bot.owner), 1)
    assert said.status_code == HTTPStatus.CONFLICT
    assert "only what passed its trial plays" in said.json()["detail"]
    assert BotVersion.objects.get().status == state


def test_others_and_what_is_not_there_are_named() -> None:
    version = mine()
    assert choose(client_of(AuthorFactory.create()), 1).status_code == HTTPStatus.FORBIDDEN
    assert "ada has no version 9" in choose(client_of(version.bot.owner), 9).json()["detail"]
    assert choose(client_of(version.bot.owner), 1, "nobody").status_code == HTTPStatus.NOT_FOUND
    assert choose(client_of(version.bot.owner), 0).status_code == HTTPStatus.BAD_REQUEST
