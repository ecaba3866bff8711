"""Staff bans a bot in a browser: the pages work under their policy, and ask nothing of anybody else."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import ConsoleMessage, Page

from bots.models import Bot
from bots.tokens import new_token
from tests.support.browser.aside import aside
from tests.support.factories import AuthorFactory, active_version

pytestmark = pytest.mark.django_db(transaction=True)


def people() -> str:
    """Make somebody of staff and a bot; return the token."""
    stella: User = AuthorFactory.create(username="stella", is_staff=True)
    active_version(slug="ada")
    return new_token(stella, scopes=("upload", "enter", "organise", "read"))


@pytest.mark.slow
def test_staff_bans_a_bot_in_a_browser(page: Page, arena: str) -> None:
    token = aside(people)
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
    assert aside(lambda: Bot.objects.get().banned) == "it cheats"
    assert faults == []
    assert all(url.startswith((arena, "data:")) for url in asked)
