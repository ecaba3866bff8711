"""Commands `ftk login` and `ftk logout`: a person approves the device login in a browser."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from bots.access import device_authorization
from bots.access.api_tokens import create_token
from bots.models import ApiToken, DeviceAuthorizationRequest
from ftk_core.kit.built_in_bots import list_built_in_bots
from tests.support.browser.axe import find_axe_violations
from tests.support.browser.database_thread import call_in_thread
from tests.support.served import WebServer, serve

pytestmark = pytest.mark.django_db(transaction=True)
FTK = [sys.executable, "-c", "from ftk_core.kit.cli import app; app()"]


class Shell:
    """A shell without a stored token."""

    def __init__(self, folder: Path, server: str) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in ("FTK_TOKEN", "BROWSER")}
        self.file = folder / "ftk" / "tokens.json"
        ring = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
        self.env = {**kept, **ring, "XDG_CONFIG_HOME": str(folder), "FTK_SERVER": server, "PYTHONUNBUFFERED": "1"}

    def typed(self, *words: str, code: int = 0, **more: str) -> str:
        done = subprocess.run([*FTK, *words], env={**self.env, **more}, capture_output=True, text=True, check=False)
        assert done.returncode == code, (words, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    def begun(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen([*FTK, *words], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    monkeypatch.setattr(device_authorization, "POLL_SECONDS", 1)
    with serve() as running:
        yield running


@pytest.fixture
def shell(web: WebServer, tmp_path: Path) -> Shell:
    return Shell(tmp_path, web.address)


def read_login_prompt(out: IO[str] | None) -> tuple[str, str]:
    """Return the URL and the code that `ftk login` prints first."""
    assert out is not None
    found = re.fullmatch(r"Open (http\S+) and check that it shows the code (\w{4}-\w{4})\n", out.readline())
    assert found
    return found[1], found[2]


def signed_in(page: Page, address: str, token: str) -> None:
    page.goto(address)
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in with the token").click()


@pytest.mark.nightly
def test_browser_login_bot_upload_and_logout_work_in_one_command_line_session(
    shell: Shell, web: WebServer, page: Page
) -> None:
    first = call_in_thread(lambda: create_token(User.objects.create_user("ada")))
    login = shell.begun("login", "--no-browser")
    address, code = read_login_prompt(login.stdout)
    signed_in(page, address, first)
    page.get_by_label("Code").fill(code.lower())
    assert find_axe_violations(page) == []
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("main")).to_contain_text("ftk of ")
    expect(page.locator("main")).to_contain_text("upload bots in your name")
    assert find_axe_violations(page) == []
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("status")).to_contain_text("has its token")
    said, wrong = login.communicate(timeout=60)
    assert (login.returncode, wrong) == (0, "")
    assert said == f"ok: you are ada at {web.address}; the token is kept in {shell.file}\n"
    assert shell.file.stat().st_mode & 0o777 == 0o600

    assert "ada at " in shell.typed("whoami")
    bot = str(list_built_in_bots("pig")["hold20"])
    rows = call_in_thread(lambda: list(ApiToken.objects.values_list("scopes", flat=True)))
    assert rows == [["upload", "enter", "read"]] * 2
    sent = subprocess.Popen([*FTK, "upload", "pig", bot, "--bot", "mybot"], env=shell.env, stdout=subprocess.DEVNULL)
    page.goto(f"{web.address}/account/")
    expect_row(page, "mybot")
    sent.terminate()
    sent.wait(30)
    page.get_by_role("link", name="Tokens").click()
    expect(page.locator(".tokens", has_text="ftk of ").first).to_contain_text("last used")

    assert "is revoked and forgotten" in shell.typed("logout")
    assert not shell.file.exists()
    assert "ftk login" in shell.typed("upload", "pig", bot, "--bot", "mybot", code=2)
    assert call_in_thread(ApiToken.objects.count) == 1


def expect_row(page: Page, bot: str) -> None:
    """Wait until the account page shows the bot."""
    from tests.support.waiting import wait_for

    def there() -> bool:
        page.reload()
        return page.get_by_role("region", name="Your bots").get_by_text(bot).count() > 0

    wait_for(there, "the bot has been sent")


@pytest.mark.nightly
def test_denying_a_device_login_in_the_browser_grants_no_token(shell: Shell, page: Page) -> None:
    first = call_in_thread(lambda: create_token(User.objects.create_user("ada")))
    login = shell.begun("login", "--no-browser", "--scopes", "organise")
    address, code = read_login_prompt(login.stdout)
    signed_in(page, address, first)
    expect(page.get_by_label("Code")).to_have_value(code.replace("-", ""))
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Refuse").click()
    assert "the person has refused" in login.communicate(timeout=60)[1]
    assert (login.returncode, shell.file.exists(), call_in_thread(ApiToken.objects.count)) == (2, False, 1)


@pytest.mark.nightly
def test_an_unapproved_device_login_expires(shell: Shell) -> None:
    login = shell.begun("login", "--no-browser")
    read_login_prompt(login.stdout)
    call_in_thread(lambda: DeviceAuthorizationRequest.objects.update(expires_at="2026-01-01T00:00Z"))
    assert "nobody approved in time" in login.communicate(timeout=60)[1]
    assert login.returncode == 2


@pytest.mark.nightly
def test_an_invalid_token_is_explained_with_the_remedy(shell: Shell) -> None:
    bot = str(list_built_in_bots("pig")["hold20"])

    def made(**more: Any) -> Any:
        return call_in_thread(lambda: create_token(User.objects.get_or_create(username="ada")[0], **more))

    narrow = made(scopes=["read"])
    said = shell.typed("upload", "pig", bot, "--bot", "x", code=2, FTK_TOKEN=narrow)
    assert "lacks the scope 'upload'" in said
    assert "ftk login" in said
    call_in_thread(lambda: ApiToken.objects.update(expires_at="2026-01-02T00:00Z"))
    said = shell.typed("whoami", code=2, FTK_TOKEN=narrow)
    assert "expired on 2026-01-02" in said
    assert "ftk login" in said
    call_in_thread(lambda: ApiToken.objects.all().delete())
    said = shell.typed("whoami", code=2, FTK_TOKEN=narrow)
    assert "may have been revoked" in said
    assert narrow not in said
    assert "check that it is running" in shell.typed("login", "http://127.0.0.1:9", code=2)
    assert "no token is kept" in shell.typed("logout", code=2)
