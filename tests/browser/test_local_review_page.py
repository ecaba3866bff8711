"""Command `ftk review --html`: writes a review page that works from disk without network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from tests.support.browser.axe import find_axe_violations
from tests.support.lengths import nightly
from tests.support.reviews import log_of, write_log

pytestmark = pytest.mark.slow

GAMES = ("for_the_king", "kings_court", "to_court_the_king")


@pytest.fixture
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Path of the review page of a real match."""
    # this match has turning points, two of them at one step, and these playouts find them
    is_even = request.param == "to_court_the_king"
    lines, playouts = (log_of(request.param, 4, 1), "12") if is_even else (log_of(request.param), "2")
    log, page = write_log(tmp_path / "match.jsonl", lines), tmp_path / "page.html"
    told = CliRunner().invoke(app, ["review", str(log), "--playouts", playouts, "--html", str(page)])
    assert told.exit_code == 0, told.stderr
    assert f"{page.stat().st_size:,} bytes" in told.stderr.replace("\n", " ")
    return page


@pytest.mark.parametrize("made", [GAMES[0], *nightly(*GAMES[1:])], indirect=True)
def test_a_match_review_saved_as_an_html_file_works_without_network(made: Path, chromium: Browser) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    page = context.new_page()
    said, asked = list[str](), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(made.as_uri())
    page.locator("[data-table] [data-piece], [data-table]").first.wait_for()
    expect(page.get_by_role("region", name="Who leads")).to_have_count(1)
    review = page.get_by_role("region", name="Review", exact=True)
    expect(review.get_by_role("slider")).to_be_visible()
    point = review.get_by_role("listitem").get_by_role("button").last
    frame = re.findall(r"\d+", point.inner_text())[0]
    point.click()
    expect(page.locator("ftk-replay")).to_contain_text(f"{frame} / ")
    review.get_by_role("button", name="Costliest decision").click()
    expect(review.locator(".alternatives")).to_contain_text("chosen")
    review.get_by_text("As a table").click()
    expect(review.get_by_role("cell", name=re.compile(r"[+−]0\.\d\d|0")).first).to_be_visible()
    page.locator("ftk-replay select").first.select_option("0")
    expect(review.get_by_role("button", name="all")).to_be_visible()
    assert find_axe_violations(page) == []
    assert said == []
    assert asked == [made.as_uri()]
    context.close()
