"""``make shots``: pictures of every page, wide and narrow, by day and by night, of the arena that is running.

``python -m tests.browser.shots [address]`` writes them into ``shots/``, which git ignores.
"""

from __future__ import annotations

import re
import shutil
import sys
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path("shots")
SIZES = {"wide": (1280, 900), "phone": (390, 844)}
FIXED = {
    "home": "/",
    "watch": "/watch/",
    "search": "/search/",
    "search-wrong": "/search/?bot=nobody&least=9&most=3",
    "leagues": "/leagues/",
    "leaderboard": "/leaderboards/",
    "bots": "/bots/",
    "api": "/write-a-bot/",
    "status": "/status/",
    "sign-in": "/sign-in/",
    "game": "/games/for_the_king/",
    "sample": "/games/for_the_king/house/greedy/",
}


def pages_of(page: Page, address: str) -> dict[str, str]:
    """Return the pages to look at: the fixed ones, and the first of each kind that another links to."""
    found = {**FIXED, "lost": "/nothing-here/"}
    for name, where, link in (
        ("league", "leagues", r"/leagues/[\w-]+/"),
        ("match", "home", r"/matches/\w+/"),
        ("bot", "bots", r"/bots/[\w-]+/"),
        ("season", "bot", r"/leaderboards/\w+/\?season=[\w-]+"),
    ):
        page.goto(address + found.get(where, "/"))
        first = re.search(rf'href="({link})"', page.content())
        if first:
            found[name] = first[1]
    if "bot" in found:
        found["trial"] = f"{found['bot']}versions/1/"
    if "match" in found:
        found |= {"match-middle": f"{found['match']}?at=200", "match-all": f"{found['match']}?at=300&eyes=all"}
    return found


def shoot(browser: Browser, address: str) -> int:
    """Write the pictures; returns how many."""
    pages = pages_of(browser.new_page(), address)
    for scheme, (size, (width, height)) in product(("light", "dark"), SIZES.items()):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if scheme == "dark" else "light"
        )
        page = context.new_page()
        for name, path in pages.items():
            page.goto(address + path)
            viewer = name.startswith(("match", "watch"))
            if viewer:
                page.locator(".step b").wait_for()
            page.screenshot(path=FOLDER / f"{name}-{size}-{scheme}.png", full_page=not viewer)
        context.close()
    return len(pages) * 2 * len(SIZES)


def main(address: str = "http://127.0.0.1:8000") -> None:
    """Take all pictures with the machine's Chromium."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        taken = shoot(browser, address.rstrip("/"))
        sys.stdout.write(f"{taken} pictures in {FOLDER}/\n")
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:2])
