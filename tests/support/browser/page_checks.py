"""Checks of the page that a browser shows, and a click that waits for the next page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page

from tests.support.browser.axe import find_axe_violations

DESKTOP, PHONE = 1280, 390
HEIGHT = 844


def click_through(locator: Locator) -> None:
    """Click a link or a button and wait until the page that it leads to is loaded.

    After a bare `click` the browser may still show the old page, or a document without an element.
    """
    with locator.page.expect_navigation():
        locator.click()


def find_page_faults(page: Page, name: str, shots: str = "") -> list[str]:
    """Return axe's violations on a desktop and on a phone, and take screenshots into the folder `shots`.

    Raise AssertionError if the page is wider than its window. The window is as wide as a desktop afterwards.
    """
    faults = []
    for width in (PHONE, DESKTOP):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        faults += [f"{name} at {width}: {violation}" for violation in find_axe_violations(page)]
        if shots:
            page.screenshot(path=Path(shots) / f"{name}-{width}.png", full_page=True)
    return faults
