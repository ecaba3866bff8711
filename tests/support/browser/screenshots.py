"""``make shots``: screenshots of every page of a running arena, wide and narrow, in light and dark mode.

``python -m tests.support.browser.screenshots [address]`` writes them into ``shots/``, which git ignores. This module
lists every URL pattern (`test_screenshots` checks it), so that no page is forgotten.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

FOLDER = Path("shots")
SIZES = {"wide": (1280, 800), "phone": (390, 844)}
ROWS: dict[str, dict[str, str]] = {
    "home": {"home": "/"},
    "leagues": {"leagues": "/leagues/", "leagues-single": "/leagues/?single=yes"},
    "league": {"league": "{league}"},
    "league-standings": {"league-standings": "{league}standings/"},
    "league-round": {"league-round": "{league}rounds/1/"},
    "league-cross": {"league-cross": "{league}cross/"},
    "league-acts": {"league-acts": "{league}acts/"},
    "league-print": {"league-print": "{league}print/"},
    "league-screen": {"league-screen": "{league}screen/"},
    "league-predictions": {"league-predictions": "{league}predictions/"},
    "predictions": {"predictions": "/predictions/"},
    "desk-comments": {"desk-comments": "{league}desk/comments/"},
    "desk": {"desk": "{league}desk/"},
    "desk-entries": {"desk-entries": "{league}desk/entries/"},
    "enter": {"enter": "{league}enter/"},
    "templates": {"templates": "/templates/"},
    "series-list": {"series-list": "/series/"},
    "leaderboards": {},
    "leaderboard": {"leaderboard": "/leaderboards/{game}/", "season": "/leaderboards/{game}/?season={season}"},
    "challenge": {"challenge": "/challenge/"},
    "continuous": {"continuous": "/leaderboards/{game}/continuous/"},
    "bots": {"bots": "/bots/", "bots-none": "/bots/?language=c"},
    "bot": {"bot": "{bot}"},
    "match": {
        "match": "{match}",
        "match-middle": "{match}?at=200",
        "match-all": "{match}?at=300&eyes=all",
        "match-chinese": "{match}?at=100&lang=zh-Hant",
    },
    "match-review": {"review": "{match}review/"},
    "clip-page": {"clip-page": "{match}clip/"},
    "embed": {"embed": "{embed}"},
    "write-a-bot": {"write-a-bot": "/write-a-bot/"},
    "handbook": {"handbook": "/docs/"},
    "handbook-page": {"handbook-tutorial": "/docs/tutorial/", "handbook-commands": "/docs/ftk/"},
    "account_login": {"sign-in": "/sign-in/"},
    "token-sign-in": {"token-sign-in": "/sign-in/token/"},
    "account_inactive": {"inactive": "/sign-in/inactive/"},
    "account_signup": {"sign-up": "/sign-up/"},
    "account_email": {"email": "/account/email/"},
    "account_change_password": {"password-change": "/account/password/"},
    "account_set_password": {"password-set": "/account/password/set/"},
    "account_reset_password": {"password": "/password/"},
    "account_password_reset_completed": {"password-done": "/password/done/"},
    "mfa_index": {"safety": "/account/safety/"},
    "mfa_list_webauthn": {"passkeys": "/account/safety/webauthn/"},
    "mfa_activate_totp": {"totp": "/account/safety/totp/activate/"},
    "mfa_add_webauthn": {"passkey": "/account/safety/webauthn/add/"},
    "notices": {"notices": "/account/notices/"},
    "webhooks": {"webhooks": "/account/webhooks/"},
    "leave": {"leave": "/account/leave/"},
    "invitations": {"invitations": "/invitations/"},
    "new-league": {"new-league": "/leagues/new/"},
    "account": {"account": "/account/"},
    "profile": {"profile": "/account/profile/"},
    "tokens": {"tokens": "/account/tokens/"},
    "sessions": {"sessions": "/account/sessions/"},
    "device": {"device": "/device/?code=BCDFGHJK"},
    "search": {"search": "/search/", "search-wrong": "/search/?bot=nobody&least=9&most=3"},
    "status": {"status": "/status/"},
    "watch": {"watch": "/watch/"},
    "game": {"game": "/games/{game}/"},
    "sample": {"sample": "/games/{game}/house/{house}/"},
    "versions": {"versions": "{bot}compare/"},
    "team": {"team": "{bot}team/"},
    "play": {"play": "/play/"},
    "sitting": {"sitting": "/play/{game}/"},
    "trial": {"trial": "{bot}versions/1/"},
}
"""Path of each screenshot by its name, by the name of the URL pattern.

