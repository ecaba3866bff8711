"""Somebody adds a webhook in Chromium, tries it, reads the log; and is told of what happened, and chooses what."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page

from bots.tokens import new_token
from ftk_core.kit.tokens import AUTHORS
from notices import mailing, tasks, wishes
from notices.models import Delivery
from notices.wishes import Telling, notify
from tests.support.browser.aside import aside
from tests.support.browser.axe import breaches
from tests.support.factories import AuthorFactory
from tests.support.hooks import carry_all
from tests.support.receiver import receiving

SHOTS = os.environ.get("FTK_TOLD_SHOTS", "")
"""A folder for pictures of what is passed on the way, wide and on a phone."""


def looks(page: Page, name: str) -> list[str]:
    """See whether the page keeps the guidelines, wide and on a phone, and take pictures where they are wanted."""
    found = []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        found += [f"{name} at {width}: {breach}" for breach in breaches(page)]
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / f"{name}-{width}.png", full_page=True)
    return found


def somebody_with_news() -> tuple[User, str]:
    person = AuthorFactory.create(username="ada")
    for number, kind in enumerate(wishes.KINDS):
        text = f"Round {number} of a league with a name that is quite long ended, and this line says so."
        notify([person.pk], Telling(kind=kind, key=str(number), pattern=text, link="/"), timezone.now())
    return person, new_token(person, scopes=(*AUTHORS, "notify"))


def signs_in(page: Page, arena: str, token: str) -> None:
    page.goto(f"{arena}/account/")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in with the token").click()


@pytest.mark.slow
def test_a_webhook_is_added_tried_replayed_and_read_about_in_the_log(
    arena: str, page: Page, settings: Any, transactional_db: None
) -> None:
    settings.WEBHOOK_PRIVATE = True
    _, token = aside(somebody_with_news)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    signs_in(page, arena, token)
    page.get_by_role("link", name="Webhooks", exact=True).click()
    found = looks(page, "webhooks-empty")
    with receiving() as receiver:
        page.get_by_label("Address", exact=True).fill(receiver.url)
        page.get_by_label("match.closed", exact=False).check()
        page.get_by_role("button", name="Add the webhook").click()
        page.get_by_text("it is shown this once only").wait_for()
        secret = page.locator("pre code").inner_text()
        found += looks(page, "webhook-new")
        page.get_by_role("button", name="Send a test").click()
        page.get_by_text("A test is on its way.").wait_for()
        aside(carry_all)
        receiver.status = 503
        page.get_by_role("button", name="Send a test").click()
        page.get_by_text("A test is on its way.").wait_for()
        aside(carry_all)
        page.reload()
        page.get_by_text("it answered 503").wait_for()
        assert [payload["type"] for payload in receiver.read(secret)] == ["webhook.test"] * 2
    found += looks(page, "webhook")
    page.get_by_role("button", name="Replay number 1").click()
    page.get_by_text("It is delivered again.").wait_for()
    assert aside(lambda: Delivery.objects.filter(status="waiting").count()) == 2
    page.get_by_role("link", name="Webhooks", exact=True).click()
    found += looks(page, "webhooks")
    assert (found, said) == ([], [])


@pytest.mark.slow
def test_somebody_reads_what_happened_and_chooses_what_to_be_told(
    arena: str, page: Page, transactional_db: None
) -> None:
    person, token = aside(somebody_with_news)
    signs_in(page, arena, token)
    page.get_by_role("link", name=f"{len(wishes.KINDS)} new notices").click()
    found = looks(page, "notices")
    page.get_by_role("group", name="a league begins in which my bot plays").get_by_label("by mail").check()
    page.get_by_role("button", name="Keep these choices").click()
    page.get_by_text("Your choices are kept.").wait_for()
    assert aside(wishes.read_wishes, person)["league-begun"] == (True, True)
    page.get_by_role("button", name="Mark all as read").click()
    page.get_by_role("link", name=f"{len(wishes.KINDS)} new notices").wait_for(state="detached")
    page.goto(f"{arena}/account/notices/off/{mailing.off_token(person.pk, 'trial')}/")
    found += looks(page, "notices-off")
    page.get_by_role("button", name="No more of these mails").click()
    page.get_by_text("You get no more mail").wait_for()
    assert aside(wishes.read_wishes, person)["trial"] == (True, False)
    assert aside(tasks.mail) == 0
    assert found == []
