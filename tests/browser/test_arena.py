"""The promise to an author, whole: an arena of its own with real workers, from the upload to the end of a match."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ftk_core.kit.house import house_bots
from tests.support.arena import STARTED, Arena
from tests.support.prepared import environment
from tests.support.waiting import wait_for

LONG = 90_000
"""Milliseconds: a match at a pace to watch, of which the web server is killed once."""


class Town:
    """An arena, and what an author and an organiser type in a shell beside it."""

    def __init__(self, var: Path) -> None:
        self.arena = Arena(var)
        self.address = f"http://127.0.0.1:{self.arena.port}"

    def manage(self, *words: str) -> str:
        return self._run(["manage.py", *words], DATABASE_URL=self.arena.database)

    def ftk(self, *words: str, **more: str) -> str:
        return self._run(["-c", "from ftk_core.kit.cli import app; app()", *words], FTK_SERVER=self.address, **more)

    def _run(self, words: list[str], **more: str) -> str:
        command = [sys.executable, *words]
        done = subprocess.run(
            command, env=environment(self.arena.var, **more), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout.strip()


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    town = Town(tmp_path / "var")
    yield town
    if town.arena.process.poll() is None:
        town.arena.process.terminate()
        town.arena.process.wait(STARTED)
    town.arena.gone()


def test_a_bot_is_uploaded_tried_entered_and_watched_to_the_end_of_its_league(town: Town, page: Page) -> None:
    town.arena.opened()
    token = town.manage("token", "ada")
    for bot, file in (("careful", "hold20"), ("bold", "random")):
        said = town.ftk("upload", "pig", str(house_bots("pig")[file]), "--bot", bot, FTK_TOKEN=token)
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
    (server, *_) = town.arena.processes("deploy.web")
    os.kill(server, signal.SIGKILL)
    expect(page.locator(".notice")).to_contain_text("dialling again")
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
