"""An author sends and stores so much and no more; staff may say otherwise of one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from bots.models import BotVersion
from bots.quotas import BadQuota, Quotas, quota_of, set_quota
from bots.room import NoRoom
from bots.services import take_in
from bots.tokens import new_token
from foundation.shell import Refusal
from people.acts_of_staff import at_the_shell
from people.models import StaffAct
from tests.support.factories import AuthorFactory

pytestmark = pytest.mark.django_db(transaction=True)
STAFF = at_the_shell("root", "they teach a class")


@pytest.fixture
def ada(settings: Any) -> User:
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, "uploads_each": 2, "trials_each": 9}
    person: User = AuthorFactory.create(username="ada")
    return person


def send(person: User, number: int) -> BotVersion:
    return take_in(person, "pig", f"bot{number}", "bot.py", f"print({number})".encode())


def test_who_has_sent_as_many_versions_as_a_day_allows_is_told_when_the_next_is_taken(ada: User) -> None:
    send(ada, 1)
    send(ada, 2)
    BotVersion.objects.filter(bot__slug="bot1").update(uploaded_at=timezone.now() - timedelta(hours=20, minutes=30))
    with pytest.raises(NoRoom, match=r"you sent 2 versions within 24 hours, 2 are allowed; try again in 4 h, or ask"):
        send(ada, 3)
    BotVersion.objects.filter(bot__slug="bot1").update(uploaded_at=timezone.now() - timedelta(hours=25))
    assert send(ada, 3).number == 1


def test_the_door_says_429_with_the_time_and_the_page_says_the_sentence(ada: User, client: Client) -> None:
    send(ada, 1)
    send(ada, 2)
    said: Mapping[str, Any] = {"game": "pig", "bot": "bot3", "file": SimpleUploadedFile("bot.py", b"print(3)")}
    headers = {"Authorization": f"Token {new_token(ada)}"}
    answer = client.post("/api/v1/bots/uploads/", said, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (429, "uploads")
    assert 86_000 < int(answer["Retry-After"]) <= 86_400
    client.force_login(ada)
    page = client.post("/account/", {**said, "file": SimpleUploadedFile("bot.py", b"print(3)")})
    assert "you sent 2 versions within 24 hours, 2 are allowed" in page.content.decode()


def test_staff_gives_one_author_other_quotas_and_takes_them_back(ada: User) -> None:
    usual = quota_of(ada)
    given = set_quota(STAFF, ada, {"uploads": 3, "disk": 1000, "trials": 0, "challenges": 5, "reviews": 2})
    assert given == Quotas(uploads=3, disk=1000, trials=0, challenges=5, reviews=2)
    with pytest.raises(NoRoom, match="0 of your bots wait for their trials"):
        send(ada, 1)
    assert set_quota(STAFF, ada, {}) == usual
    assert [act.on for act in StaffAct.objects.order_by("pk")] == [
        "author ada: uploads 3, disk 1000, trials 0, challenges 5, reviews 2",
        "author ada: uploads as usual, disk as usual, trials as usual, challenges as usual, reviews as usual",
    ]


def test_who_holds_as_many_bytes_as_their_own_quota_sends_no_more(ada: User) -> None:
    set_quota(STAFF, ada, {"uploads": 9, "disk": 8, "trials": 9})
    send(ada, 1)
    with pytest.raises(NoRoom, match="8 are allowed; ask the organiser"):
        send(ada, 2)


def test_a_quota_that_cannot_be_is_refused_and_nothing_is_kept(ada: User) -> None:
    with pytest.raises(BadQuota, match="uploads must be between 0 and"):
        set_quota(STAFF, ada, {"uploads": -1})
    assert not StaffAct.objects.exists()


def test_the_command_sets_quotas(ada: User) -> None:
    call_command("quota", "ada", why="a class", uploads=7)
    assert quota_of(ada).uploads == 7
    with pytest.raises(Refusal, match="nobody is called"):
        call_command("quota", "nosuch", why="a class")
