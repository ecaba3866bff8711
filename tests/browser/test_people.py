"""A person's whole way in Chromium: in by an invitation, second factor, passkey, a new password, and out for good."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from playwright.sync_api import Browser, Page

from people.invitations import invite, invite_first
from people.roles import make_organiser
from tests.support.browser.axe import breaches
from tests.support.people import PASSWORD, code, one_time

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
NEW = "another long enough one"
SHOTS = os.environ.get("FTK_PEOPLE_SHOTS", "")
"""A folder for pictures of what is passed on the way, wide and on a phone."""


class Person:
    """Whoever sits before the browser."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.found: list[str] = []
        self.said: list[str] = []
        page.on("console", lambda message: self.said.append(message.text) if message.type == "error" else None)

    def goes(self, path: str) -> None:
        self.page.goto(self.site + path)

    def writes(self, **words: str) -> None:
        for name, text in words.items():
            self.page.locator(f"main [name={name}]").fill(text)

    def presses(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def arrives(self, path: str) -> None:
        self.page.wait_for_url(f"{self.site}{path}")

    def looks(self, name: str) -> None:
        """See whether the page keeps the guidelines, and take its pictures where they are wanted."""
        self.found += [f"{name}: {breach}" for breach in breaches(self.page)]
        for width in (1280, 390) if SHOTS else ():
            self.page.set_viewport_size({"width": width, "height": 844})
            assert self.page.evaluate("document.documentElement.scrollWidth") <= width, name
            self.page.screenshot(path=Path(SHOTS, f"{name}-{width}.png"), full_page=True)


@pytest.fixture
def person(arena: str, chromium: Browser, settings: Any) -> Any:
    settings.MFA_TOTP_TOLERANCE = 1
    context = chromium.new_context(viewport={"width": 1280, "height": 844}, reduced_motion="reduce")
    yield Person(context.new_page(), arena.replace("127.0.0.1", "localhost"))
    context.close()


def signs_in(person: Person, password: str = PASSWORD) -> None:
    person.goes("/sign-in/")
    person.writes(login="ada@example.com", password=password)
    person.presses("Sign in")


def signs_up(person: Person, link: str) -> None:
    person.goes(link)
    person.arrives("/sign-up/")
    person.looks("sign-up")
    person.writes(username="ada", email="ada@example.com", password1=PASSWORD)
    person.presses("Sign Up" if person.page.get_by_role("button", name="Sign Up", exact=True).count() else "Sign up")


@pytest.mark.slow
def test_from_an_invitation_to_the_last_good_bye(person: Person, tmp_path: Path) -> None:
    page, organiser = person.page, User.objects.create_user("olga")
    person.goes("/sign-in/")
    person.looks("sign-in")
    person.goes("/sign-up/")
    person.looks("sign-up-closed")
    signs_up(person, f"/invitation/{invite(organiser, 'author', 1)}/")
    person.arrives("/sign-up/confirm/")
    person.looks("confirm")
    person.writes(code=code())
    person.presses("Confirm")
    person.arrives("/account/")
    person.looks("account")

    _adds_a_second_factor(person)
    _adds_a_passkey(person)
    _gets_a_new_password(person)

    person.goes("/account/")
    with page.expect_download() as download:
        person.presses("Download everything")
    download.value.save_as(tmp_path / "ada.zip")
    assert "profile.json" in ZipFile(tmp_path / "ada.zip").namelist()
    page.get_by_role("link", name="Delete your account").click()
    person.writes(password=NEW)  # once more, though a passkey has just opened the account
    person.presses("Confirm")
    person.looks("leave")
    person.writes(name="ada")
    person.presses("Delete my account")
    page.get_by_text("Your account is deleted.").wait_for()
    assert not User.objects.filter(username="ada").exists()
    assert person.found == []
    assert person.said == [], "no policy was broken, no script failed"


def _adds_a_second_factor(person: Person) -> None:
    page = person.page
    for path, name in (("email", "email"), ("password", "password-change")):
        person.goes(f"/account/{path}/")
        person.looks(name)
    person.goes("/account/safety/")
    person.looks("safety")
    person.goes("/account/safety/totp/activate/")
    if "/confirm/" in page.url:
        person.looks("reauthenticate")
        person.writes(password=PASSWORD)
        person.presses("Confirm")
    person.looks("totp")
    secret = page.locator("#authenticator_secret").input_value()
    person.writes(code=one_time(secret))
    person.presses("Activate")
    page.get_by_role("heading", name="Recovery Codes").wait_for()
    person.looks("recovery-codes")
    person.goes("/sign-out/")
    person.looks("sign-out")
    person.presses("Sign Out")
    person.arrives("/")
    cache.clear()  # half a minute later, when the code that was used is no longer shown
    signs_in(person)
    page.wait_for_url("**/authenticate/**")
    person.looks("second-factor")
    person.writes(code=one_time(secret))
    page.locator("main button[type=submit]").first.click()
    person.arrives("/account/")


def _adds_a_passkey(person: Person) -> None:
    page = person.page
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    person.goes("/account/safety/webauthn/add/")
    if "/confirm/" in page.url or "reauthenticate" in page.url:
        person.writes(password=PASSWORD)
        person.presses("Confirm")
    person.looks("passkey-add")
    person.writes(name="The key")
    page.get_by_label("Passwordless").check()
    person.presses("Add")
    page.wait_for_url(lambda url: "/add/" not in url)
    person.goes("/account/safety/webauthn/")
    page.get_by_text("The key").wait_for()
    person.looks("passkeys")
    person.goes("/sign-out/")
    person.presses("Sign Out")
    person.arrives("/")
    person.goes("/sign-in/")
    person.presses("Sign in with a passkey")
    person.arrives("/account/")
    assert page.get_by_text("webauthn").count() == 1, "the session says that it began with one"


def _gets_a_new_password(person: Person) -> None:
    page = person.page
    person.goes("/sign-out/")
    person.presses("Sign Out")
    person.arrives("/")
    person.goes("/password/")
    person.looks("password")
    person.writes(email="ada@example.com")
    page.locator("main button[type=submit]").first.click()
    person.arrives("/password/confirm/")
    person.looks("password-confirm")
    person.writes(code=code())
    person.presses("Confirm")
    person.arrives("/password/new/")
    person.looks("password-new")
    person.writes(password1=NEW, password2=NEW)
    page.locator("main button[type=submit]").first.click()
    person.arrives("/password/done/")
    person.looks("password-done")
    person.goes("/sign-in/")
    person.presses("Sign in with a passkey")
    person.arrives("/account/")


@pytest.mark.slow
def test_the_first_organiser_comes_by_the_printed_link_and_invites_others(person: Person) -> None:
    signs_up(person, f"/invitation/{invite_first()}/")
    person.arrives("/account/")
    person.page.get_by_role("link", name="Invitations").click()
    person.writes(note="Bob")
    person.presses("Make a link")
    person.page.get_by_text("it is shown this once only").wait_for()
    person.looks("invitations")
    person.presses("Take back the invitation for Bob")
    person.page.get_by_text("The invitation is taken back.").wait_for()
    assert person.found == []
    assert person.said == []


@pytest.mark.slow
def test_an_author_meets_no_page_of_organisers(person: Person) -> None:
    organiser = User.objects.create_user("olga")
    make_organiser(organiser)
    signs_up(person, f"/invitation/{invite(organiser, 'author', 1)}/")
    person.arrives("/sign-up/confirm/")
    person.writes(code=code())
    person.presses("Confirm")
    person.arrives("/account/")
    assert person.page.get_by_role("link", name="Invitations").count() == 0
    assert person.page.goto(f"{person.site}/invitations/").status == 403  # type: ignore[union-attr]  # it answers
