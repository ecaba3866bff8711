"""Fixtures for browser tests: a web server with one played league, and Chromium."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.waiting import SECONDS

if TYPE_CHECKING:
    from tournaments.models import League

CHROMIUM = shutil.which("chromium")
HERE = Path(__file__).parent
NEED_CHROMIUM = [path.name for path in HERE.glob("test_*.py") if "from playwright" in path.read_text()]
collect_ignore = [] if CHROMIUM else NEED_CHROMIUM
QUIET = ("disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync")

expect.set_options(timeout=SECONDS * 1000)
# playwright keeps an event loop running in the tests' thread, where Django would refuse database queries
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Chromium without background network requests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", *(f"--{word}" for word in QUIET)]
        )
        driving = asyncio._get_running_loop()
        yield browser
        asyncio._set_running_loop(driving)  # pytest_runtest_protocol may have hidden the loop during the last test
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A new browser window without cookies."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


@pytest.fixture
def night(transactional_db: None) -> League:
    """A finished league."""
    from tests.support.browser.league_night import create_league_night  # import only after the settings are configured

    # use another thread, because playwright's event loop runs in this one
    with ThreadPoolExecutor(1) as hands:
        return hands.submit(create_league_night).result()


@pytest.fixture
def match_id(night: League) -> str:
    """The id of a match of the league `night`."""
    return str(night.tables.all()[0].match_id)


@pytest.fixture
def arena(transactional_db: None) -> Iterator[str]:
    """The URL of a web server over the test database."""
    from tests.support.served import serve  # import only after the settings are configured

    with serve() as running:
        yield running.address
