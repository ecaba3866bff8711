"""Command `ftk watch`: shows a local match in the viewer without an arena."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from ftk_core.kit.commands.watch import viewer_folder
from tests.support.browser.axe import find_axe_violations

pytestmark = pytest.mark.slow

FTK = [sys.executable, "-c", "from ftk_core.kit.cli import app; app()"]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The URL at which a match of For the King is shown."""
    log = tmp_path / "match.jsonl"
    played = CliRunner().invoke(app, ["play", "for_the_king", "greedy", "random", "--seed", "5", "--log", str(log)])
    assert played.exit_code == 0
    watch = subprocess.Popen([*FTK, "watch", str(log), "--no-browser"], stdout=subprocess.PIPE, text=True)
    assert watch.stdout is not None
    shown = re.search(r"(http://127\.0\.0\.1:\d+/) - Ctrl-C ends it", watch.stdout.readline())
    assert shown
    yield shown[1]
    watch.terminate()
    watch.wait(20)
    watch.stdout.close()


def test_ftk_view_shows_a_local_log_from_every_viewpoint_without_external_requests(address: str, page: Page) -> None:
    said, asked = list[str](), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}?at=100&eyes=all")
    page.locator("ftk-replay [data-table]").wait_for()
    expect(page.locator("ftk-replay")).to_contain_text("100 / ")
    page.locator("ftk-replay select").first.select_option(label="greedy")
    expect(page).to_have_url(re.compile("eyes=0"))
    assert find_axe_violations(page) == []
    assert said == []
    assert [url for url in asked if not url.startswith((address, address.replace("http", "ws")))] == []


def test_ftk_view_serves_the_log_of_the_match_and_the_page_verifies_it(
    address: str, page: Page, tmp_path: Path
) -> None:
    told = httpx.get(f"{address}api/v1/matches/log/log/")
    assert (told.status_code, told.headers["Content-Type"]) == (200, "application/x-ndjson")
    assert re.fullmatch(r'attachment; filename="[A-Za-z0-9._-]+\.jsonl"', told.headers["Content-Disposition"])
    assert told.content == (tmp_path / "match.jsonl").read_bytes()
    page.goto(f"{address}?at=100&eyes=all")
    page.locator(".badge").evaluate("badge => badge.scrollIntoView()")
    expect(page.locator(".badge.good")).to_be_visible()


def read_status(address: str, path: str) -> int:
    """Return the status of a request whose path is sent as it is; httpx would resolve its dots."""
    with closing(HTTPConnection(httpx.URL(address).netloc.decode(), timeout=20)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


def test_the_local_viewer_refuses_foreign_hosts_foreign_origins_and_files_outside_its_folder(address: str) -> None:
    assert httpx.get(address, headers={"Host": "evil.example"}).status_code == 421
    socket = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "x" * 22 + "==",
    }
    told = httpx.get(f"{address}ws/match/log/", headers={**socket, "Origin": "https://evil.example"})
    assert told.status_code == 403
    assert (viewer_folder() / "../../../manage.py").is_file()
    assert read_status(address, "/static/ui/manifest.json") == 200
    for path in (
        "/static/ui/../../../manage.py",
        "/static/ui/%2e%2e/%2e%2e/%2e%2e/manage.py",
        "/static/ui//etc/passwd",
        "/etc/passwd",
    ):
        assert read_status(address, path) == 404, path
