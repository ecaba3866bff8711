"""Acts of an organiser on a league's console, in a browser."""

from __future__ import annotations

from playwright.sync_api import Page


def submit_act(page: Page, name: str, **words: str) -> None:
    """Open an act if it is not open, fill in its form and confirm its effects; return when it is done."""
    form = page.get_by_role("form", name=name, exact=True)
    if not form.is_visible():
        page.locator("#acts").get_by_role("link", name=name, exact=True).click()
    for word, text in words.items():
        form.locator(f"[name={word}]").fill(text)
        form.locator(f"[name={word}]").blur()
    confirm = form.locator("[name=confirm]")
    confirm.wait_for()
    with page.expect_navigation():  # the present page may already show the "Done." of an earlier act
        confirm.click()
    page.get_by_text("Done. ").wait_for()


def open_match_act(page: Page, name: str, match: str = "") -> None:
    """Follow the link of a match (by default the first) to one of its acts."""
    with page.expect_navigation():
        page.get_by_role("link", name=f"{name} match {match}").first.click()
