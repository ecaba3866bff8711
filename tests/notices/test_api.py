"""REST API of webhooks and notices; each user sees only their own."""

from __future__ import annotations

import json
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from bots.access.api_tokens import create_token
from notices import notice_preferences
from notices.models import Notice, WebhookDelivery, WebhookEndpoint
from notices.notice_preferences import NoticeContent, notify
from notices.webhooks import webhook_endpoints
from people.account_erasure import erase_person, export_person
from tests.support.league_entries import open_league
from tests.support.webhooks import create_person, create_webhook

pytestmark = pytest.mark.django_db(transaction=True)
HOOK = {"url": "https://bots.example/hook", "kinds": ["league.begun", "round.ended"]}


def with_token(person: User) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {create_token(person, scopes=['read', 'notify'])}")
    return client


@pytest.mark.slow
def test_a_webhook_can_be_created_tested_rotated_and_deleted_through_the_api() -> None:
    open_league()
    client = with_token(create_person())
    made = client.post("/api/v1/webhooks/", HOOK | {"league": "night"}, format="json")
    assert (made.status_code, made.json()["league"], made.json()["secret"][:6]) == (201, "night", "whsec_")
    number = made.json()["id"]
    (row,) = client.get("/api/v1/webhooks/").json()
    assert "secret" not in row
    assert row["kinds"] == HOOK["kinds"]
    assert client.post(f"/api/v1/webhooks/{number}/test/").status_code == 202
    (delivery,) = client.get(f"/api/v1/webhooks/{number}/deliveries/").json()
    assert (delivery["kind"], delivery["sequence"], delivery["status"]) == ("webhook.test", 1, "waiting")
    WebhookDelivery.objects.update(status="arrived")
    again = client.post(f"/api/v1/webhooks/{number}/deliveries/{delivery['key']}/replay/")
    assert (again.status_code, again.json()["status"]) == (202, "waiting")
    rotated = client.post(f"/api/v1/webhooks/{number}/rotate/").json()["secret"]
    assert rotated not in ("", made.json()["secret"])
    assert client.post(f"/api/v1/webhooks/{number}/enable/").status_code == 200
    assert client.delete(f"/api/v1/webhooks/{number}/").status_code == 204
    assert client.get("/api/v1/webhooks/").json() == []


@pytest.mark.parametrize(
    ("said", "status", "words"),
    [
        ({"url": "http://10.0.0.1/"}, 409, "no public address"),
        ({"url": "ftp://bots.example/"}, 409, "must begin with"),
        ({"url": ""}, 400, "may not be blank"),
        ({"url": "https://bots.example/\x00"}, 400, "Null characters"),
        ({"kinds": []}, 400, "at least 1 element"),
        ({"kinds": ["everything"]}, 400, "not a valid choice"),
        ({"league": "nosuch"}, 404, "Not found"),
        ({"league": "a b"}, 400, "valid"),
    ],
)
def test_an_invalid_webhook_is_refused_with_its_reason(said: dict[str, Any], status: int, words: str) -> None:
    answer = with_token(create_person()).post("/api/v1/webhooks/", HOOK | said, format="json")
    assert answer.status_code == status
    assert words in answer.content.decode()
    assert not WebhookEndpoint.objects.exists()


def test_creating_a_sixth_webhook_is_refused() -> None:
    person = create_person()
    for _ in range(5):
        create_webhook("https://bots.example/", person)
    answer = with_token(person).post("/api/v1/webhooks/", HOOK, format="json")
    assert (answer.status_code, "remove one first" in answer.json()["detail"]) == (409, True)


