"""Acts of an organiser on a league's management page, in a browser."""

from __future__ import annotations

from playwright.sync_api import Page


def submit_act(page: Page, name: str, **words: str) -> None:
    """Fill in and submit the form of an act; return when the page confirms it."""
    form = page.get_by_role("form", name=name, exact=True)
    if not form.is_visible():
        page.locator("summary", has_text=name).get_by_text(name, exact=True).click()
    for word, text in words.items():
        form.locator(f"[name={word}]").fill(text)
    with page.expect_navigation():  # the page before may tell of an act, too
        form.get_by_role("button", name=name, exact=True).click()
    page.get_by_text("Done. ").wait_for()


def open_match_forms(page: Page, match: str = "") -> None:
    """Follow the link of a match (by default the first) to the forms of its acts."""
    with page.expect_navigation():
        page.get_by_role("link", name=f"Act on match {match}").first.click()
