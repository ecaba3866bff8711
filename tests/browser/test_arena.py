"""A whole arena with real workers: from the upload of a bot to the end of its league."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ftk_core.kit.built_in_bots import list_built_in_bots
from tests.support.town import Town
from tests.support.waiting import wait_for

LONG = 90_000
"""Milliseconds for a match at a watchable pace, including one kill of the web server."""


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    town = Town(tmp_path / "var")
    yield town
    town.close()


def test_a_spectator_follows_a_match_of_uploaded_bots_live_through_a_server_restart_to_the_end(
    town: Town, page: Page
) -> None:
    town.arena.wait_until_open()
    token = town.manage("token", "ada")
    for bot, file in (("careful", "hold20"), ("bold", "random")):
        said = town.ftk("upload", "pig", str(list_built_in_bots("pig")[file]), "--bot", bot, FTK_TOKEN=token)
        assert "active" in said
    town.manage("league", "open", "cup", "pig", "--seats", "2", "--rounds", "1", "--pace-ms", "150")
    town.manage("league", "enter", "cup", "careful", "bold")
    town.manage("league", "start", "cup")

    page.goto(f"{town.address}/leagues/cup/")
    page.get_by_role("link", name=re.compile("Follow it live table 1")).click()
    page.evaluate("window.neverReloaded = true")
    step = page.locator(".head .step b")
    expect(page.locator(".live")).to_have_attribute("aria-pressed", "true", timeout=LONG)
    expect(step).not_to_have_text("0")
    server = town.arena.started("deploy.web")[0]
    os.kill(server, signal.SIGKILL)
    expect(page.locator(".notice")).to_contain_text("Reconnecting")
    expect(page.locator(".live")).to_have_count(0, timeout=LONG)
    expect(page.locator(".head .step")).to_have_text(re.compile(r"^\s*(\d+)\s*/\s*\1\s*$"))
    told = [int(text) for text in page.locator(".story li .at").all_text_contents()]
    assert told == sorted(set(told)), "nothing was told twice or out of order"
    assert page.evaluate("window.neverReloaded") is True

    ladder = f"{town.address}/leaderboards/pig/"
    wait_for(lambda: "careful" in page.request.get(ladder).text(), "a worker has rated the match")
    wait_for(lambda: re.search(r"\d+ to \d+", page.request.get(ladder).text()), "a worker has fitted the ratings")
    page.goto(ladder)
    expect(page.locator("main")).to_contain_text("careful")
    expect(page.locator("main")).to_contain_text("bold")
