"""A whole league run in the browser only, on a new arena."""

from __future__ import annotations

import json
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.verify.league_export import verify_export
from ftk_core.league.publication import league_export
from tests.support.arena import STARTED, Arena
from tests.support.browser.browser_user import INVITATION, BrowserUser
from tests.support.browser.desk import submit_act
from tests.support.waiting import wait_for

LONG = 180.0
"""Seconds in which a league of three rounds at a pace to watch is over."""


class Member(BrowserUser):
    """A person who uploads bots, enters them in a league, and organises a league."""

    def sends(self, bot: str, house: str) -> None:
        self.open_path("/account/")
        self.fill_fields(game="pig", bot=bot)
        self.page.locator("main [name=file]").set_input_files(list_built_in_bots("pig")[house])
        self.press("Send it to its trial")
        wait_for(lambda: self._is_active(bot), f"{bot} passes its trial", STARTED)

    def _is_active(self, bot: str) -> bool:
        [version] = self.page.request.get(f"{self.site}/api/v1/bots/{bot}/").json()["versions"]
        return bool(version["status"] == "active")

    def enters(self, bot: str) -> None:
        self.open_path("/leagues/evening/enter/")
        field = self.page.locator("main [name=entrant]")
        choices = [value for value in field.locator("option").evaluate_all("all => all.map(one => one.value)") if value]
        field.select_option(next(value for value in choices if value.split()[0] == bot))
        self.press("Enter")
        self.page.locator(".tokens").get_by_text(f"{bot}-1").first.wait_for()

    def reads(self, path: str) -> dict[str, object]:
        read: dict[str, object] = self.page.request.get(f"{self.site}/api/v1/leagues/evening/{path}").json()
        return read


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    arena = Arena(tmp_path / "var")
    yield arena.wait_until_open()
    if arena.process.poll() is None:
        arena.process.terminate()
        arena.process.wait(STARTED)
    arena.wait_until_gone()


@pytest.fixture
def people(arena: Arena, chromium: Browser) -> Iterator[dict[str, Member]]:
    contexts = {name: chromium.new_context(reduced_motion="reduce") for name in ("olga", "ada", "bob", "visitor")}
    yield {name: Member(arena, context.new_page(), name) for name, context in contexts.items()}
    for context in contexts.values():
        context.close()


def test_organiser_authors_and_visitor_take_part_in_a_league_in_the_browser_from_start_to_end(
    people: dict[str, Member], arena: Arena, tmp_path: Path
) -> None:
    olga, ada, bob, visitor = people.values()
    wait_for(lambda: INVITATION.search(arena.read_output()) is not None, "the first organiser's link", STARTED)
    olga.sign_up(INVITATION.findall(arena.read_output())[-1])
    ada.sign_up(olga.create_invitation())
    bob.sign_up(olga.create_invitation())
    ada.sends("careful", "hold20")
    bob.sends("bold", "random")

    announced(olga)
    ada.enters("careful")
    bob.enters("bold")
    match = led(olga)
    visitor.open_path(f"/matches/{match}/")
    visitor.page.get_by_text("The replay of this match is not released yet").wait_for()
    bob.sends("belated", "hold20")
    bob.enters("belated")
    olga.open_path("/leagues/evening/desk/")
    submit_act(olga.page, "Resume", why="tea is over")

    wait_for(lambda: olga.reads("")["status"] == "closed", "the end of the league", LONG)
    visitor.open_path(f"/matches/{match}/")
    visitor.page.locator("ftk-replay [data-table]").wait_for()
    agree(visitor, tmp_path / "evening.tar")


def announced(olga: Member) -> None:
    """Announce a league with the form: three rounds, late entries, and replays released at its end."""
    olga.open_path("/leagues/new/")
    with olga.page.expect_response(re.compile("/leagues/new/$")):
        olga.fill_fields(name="Evening", game="pig")
    for section in ("Format and scoring", "Clock and game options", "Who may enter", "Schedule and replays"):
        olga.page.get_by_text(section, exact=True).click()
    olga.fill_fields(seats="2", rounds="3", pace_ms="100")
    olga.page.get_by_text("bots wins in").wait_for()
    olga.fill_fields(late="3", release="after_league")
    olga.press("Announce it")
    olga.page.wait_for_url(f"{olga.site}/leagues/evening/")


def led(olga: Member) -> str:
    """Begin the league, pause it, and replay a match; return the id of the new match."""
    olga.open_path("/leagues/evening/desk/")
    submit_act(olga.page, "Begin the league")
    submit_act(olga.page, "Pause", why="tea")
    first = olga.page.locator("[id^=row-] code").first.inner_text()
    submit_act(olga.page, "Void and play again", why="the hall was dark", match=first)
    shown = olga.page.locator("[id^=row-] code")
    wait_for(lambda: shown.count() > 0 and shown.first.inner_text() != first, "another match")
    return shown.first.inner_text()


def agree(visitor: Member, path: Path) -> None:
    """Check that the standings and acts on the pages equal those in the export."""
    visitor.open_path("/leagues/evening/standings/")
    rows = visitor.reads("standings/")["rows"]
    assert isinstance(rows, list)
    assert {row["bot"] for row in rows} == {"careful", "bold", "belated"}
    for row in rows:
        line = visitor.page.get_by_role("row", name=re.compile(rf"\b{row['name']}\b"))
        expect(line).to_contain_text(row["points"])

    visitor.open_path("/leagues/evening/acts/")
    told = visitor.page.locator(".acts > li")
    for why, acts in {"tea": 1, "the hall was dark": 2, "tea is over": 1}.items():  # voided, and ordered again
        expect(told.locator("blockquote").get_by_text(why, exact=True)).to_have_count(acts)
    visitor.open_path("/leagues/evening/print/")
    visitor.page.get_by_role("heading", name="Evening").first.wait_for()

    path.write_bytes(visitor.page.request.get(f"{visitor.site}/api/v1/leagues/evening/export/").body())
    report = verify_export(path)
    assert report.flaws == ()
    with tarfile.open(path) as tar:
        stream = {member.name: tar.extractfile(member) for member in tar}[league_export.STREAM].read()
    kinds = [kind.decode() for kind in re.findall(rb'^{"kind":"(\w+)"', stream, re.MULTILINE)]
    for kind in ("league_paused", "match_voided", "match_replaced", "league_resumed"):
        assert kinds.count(kind) == 1, kinds
    [entered] = [json.loads(line) for line in stream.splitlines() if b'"belated-1"' in line and b"bot_entered" in line]
    assert entered["round"] > 1
