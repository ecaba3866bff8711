"""An organiser who uses a league's console with the mouse or only with the keyboard, and whose presses are counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page

MAX_TABS = 12
"""Maximum number of fields and links between two steps of one act."""


@dataclass(slots=True, kw_only=True)
class ConsoleUser:
    """An organiser on the console of the league with the name in `slug`."""

    page: Page
    site: str
    slug: str
    by_keys: bool
    presses: Counter[str] = field(default_factory=Counter)
    """Number of presses of all acts, by the label of the act; typed text does not count, a drag is one press."""
    acts: Counter[str] = field(default_factory=Counter)
    """Number of acts done, by label."""

    def open(self) -> None:
        self.page.goto(f"{self.site}/leagues/{self.slug}/desk/")

    def do(self, act: str, *, link: Locator | None = None, why: str = "because", **fields: str) -> None:
        """Do an act: follow its link, fill in its form, and confirm the effects that are shown.

        By default the link is that in the list of all acts.
        """
        self.open()
        self._press(act, link or self.page.locator("#acts").get_by_role("link", name=act, exact=True))
        self._confirm(act, why, fields)

    def exchange(self, one: str, other: str) -> None:
        """Let two entries of the draft change places."""
        act = "Exchange two entries"
        self.open()
        seats = [self.page.locator(f"[data-draft-entry='{name}']") for name in (one, other)]
        if self.by_keys:
            self._press(act, seats[0])
        else:
            self.presses[act] += 1
            with self.page.expect_navigation():
                seats[0].drag_to(seats[1])
        self._confirm(act, "they share a machine", {"other": other} if self.by_keys else {})

    def _confirm(self, act: str, why: str, fields: dict[str, str]) -> None:
        form = self.page.get_by_role("form", name=act, exact=True)
        reason = {"why": why} if form.locator("[name=why]").count() else {}
        for name, text in (fields | reason).items():
            self._fill(form, name, text)
        confirm = form.locator("[name=confirm]")
        confirm.wait_for()
        if self.by_keys:
            self._tab_to("[name=confirm]")
        self._press(act, confirm)
        self.page.get_by_text("Done. ").wait_for()
        self.acts[act] += 1

    def _press(self, act: str, target: Locator) -> None:
        self.presses[act] += 1
        with self.page.expect_navigation():
            if self.by_keys:
                target.focus()
                self.page.keyboard.press("Enter")
            else:
                target.click()

    def _fill(self, form: Locator, name: str, text: str) -> None:
        if self.by_keys:
            self._tab_to(f"[name={name}]")
            self.page.keyboard.press("ControlOrMeta+a")
            self.page.keyboard.type(text)
        else:
            form.locator(f"[name={name}]").fill(text)
            form.locator(f"[name={name}]").blur()

    def _tab_to(self, selector: str) -> None:
        for _ in range(MAX_TABS):
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} is not within {MAX_TABS} tabs")
