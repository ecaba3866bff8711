"""Quotas of authors for uploads and storage, which staff can change for one author."""

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
from rest_framework.test import APIClient

from bots.access.api_tokens import create_token
from bots.author_quotas import AuthorQuotas, InvalidQuotaError, quota_of, set_quota
from bots.models import BotVersion
from bots.remote_bots import get_bot_by_hand
from bots.services import accept_upload
from bots.upload_checks import UploadQuotaExceeded
from foundation.management_commands import InvalidCommandInputError
from people.models import StaffAct
from people.staff_audit_trail import make_shell_actor
from tests.support.factories import AuthorFactory

pytestmark = pytest.mark.django_db(transaction=True)
STAFF = make_shell_actor("root", "they teach a class")


@pytest.fixture
def ada(settings: Any) -> User:
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, "uploads_each": 2, "trials_each": 9}
    person: User = AuthorFactory.create(username="ada")
    return person


def upload_bot(person: User, number: int) -> BotVersion:
    return accept_upload(person, "pig", f"bot{number}", "bot.py", f"print({number})".encode())


def test_the_error_for_an_upload_over_the_daily_quota_says_when_the_next_upload_is_allowed(ada: User) -> None:
    upload_bot(ada, 1)
    upload_bot(ada, 2)
    BotVersion.objects.filter(bot__slug="bot1").update(uploaded_at=timezone.now() - timedelta(hours=20, minutes=30))
    with pytest.raises(
        UploadQuotaExceeded, match=r"you sent 2 versions within 24 hours, 2 are allowed; try again in 4 h, or ask"
    ):
        upload_bot(ada, 3)
    BotVersion.objects.filter(bot__slug="bot1").update(uploaded_at=timezone.now() - timedelta(hours=25))
    assert upload_bot(ada, 3).number == 1


def test_an_upload_over_the_quota_gets_status_429_from_the_api_and_an_error_message_on_the_page(
    ada: User, client: Client
) -> None:
    upload_bot(ada, 1)
    upload_bot(ada, 2)
    form: Mapping[str, Any] = {"game": "pig", "bot": "bot3", "file": SimpleUploadedFile("bot.py", b"print(3)")}
    headers = {"Authorization": f"Token {create_token(ada)}"}
    answer = client.post("/api/v1/bots/uploads/", form, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (429, "uploads")
    assert 86_000 < int(answer["Retry-After"]) <= 86_400
    client.force_login(ada)
    page = client.post("/account/", {**form, "file": SimpleUploadedFile("bot.py", b"print(3)")})
    assert "you sent 2 versions within 24 hours, 2 are allowed" in page.content.decode()


def test_staff_can_set_and_reset_the_quotas_of_one_author(ada: User) -> None:
    usual = quota_of(ada)
    given = set_quota(STAFF, ada, {"uploads": 3, "disk": 1000, "trials": 0, "challenges": 5, "reviews": 2})
    assert given == AuthorQuotas(uploads=3, disk=1000, trials=0, challenges=5, reviews=2)
    with pytest.raises(UploadQuotaExceeded, match="0 of your bots wait for their trials"):
        upload_bot(ada, 1)
    assert set_quota(STAFF, ada, {}) == usual
    assert [act.on for act in StaffAct.objects.order_by("pk")] == [
        "author ada: uploads 3, disk 1000, trials 0, challenges 5, reviews 2",
        "author ada: uploads as usual, disk as usual, trials as usual, challenges as usual, reviews as usual",
    ]


@pytest.mark.slow
def test_new_versions_of_a_remote_bot_count_for_the_daily_quota(ada: User) -> None:
    client = APIClient(headers={"Authorization": f"Token {create_token(ada, scopes=['play'])}"})
    path, body = "/api/v1/bots/remote/", {"game": "pig", "bot": "far"}
    registered = [client.post(path, body | {"model": model}, "json") for model in ("a", "b", "b", "a")]
    assert [answer.status_code for answer in registered] == [201, 201, 201, 429]
    assert registered[-1].json()["code"] == "uploads"
    assert int(registered[-1].headers["Retry-After"]) > 80_000
    assert BotVersion.objects.count() == 2
    upload_bot(AuthorFactory.create(), 1)
    with pytest.raises(UploadQuotaExceeded, match="2 versions within 24 hours"):
        upload_bot(ada, 2)


def test_playing_by_hand_does_not_count_for_the_daily_quota(ada: User) -> None:
    for game in ("pig", "for_the_king"):
        get_bot_by_hand(ada, game)
    assert upload_bot(ada, 1).number == 1


def test_an_upload_over_the_storage_quota_is_refused(ada: User) -> None:
    set_quota(STAFF, ada, {"uploads": 9, "disk": 8, "trials": 9})
    upload_bot(ada, 1)
    with pytest.raises(UploadQuotaExceeded, match="8 are allowed; ask the organiser"):
        upload_bot(ada, 2)


def test_an_invalid_quota_is_refused_and_not_stored(ada: User) -> None:
    with pytest.raises(InvalidQuotaError, match="uploads must be between 0 and"):
        set_quota(STAFF, ada, {"uploads": -1})
    assert not StaffAct.objects.exists()


def test_the_quota_command_sets_the_quotas_of_an_author_and_refuses_an_unknown_name(ada: User) -> None:
    call_command("quota", "ada", why="a class", uploads=7)
    assert quota_of(ada).uploads == 7
    with pytest.raises(InvalidCommandInputError, match="nobody is called"):
        call_command("quota", "nosuch", why="a class")