@pytest.mark.slow
def test_requests_for_the_webhook_of_another_user_get_status_404() -> None:
    row = create_webhook("https://bots.example/", create_person("bob"))
    key = webhook_endpoints.send_test(row.owner, row.pk).key
    own = create_webhook("https://bots.example/", create_person("eve"))
    client, browser = with_token(own.owner), Client()
    browser.force_login(own.owner)
    before = list(WebhookEndpoint.objects.filter(pk=row.pk).values()), list(WebhookDelivery.objects.values())
    for method, rest in (
        ("delete", ""),
        ("post", "test/"),
        ("post", "rotate/"),
        ("post", "enable/"),
        ("get", "deliveries/"),
        ("post", f"deliveries/{key}/replay/"),
    ):
        answers = [getattr(client, method)(f"/api/v1/webhooks/{number}/{rest}") for number in (row.pk, 10**9, 10**30)]
        assert [answer.status_code for answer in answers] == [404, 404, 404], rest
        assert len({answer.content for answer in answers}) == 1
    assert client.post(f"/api/v1/webhooks/{own.pk}/deliveries/{key}/replay/").status_code == 404
    assert browser.get(f"/account/webhooks/{row.pk}/").status_code == 404
    assert browser.get(f"/account/webhooks/{own.pk}/").status_code == 200
    for said in ({}, {"remove": "yes"}, {"rotate": "yes"}, {"test": "yes"}, {"replay": key}):
        assert browser.post(f"/account/webhooks/{row.pk}/", said).status_code == 404
    for wrong in (key, "x" * 10_000):
        assert browser.post(f"/account/webhooks/{own.pk}/", {"replay": wrong}).status_code == 404
    assert before == (list(WebhookEndpoint.objects.filter(pk=row.pk).values()), list(WebhookDelivery.objects.values()))


def test_only_the_recipient_can_list_notices_or_mark_notices_as_read_or_set_preferences() -> None:
    ada, bob = create_person(), create_person("bob")
    for person in (ada, bob):
        notify([person.pk], NoticeContent(kind="crash", key="1", pattern=f"For {person}.", link="/"), timezone.now())
    client, theirs = with_token(ada), Notice.objects.get(person=bob).pk
    (row,) = client.get("/api/v1/notices/").json()
    assert (row["text"], row["read_at"]) == ("For ada.", None)
    assert client.post("/api/v1/notices/read/", {"ids": [theirs]}, format="json").status_code == 204
    assert (notice_preferences.count_unread(ada), notice_preferences.count_unread(bob)) == (1, 1)
    client.post("/api/v1/notices/read/", {}, format="json")
    assert (notice_preferences.count_unread(ada), notice_preferences.count_unread(bob)) == (0, 1)
    said = {"kind": "crash", "web": False, "mail": True}
    assert client.put("/api/v1/notices/wishes/", said, format="json").json() == said
    assert said in client.get("/api/v1/notices/wishes/").json()
    assert notice_preferences.read_preferences(bob)["crash"] == (True, False)
    assert client.put("/api/v1/notices/wishes/", {"kind": "x"}, format="json").status_code == 400


@pytest.mark.slow
def test_webhooks_and_notices_are_exported_without_secrets_and_erased_with_the_account() -> None:
    row = create_webhook("https://bots.example/hook")
    person = row.owner
    webhook_endpoints.send_test(person, row.pk)
    notify([person.pk], NoticeContent(kind="crash", key="1", pattern="It crashed.", link="/"), timezone.now())
    notice_preferences.set_preference(person, "crash", web=True, mail=True)
    with export_person(person) as file, ZipFile(file) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert json.loads(parts["webhooks.json"])[0]["url"] == "https://bots.example/hook"
    assert json.loads(parts["deliveries.json"])[0]["kind"] == "webhook.test"
    assert json.loads(parts["notices.json"])[0]["text"] == "It crashed."
    assert {"kind": "crash", "web": True, "mail": True} in json.loads(parts["wishes.json"])
    assert row.secret not in "".join(parts.values())
    erase_person(person)
    assert not any(table.objects.exists() for table in (WebhookEndpoint, WebhookDelivery, Notice))
    assert not notice_preferences.NotificationPreference.objects.exists()


def test_a_webhook_can_be_managed_on_the_website_and_its_secret_is_shown_once() -> None:
    client = Client()
    client.force_login(create_person())
    wrong = client.post("/account/webhooks/", {"url": "http://127.0.0.1/", "kinds": ["league.begun"]})
    assert wrong.status_code == 400
    assert "no public address" in wrong.content.decode()
    made = client.post("/account/webhooks/", {"url": "https://bots.example/", "kinds": ["league.begun"]}, follow=True)
    row = WebhookEndpoint.objects.get()
    assert row.secret in made.content.decode()
    assert row.secret not in client.get(f"/account/webhooks/{row.pk}/").content.decode()
    client.post(f"/account/webhooks/{row.pk}/", {"test": "yes"})
    assert "webhook.test" in client.get(f"/account/webhooks/{row.pk}/").content.decode()
    assert client.post(f"/account/webhooks/{row.pk}/", {"remove": "yes"}).status_code == 302
    assert not WebhookEndpoint.objects.exists()
