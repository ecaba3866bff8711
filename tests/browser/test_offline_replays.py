"""Offline use: a replay that was viewed once opens without the server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.support.served import serve
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

STORED = """async (match) => {
  const keys = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
  const paths = keys.flat().map((request) => new URL(request.url).pathname);
  return paths.includes(`/matches/${match}/frames/`) && paths.some((path) => path.endsWith('.js')) ? paths : null;
}"""


def test_a_replay_that_was_viewed_online_opens_offline_and_the_browser_stores_no_other_page(
    match_id: str, page: Page
) -> None:
    with serve() as running:
        page.goto(f"{running.address}/matches/{match_id}/?at=3")
        page.locator("[data-table] [data-piece]").first.wait_for()
        paths = wait_for(lambda: page.evaluate(STORED, match_id), "the replay is stored")
        assert {path for path in paths if not path.startswith(("/static/", "/games/"))} == {
            f"/matches/{match_id}/",
            f"/matches/{match_id}/frames/",
        }
        page.goto(f"{running.address}/leagues/")
        assert page.evaluate("navigator.serviceWorker.controller") is None
    page.goto(f"{running.address}/matches/{match_id}/?at=5")
    page.locator("[data-table] [data-piece]").first.wait_for()
    expect(page).to_have_url(f"{running.address}/matches/{match_id}/?at=5")