`find_placeholder_values` returns the values for the placeholders in braces.
"""
NO_PICTURE = frozenset(
    {
        "about",
        "bot-feed",
        "bots-feed",
        "card",
        "clip",
        "desk-answers",
        "brand-logo",
        "brand-style",
        "desk-audience",
        "desk-logo",
        "export",
        "favicon",
        "feed",
        "follow",
        "game-feed",
        "invitation",
        "league-logo",
        "new-league-outlook",
        "oembed",
        "page-card",
        "piece-file",
        "rematch",
        "picture",
        "robots",
        "room",
        "rounds",
        "seat",
        "service-worker",
        "sitemap",
        "sitemap-section",
        "viewer-words",
        "web-manifest",
    }
)
"""URL patterns that are not pages: texts, pictures, calendars, and URLs that only accept a form."""
ON_THE_WAY = frozenset(
    {"account_logout", "account_email_verification_sent", "account_reauthenticate", "mfa_login_webauthn"}
    | {f"account_{word}" for word in ("confirm_password_reset_code", "complete_password_reset")}
    | {f"mfa_{word}" for word in ("authenticate", "reauthenticate", "reauthenticate_webauthn", "deactivate_totp")}
    | {"notices-off", "webhook", "series", "league-comments"}
    | {f"mfa_{word}_recovery_codes" for word in ("view", "generate", "download")}
    | {f"mfa_{word}_webauthn" for word in ("remove", "edit")}
)
"""URL patterns of pages that need earlier steps, which the tests in `tests/people` and `tests/browser` take."""
TROUBLE = {"lost": "/nothing-here/", "broken": "/broken/"}
"""Paths of the error pages, by name."""
LINKS = (
    ("league", "/leagues/", r'"(/leagues/[\w-]+/)"'),
    ("bot", "/bots/", r'"(/bots/[\w-]+/)"'),
    ("game", "/leaderboards/", r'"/games/(\w+)/"'),
    ("season", "{bot}", r"\?season=([\w-]+)"),
    ("house", "/games/{game}/", r"/house/([\w-]+)/"),
    ("match", "/search/?game={game}", r'class="cover" href="(/matches/\w+/)"'),
)


def find_placeholder_values(page: Page, address: str) -> dict[str, str]:
    """Return values for the placeholders of paths, from links on pages; raises LookupError if a page lacks a link."""
    found: dict[str, str] = {}
    for name, where, link in LINKS:
        page.goto(address + where.format(**found))
        first = re.search(link, page.content())
        if first is None:
            raise LookupError(f"{where.format(**found)} links to no {name}: play something first, with `make run`")
        found[name] = first[1]
    return found | {"embed": found["match"].replace("/matches/", "/embed/")}


def list_screenshots(found: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the path of every screenshot."""
    for row in (*ROWS.values(), TROUBLE):
        for name, path in row.items():
            yield name, path.format(**found)


def create_token() -> str:
    """Return a token of the running arena, whose data this process can read."""
    command = [sys.executable, "manage.py", "token", "shots"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return str(re.findall(r"[0-9a-f]{40,}", told)[-1])


def sign_in(context: BrowserContext, address: str, token: str) -> None:
    """Sign in with a token, and answer the path ``/broken/`` with the page for server errors."""
    page = context.new_page()
    page.goto(f"{address}/sign-in/")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in with the token").click()
    page.wait_for_url("**/account/")
    context.route("**/broken/", lambda route: route.fulfill(path="frontend/templates/500.html"))
    page.close()


def write_screenshots(browser: Browser, address: str) -> int:
    """Write the screenshots; return their number."""
    pages, token = list(list_screenshots(find_placeholder_values(browser.new_page(), address))), create_token()
    for scheme, (size, (width, height)) in product(("light", "dark"), SIZES.items()):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if scheme == "dark" else "light"
        )
        sign_in(context, address, token)
        page = context.new_page()
        for name, path in pages:
            page.goto(address + path)
            viewer = name.startswith(("match", "watch", "embed"))
            if viewer:
                page.locator("[data-table] [data-piece]").first.wait_for()
            page.screenshot(path=FOLDER / f"{name}-{size}-{scheme}.png", full_page=not viewer)
        context.close()
    return len(pages) * 2 * len(SIZES)


def main(address: str = "http://127.0.0.1:8000") -> None:
    """Take all screenshots with the machine's Chromium."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        taken = write_screenshots(browser, address.rstrip("/"))
        sys.stdout.write(f"{taken} pictures in {FOLDER}/\n")
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:2])
