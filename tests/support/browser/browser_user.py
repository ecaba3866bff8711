"""A person who uses a running arena in a browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page

from tests.support.arena import Arena
from tests.support.people import CODE, PASSWORD
from tests.support.waiting import wait_for

INVITATION = re.compile(r"/invitation/[\w-]+/")


class BrowserUser:
    """A person with a browser who reads their mail on the arena's terminal."""

    def __init__(self, arena: Arena, page: Page, name: str) -> None:
        self.arena, self.page, self.name = arena, page, name
        self.site = f"http://127.0.0.1:{arena.port}"

    def open_path(self, path: str) -> None:
        self.page.goto(self.site + path)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def fill_fields(self, **words: str) -> None:
        for name, text in words.items():
            field = self.page.locator(f"main [name={name}]")
            if field.evaluate("field => field.localName") == "select":
                field.select_option(text)
            else:
                field.fill(text)

    def sign_up(self, link: str) -> None:
        self.open_path(link)
        self.fill_fields(username=self.name, email=f"{self.name}@example.com", password1=PASSWORD)
        self.press("Sign up")
        self.page.wait_for_url(re.compile("/sign-up/confirm/$|/account/$"))
        if self.page.url.endswith("/account/"):
            return  # no code is needed: without a mail server the sign-up link confirms the address
        wait_for(lambda: self._codes() != [], f"a mail to {self.name}")
        self.fill_fields(code=self._codes()[-1])
        self.press("Confirm")
        self.page.wait_for_url(f"{self.site}/account/")

    def _codes(self) -> list[str]:
        mails = self.arena.read_output().split("Content-Type: text/plain")
        return [code for mail in mails if f"To: {self.name}@" in mail for code in CODE.findall(mail)]

    def create_invitation(self) -> str:
        self.open_path("/invitations/")
        self.fill_fields(role="author")
        self.press("Make a link")
        self.page.get_by_text("/invitation/").first.wait_for()
        return INVITATION.findall(self.page.content())[0]
