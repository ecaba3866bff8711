"""Life of an account in the browser: invitation, second factor, passkey, new password and erasure."""

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
from people.person_roles import make_organiser
from tests.support.browser.page_checks import click_through, find_page_faults
from tests.support.people import PASSWORD, compute_totp, read_mailed_code

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
"""Folder for screenshots of every step, wide and on a phone; empty for none."""


class Person:
    """A person with a browser window."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.found: list[str] = []
        self.said: list[str] = []
        page.on("console", lambda message: self.said.append(message.text) if message.type == "error" else None)

    def open_path(self, path: str) -> None:
        self.page.goto(self.site + path)

    def writes(self, **words: str) -> None:
        for name, text in words.items():
            self.page.locator(f"main [name={name}]").fill(text)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def press_through(self, name: str) -> None:
        """Press a button that leads to another page."""
        click_through(self.page.get_by_role("button", name=name, exact=True))

    def arrives(self, path: str) -> None:
        self.page.wait_for_url(f"{self.site}{path}")

    def looks(self, name: str) -> None:
        """Check the page with axe, and take screenshots if they were requested."""
        self.found += find_page_faults(self.page, name, SHOTS)


@pytest.fixture
def person(arena: str, chromium: Browser, settings: Any) -> Any:
    settings.MFA_TOTP_TOLERANCE = 1
    context = chromium.new_context(viewport={"width": 1280, "height": 844}, reduced_motion="reduce")
    yield Person(context.new_page(), arena.replace("127.0.0.1", "localhost"))
    context.close()


def signs_in(person: Person, password: str = PASSWORD) -> None:
    person.open_path("/sign-in/")
    person.writes(login="ada@example.com", password=password)
    person.press("Sign in")


def sign_up(person: Person, link: str) -> None:
    person.open_path(link)
    person.arrives("/sign-up/")
    person.looks("sign-up")
    person.writes(username="ada", email="ada@example.com", password1=PASSWORD)
    person.press("Sign Up" if person.page.get_by_role("button", name="Sign Up", exact=True).count() else "Sign up")


@pytest.mark.nightly
def test_a_person_can_sign_up_by_invitation_and_later_erase_the_account_in_the_browser(
    person: Person, tmp_path: Path
) -> None:
    page, organiser = person.page, User.objects.create_user("olga")
    make_organiser(organiser)
    person.open_path("/sign-in/")
    person.looks("sign-in")
    person.open_path("/sign-up/")
    person.looks("sign-up-closed")
    sign_up(person, f"/invitation/{invite(organiser, 'author', 1)}/")
    person.arrives("/sign-up/confirm/")
    person.looks("confirm")
    person.writes(code=read_mailed_code())
    person.press("Confirm")
    person.arrives("/account/")
    person.looks("account")

    _adds_a_second_factor(person)
    _adds_a_passkey(person)
    _gets_a_new_password(person)

    person.open_path("/account/profile/")
    with page.expect_download() as download:
        person.press("Download everything")
    download.value.save_as(tmp_path / "ada.zip")
    assert "profile.json" in ZipFile(tmp_path / "ada.zip").namelist()
    page.get_by_role("link", name="Delete your account").click()
    person.writes(password=NEW)  # the password is asked for again, although a passkey has just opened the account
    person.press_through("Confirm")
    person.looks("leave")
    person.writes(name="ada")
    person.press("Delete my account")
    page.get_by_text("Your account is deleted.").wait_for()
    assert not User.objects.filter(username="ada").exists()
    assert person.found == []
    assert person.said == [], "no policy was broken, no script failed"


def _adds_a_second_factor(person: Person) -> None:
    page = person.page
    for path, name in (("email", "email"), ("password", "password-change")):
        person.open_path(f"/account/{path}/")
        person.looks(name)
    person.open_path("/account/safety/")
    person.looks("safety")
    person.open_path("/account/safety/totp/activate/")
    if "/confirm/" in page.url:
        person.looks("reauthenticate")
        person.writes(password=PASSWORD)
        person.press_through("Confirm")
    person.looks("totp")
    secret = page.locator("#authenticator_secret").input_value()
    person.writes(code=compute_totp(secret))
    person.press("Activate")
    page.get_by_role("heading", name="Recovery Codes").wait_for()
    person.looks("recovery-codes")
    person.open_path("/sign-out/")
    person.looks("sign-out")
    person.press("Sign Out")
    person.arrives("/")
    cache.clear()  # forget used codes, as after half a minute, so that the current code is accepted again
    signs_in(person)
    page.wait_for_url("**/authenticate/**")
    person.looks("second-factor")
    person.writes(code=compute_totp(secret))
    page.locator("main button[type=submit]").first.click()
    person.arrives("/account/")


def _adds_a_passkey(person: Person) -> None:
    page = person.page
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    person.open_path("/account/safety/webauthn/add/")
    if "/confirm/" in page.url or "reauthenticate" in page.url:
        person.writes(password=PASSWORD)
        person.press_through("Confirm")
    person.looks("passkey-add")
    person.writes(name="The key")
    page.get_by_label("Passwordless").check()
    person.press("Add")
    page.wait_for_url(lambda url: "/add/" not in url)
    person.open_path("/account/safety/webauthn/")
    page.get_by_text("The key").wait_for()
    person.looks("passkeys")
    person.open_path("/sign-out/")
    person.press("Sign Out")
    person.arrives("/")
    person.open_path("/sign-in/")
    person.press("Sign in with a passkey")
    person.arrives("/account/")
    person.open_path("/account/sessions/")
    assert page.get_by_text("webauthn").count() == 1, "the session says that it began with one"


def _gets_a_new_password(person: Person) -> None:
    page = person.page
    person.open_path("/sign-out/")
    person.press("Sign Out")
    person.arrives("/")
    person.open_path("/password/")
    person.looks("password")
    person.writes(email="ada@example.com")
    page.locator("main button[type=submit]").first.click()
    person.arrives("/password/confirm/")
    person.looks("password-confirm")
    person.writes(code=read_mailed_code())
    person.press("Confirm")
    person.arrives("/password/new/")
    person.looks("password-new")
    person.writes(password1=NEW, password2=NEW)
    page.locator("main button[type=submit]").first.click()
    person.arrives("/password/done/")
    person.looks("password-done")
    person.open_path("/sign-in/")
    person.press("Sign in with a passkey")
    person.arrives("/account/")


@pytest.mark.nightly
def test_the_first_organiser_signs_up_with_the_link_printed_at_startup_and_invites_authors(person: Person) -> None:
    sign_up(person, f"/invitation/{invite_first()}/")
    person.arrives("/account/")
    person.page.get_by_role("link", name="Invitations").click()
    person.writes(note="Bob")
    person.press("Make a link")
    person.page.get_by_text("it is shown this once only").wait_for()
    person.looks("invitations")
    person.press("Take back the invitation for Bob")
    person.page.get_by_text("The invitation is taken back.").wait_for()
    assert person.found == []
    assert person.said == []


@pytest.mark.nightly
def test_an_author_sees_no_organiser_pages(person: Person) -> None:
    organiser = User.objects.create_user("olga")
    make_organiser(organiser)
    sign_up(person, f"/invitation/{invite(organiser, 'author', 1)}/")
    person.arrives("/sign-up/confirm/")
    person.writes(code=read_mailed_code())
    person.press("Confirm")
    person.arrives("/account/")
    assert person.page.get_by_role("link", name="Invitations").count() == 0
    assert person.page.goto(f"{person.site}/invitations/").status == 403  # type: ignore[union-attr]  # it answers
