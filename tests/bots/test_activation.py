"""Activation: an author activates an older version, and later a newer one again."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from bots.bot_bans import ban_bot, describe_ban, exclude_author_bots
from bots.models import Bot, BotVersion, CoAuthor
from bots.versions import activation
from bots.versions.queries import find_newest, list_newest_active
from bots.versions.retirement import retire_version
from people.person_bans import ban_person
from people.staff_audit_trail import make_shell_actor
from tests.support.factories import AuthorFactory
from tests.support.league_entries import add_newer_version, create_own_version
from tests.support.uploads import create_api_client, upload
from tests.support.waiting import wait_for
from tournaments.organisers.author_and_bot_bans import ban_author

pytestmark = pytest.mark.django_db


def activate(client: Any, number: object, bot: str = "ada") -> Any:
    return client.post(f"/api/v1/bots/{bot}/activate/", {"version": number}, format="json")


@pytest.mark.slow
def test_an_activated_older_version_plays_until_a_newer_version_is_activated() -> None:
    first = create_own_version()
    second = add_newer_version(first)
    third = add_newer_version(second)
    author = create_api_client(first.bot.owner)
    assert [row.number for row in list_newest_active("pig")] == [third.number]
    assert activate(author, 1).json()["status"] == "active"
    assert [row.number for row in list_newest_active("pig")] == [1]
    assert find_newest([third.pk])[third.pk] == first
    states = dict(BotVersion.objects.order_by("number").values_list("number", "status"))
    assert states == {1: "active", second.number: "resting", third.number: "resting"}
    assert activate(author, third.number).status_code == HTTPStatus.OK
    assert [row.number for row in list_newest_active("pig")] == [third.number]


@pytest.mark.slow
def test_a_new_upload_gets_the_next_version_number_after_an_older_version_was_activated() -> None:
    first = create_own_version()
    add_newer_version(first)
    author = create_api_client(first.bot.owner)
    activate(author, 1)
    answer = upload(author, b"from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n")
    assert answer.status_code == HTTPStatus.CREATED
    assert answer.json()["number"] == 3


@pytest.mark.parametrize("state", ["trial", "refused", "retired"])
def test_only_a_version_that_passed_its_trial_can_be_activated(state: str) -> None:
    version = create_own_version()
    BotVersion.objects.update(status=state)
    answer = activate(create_api_client(version.bot.owner), 1)
    assert answer.status_code == HTTPStatus.CONFLICT
    assert "only what passed its trial plays" in answer.json()["detail"]
    assert BotVersion.objects.get().status == state


def ban_owner(bot: Bot) -> None:
    ban_person(bot.owner, "cheats")
    exclude_author_bots(bot.owner)


@pytest.mark.parametrize("ban", [lambda bot: ban_bot(bot.slug, "cheats"), ban_owner])
def test_no_author_can_activate_an_inactive_version_of_a_banned_bot(ban: Callable[[Bot], object]) -> None:
    version = create_own_version()
    add_newer_version(version)
    friend = AuthorFactory.create()
    CoAuthor.objects.create(bot=version.bot, person=friend, accepted_at=timezone.now())
    assert activate(create_api_client(friend), 1).status_code == HTTPStatus.OK
    ban(version.bot)
    answer = activate(create_api_client(friend), 2)
    assert answer.status_code == HTTPStatus.CONFLICT
    assert answer.json()["detail"] == "ada is banned: cheats; ask the organisers"
    assert not list_newest_active("pig")


STAFF = make_shell_actor("root", "cheats")


def count_awaited_locks() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return int(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "exclude",
    [
        lambda version: retire_version(STAFF, version.pk),
        lambda version: ban_author(STAFF, version.bot.owner.get_username()),
    ],
    ids=["retirement", "ban of the author"],
)
def test_an_activation_does_not_undo_a_concurrent_ban_or_retirement(
    monkeypatch: pytest.MonkeyPatch, exclude: Callable[[BotVersion], None]
) -> None:
    version = create_own_version()

    def exclude_in_own_connection() -> None:
        try:
            exclude(version)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as staff:

        def describe_ban_before_exclusion(bot: Bot) -> str:
            refusal = describe_ban(bot)
            exclusion = staff.submit(exclude_in_own_connection)
            wait_for(lambda: exclusion.done() or count_awaited_locks(), "the exclusion neither ended nor waits")
            return refusal

        monkeypatch.setattr(activation, "describe_ban", describe_ban_before_exclusion)
        activate(create_api_client(version.bot.owner), version.number)
    version.refresh_from_db()
    assert version.status == BotVersion.Status.RETIRED
    assert version.reason.partition(": ")[2] in ("cheats", "ask the organisers")


def test_activation_refuses_other_authors_and_unknown_versions() -> None:
    version = create_own_version()
    assert activate(create_api_client(AuthorFactory.create()), 1).status_code == HTTPStatus.FORBIDDEN
    assert "ada has no version 9" in activate(create_api_client(version.bot.owner), 9).json()["detail"]
    assert activate(create_api_client(version.bot.owner), 1, "nobody").status_code == HTTPStatus.NOT_FOUND
    assert activate(create_api_client(version.bot.owner), 0).status_code == HTTPStatus.BAD_REQUEST
