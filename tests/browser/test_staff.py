"""Staff pages in a browser: they work under their Content-Security-Policy and without third-party requests."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import ConsoleMessage, Page

from bots.access.api_tokens import create_token
from bots.models import Bot
from tests.support.browser.database_thread import call_in_thread
from tests.support.factories import AuthorFactory, create_active_version

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def people() -> str:
    """Create a staff member and a bot; return a token of the staff member."""
    stella: User = AuthorFactory.create(username="stella", is_staff=True)
    create_active_version(slug="ada")
    return create_token(stella, scopes=("upload", "enter", "organise", "read"))


def test_a_staff_member_bans_a_bot_in_the_browser(page: Page, arena: str) -> None:
    token = call_in_thread(people)
    faults: list[str] = []
    asked: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            faults.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{arena}/staff/bots/bot/")
    assert page.url.startswith(f"{arena}/sign-in/")
    page.goto(f"{arena}/sign-in/token/?next=/staff/bots/bot/")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in with the token").click()
    page.wait_for_url("**/staff/bots/bot/")
    page.locator("tr", has_text="ada").locator("input.action-select").check()
    page.locator("select[name=action]").select_option("ban")
    page.get_by_label("Why").fill("it cheats")
    page.get_by_role("button", name="Run").click()
    page.get_by_text("ada is banned").wait_for()
    assert call_in_thread(lambda: Bot.objects.get().banned) == "it cheats"
    assert faults == []
    assert all(url.startswith((arena, "data:")) for url in asked)
