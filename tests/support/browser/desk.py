"""What an organiser does at a league's desk, in a browser."""

from __future__ import annotations

from playwright.sync_api import Page


def act(page: Page, name: str, **words: str) -> None:
    """Fill in the small form of an act, and send it; returns once the page says that it is done."""
    form = page.get_by_role("form", name=name, exact=True)
    if not form.is_visible():
        page.locator("summary", has_text=name).get_by_text(name, exact=True).click()
    for word, text in words.items():
        form.locator(f"[name={word}]").fill(text)
    with page.expect_navigation():  # the page before may tell of an act, too
        form.get_by_role("button", name=name, exact=True).click()
    page.get_by_text("Done: ").wait_for()


def turn_to(page: Page, match: str = "") -> None:
    """Follow the link of a match, or of the first, to the forms of its acts; they are open there."""
    with page.expect_navigation():
        page.get_by_role("link", name=f"Act on match {match}").first.click()
