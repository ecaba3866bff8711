"""Webhooks and notices in the browser."""

from __future__ import annotations

import os
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page

from bots.access.api_tokens import create_token
from ftk_core.kit.client.api_token_format import DEFAULT_SCOPES
from notices import notice_mails, notice_preferences, tasks
from notices.models import WebhookDelivery
from notices.notice_preferences import NoticeContent, notify
from tests.support.browser.database_thread import call_in_thread
from tests.support.browser.page_checks import click_through, find_page_faults
from tests.support.factories import AuthorFactory
from tests.support.receiver import run_receiver
from tests.support.webhooks import deliver_all
from tournaments.models import League

pytestmark = pytest.mark.slow

SHOTS = os.environ.get("FTK_TOLD_SHOTS", "")
"""Folder for screenshots of every step, wide and on a phone; empty for none."""


def somebody_with_news() -> tuple[User, str]:
    person = AuthorFactory.create(username="ada")
    for number, kind in enumerate(notice_preferences.KINDS):
        text = f"Round {number} of a league with a name that is quite long ended, and this line says so."
        notify([person.pk], NoticeContent(kind=kind, key=str(number), pattern=text, link="/"), timezone.now())
    return person, create_token(person, scopes=(*DEFAULT_SCOPES, "notify"))


def signs_in(page: Page, arena: str, token: str) -> None:
    page.goto(f"{arena}/account/")
    page.get_by_label("Token").fill(token)
    click_through(page.get_by_role("button", name="Sign in with the token"))


@pytest.mark.nightly
def test_a_user_can_add_and_test_a_webhook_and_repeat_a_delivery_in_the_browser(
    arena: str, page: Page, settings: Any, transactional_db: None
) -> None:
    settings.WEBHOOK_PRIVATE = True
    _, token = call_in_thread(somebody_with_news)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    signs_in(page, arena, token)
    click_through(page.get_by_role("link", name="Webhooks", exact=True))
    found = find_page_faults(page, "webhooks-empty", SHOTS)
    with run_receiver() as receiver:
        page.get_by_label("Address", exact=True).fill(receiver.url)
        page.get_by_label("match.closed", exact=False).check()
        page.get_by_role("button", name="Add the webhook").click()
        page.get_by_text("it is shown this once only").wait_for()
        secret = page.locator("pre code").inner_text()
        found += find_page_faults(page, "webhook-new", SHOTS)
        click_through(page.get_by_role("button", name="Send a test"))
        page.get_by_text("A test is on its way.").wait_for()
        call_in_thread(deliver_all)
        receiver.status = 503
        click_through(page.get_by_role("button", name="Send a test"))
        page.get_by_text("A test is on its way.").wait_for()
        call_in_thread(deliver_all)
        page.reload()
        page.get_by_text("it answered 503").wait_for()
        assert [payload["type"] for payload in receiver.read(secret)] == ["webhook.test"] * 2
    found += find_page_faults(page, "webhook", SHOTS)
    click_through(page.get_by_role("button", name="Replay number 1"))
    page.get_by_text("It is delivered again.").wait_for()
    assert call_in_thread(lambda: WebhookDelivery.objects.filter(status="waiting").count()) == 2
    click_through(page.get_by_role("link", name="Webhooks", exact=True))
    found += find_page_faults(page, "webhooks", SHOTS)
    assert (found, said) == ([], [])


def test_a_person_reads_notices_and_sets_preferences_in_the_browser(
    arena: str, page: Page, transactional_db: None
) -> None:
    person, token = call_in_thread(somebody_with_news)
    signs_in(page, arena, token)
    click_through(page.get_by_role("link", name=f"{len(notice_preferences.KINDS)} new notices"))
    found = find_page_faults(page, "notices", SHOTS)
    page.get_by_role("group", name="Beginnings of leagues with my bots").get_by_label("by mail").check()
    page.get_by_role("button", name="Keep these choices").click()
    page.get_by_text("Your choices are kept.").wait_for()
    assert call_in_thread(notice_preferences.read_preferences, person)["league-begun"] == (True, True)
    page.get_by_role("button", name="Mark all as read").click()
    page.get_by_role("link", name=f"{len(notice_preferences.KINDS)} new notices").wait_for(state="detached")
    page.goto(f"{arena}/account/notices/off/{notice_mails.make_unsubscribe_token(person.pk, 'trial')}/")
    found += find_page_faults(page, "notices-off", SHOTS)
    page.get_by_role("button", name="No more of these mails").click()
    page.get_by_text("You get no more mail").wait_for()
    assert call_in_thread(notice_preferences.read_preferences, person)["trial"] == (True, False)
    assert call_in_thread(tasks.mail) == 0
    assert found == []


def test_the_button_to_follow_a_league_shows_a_space_before_the_leagues_name(
    arena: str, night: League, page: Page
) -> None:
    page.goto(f"{arena}/leagues/{night.slug}/")
    assert page.get_by_role("link", name="Sign in to follow").inner_text() == "Sign in to follow Night"
