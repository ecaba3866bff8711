"""Two leagues that are run on the pages only, from the invitation of the authors to the verified export."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.verify.league_event_stream_verification import VerifiedLeagueEventStream
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.league.league_state import LeagueState
from ftk_core.league.publication import league_export
from tests.support.arena import STARTED, Arena
from tests.support.browser.browser_user import INVITATION, BrowserUser
from tests.support.browser.console_user import ConsoleUser
from tests.support.lengths import short_or_long
from tests.support.waiting import wait_for

BOTS = {"ada": [f"a{number}" for number in range(8)], "bob": [f"b{number}" for number in range(8)]}
LATE = "belated"
ROOM = {"FTK_THROTTLE_UPLOAD": "200/min", "FTK_THROTTLE_ENTER": "2000/min", "FTK_QUOTA_TRIALS": "20"}
"""Limits for two authors who send 17 bots within a minute, from one address."""
MAX_PRESSES = 2
pytestmark = pytest.mark.nightly


class Member(BrowserUser):
    """A person who uploads bots, enters them in a league, and organises a league."""

    def sends(self, bot: str) -> None:
        self.open_path("/account/")
        self.fill_fields(game="pig", bot=bot)
        self.page.locator("main [name=file]").set_input_files(list_built_in_bots("pig")["hold20"])
        self.press("Send it to its trial")
        self.page.get_by_role("rowheader", name=bot).wait_for()

    def is_active(self, bot: str) -> bool:
        [version] = self.page.request.get(f"{self.site}/api/v1/bots/{bot}/").json()["versions"]
        return bool(version["status"] == "active")

    def enters(self, league: str, bot: str) -> None:
        self.open_path(f"/leagues/{league}/enter/")
        self.page.locator("main [name=entrant]").select_option(f"{bot} 1")
        self.press("Enter")
        self.page.locator(".tokens").get_by_text(f"{bot}-1").first.wait_for()

    def announces(self, name: str) -> None:
        """Announce a league with the form: two rounds that wait as drafts, late entries, hidden replays."""
        self.open_path("/leagues/new/")
        with self.page.expect_response(re.compile("/leagues/new/$")):
            self.fill_fields(name=name, game="pig")
        for section in ("Format and scoring", "Clock and game options", "Who may enter", "Schedule and replays"):
            self.page.get_by_text(section, exact=True).click()
        self.fill_fields(seats="2", rounds="2", pace_ms="20", per_author="0", late="3", release="after_league")
        self.page.locator("main [name=held]").check()
        self.page.get_by_role("button", name="Announce it").first.click()  # the phone layout has a second button below
        self.page.wait_for_url(re.compile(r"/leagues/(?!new/)[^/]+/$"))


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    arena = Arena(tmp_path_factory.mktemp("arena") / "var", "--workers", "2", **ROOM)
    yield arena.wait_until_open()
    if arena.process.poll() is None:
        arena.process.terminate()
        arena.process.wait(STARTED)
    arena.wait_until_gone()


@pytest.fixture(scope="module")
def people(arena: Arena, chromium: Browser) -> Iterator[dict[str, Member]]:
    """An organiser, and two authors who followed her invitations and uploaded 17 bots."""
    contexts = {name: chromium.new_context(reduced_motion="reduce") for name in ("olga", *BOTS)}
    members = {name: Member(arena, context.new_page(), name) for name, context in contexts.items()}
    wait_for(lambda: INVITATION.search(arena.read_output()) is not None, "the first organiser's link", STARTED)
    members["olga"].sign_up(INVITATION.findall(arena.read_output())[-1])
    for name, bots in {**BOTS, "bob": [*BOTS["bob"], LATE]}.items():
        members[name].sign_up(members["olga"].create_invitation())
        for bot in bots:
            members[name].sends(bot)
    for bot in (*BOTS["ada"], *BOTS["bob"], LATE):
        wait_for(lambda bot=bot: members["olga"].is_active(bot), f"{bot} passes its trial", STARTED)
    yield members
    for context in contexts.values():
        context.close()


@pytest.mark.parametrize(("width", "by_keys"), short_or_long([(1280, False)], [(1280, False), (390, True)]))
def test_every_organiser_action_in_a_league_takes_at_most_two_presses_in_the_browser(
    people: dict[str, Member], width: int, by_keys: bool, tmp_path: Path
) -> None:
    olga = people["olga"]
    olga.page.set_viewport_size({"width": width, "height": 844})
    slug = f"evening-{width}"
    olga.announces(f"Evening {width}")
    for name, bots in BOTS.items():
        for bot in bots:
            people[name].enters(slug, bot)
    console = ConsoleUser(page=olga.page, site=olga.site, slug=slug, by_keys=by_keys)
    apart = begin_without_a_pair(console)
    lead_to_the_end(console)
    league = download(olga, slug, tmp_path / "league.tar")
    met = [set(table.seating) for paired in league.rounds for table in paired.tables]
    names = {entrant.name: entrant.entry for entrant in league.entrants}
    assert {names[name] for name in apart} not in met
    assert len(league.rounds) == 2
    check_entries(league)

    olga.announces(f"Second {width}")
    console.slug = f"second-{width}"
    console.do("Correct the league", name=f"Third {width}")
    expect(olga.page.get_by_role("heading", level=1)).to_contain_text(f"Third {width}")
    console.do("Cancel the league", why="the hall is closed")
    olga.open_path("/leagues/")
    expect(olga.page.get_by_role("main")).to_contain_text("cancelled")
    assert len(console.acts) == 15
    assert all(console.presses[act] <= MAX_PRESSES * times for act, times in console.acts.items()), console.presses


def seats_of_draft(console: ConsoleUser) -> list[list[str]]:
    """Return the names of the entries at each table of the draft."""
    tables = console.page.locator(".draft-board > li")
    return [table.locator("[data-draft-entry]").all_inner_texts() for table in tables.all()]


def begin_without_a_pair(console: ConsoleUser) -> set[str]:
    """Begin the league after keeping two entries of its first draft apart and exchanging two others."""
    console.do("Begin the league")
    console.open()
    apart = seats_of_draft(console)[0]
    console.do("Forbid a pairing", one=apart[0], other=apart[1], why="they share a friend")
    console.do("Draft it again")
    console.open()
    drafted = seats_of_draft(console)
    assert not any(set(apart) <= set(seats) for seats in drafted)
    one, other = [seats for seats in drafted if not set(apart) & set(seats)][:2]
    console.exchange(one[0], other[0])
    assert [other[0], one[1]] in seats_of_draft(console)
    console.do("Excuse", link=console.page.get_by_role("link", name="Excuse a1-1"), rounds="2")
    console.do("Begin the drafted round")
    waiting = console.page.get_by_role("link", name=re.compile("^Replay match "))
    console.do("Void and play again", link=waiting.last)
    return set(apart)


def lead_to_the_end(console: ConsoleUser) -> None:
    """Correct the first round, extend the stage, and close the league before its third round."""
    wait_for_draft(console, 2)
    console.do("Void", link=act_link(console, "Void match ", 0))
    console.do("Overrule", link=act_link(console, "Overrule the result of match ", 1), places="1 1")
    console.do("Late entry", bot=LATE)
    console.do("Withdraw", link=console.page.get_by_role("link", name="Withdraw a0-1"))
    console.do("Extend or shorten the stage", rounds="4")
    console.do("Draft it again")
    console.do("Begin the drafted round")
    wait_for_draft(console, 3)
    console.do("Close the league", why="the hall closes")


def act_link(console: ConsoleUser, name: str, nth: int) -> Locator:
    return console.page.get_by_role("link", name=re.compile(f"^{name}")).nth(nth)


def wait_for_draft(console: ConsoleUser, number: int) -> None:
    console.open()
    told = console.page.get_by_role("status").get_by_text(f"Round {number} is drafted and waits.")
    told.wait_for(timeout=STARTED * 1000)


def check_entries(league: LeagueState) -> None:
    """Check the rounds of the late, the withdrawn and the excused entry."""
    names = {entrant.name: entrant.entry for entrant in league.entrants}
    seated = [
        {entry for table in paired.tables for entry in table.seating}
        # the second round has 15 entries, so one of them has a bye
        | {rest.entry for rest in paired.rests if rest.why == "odd"}
        for paired in league.rounds
    ]
    for name, rounds in ((f"{LATE}-1", [False, True]), ("a0-1", [True, False]), ("a1-1", [True, False])):
        assert [names[name] in entries for entries in seated] == rounds, name


def download(olga: Member, slug: str, path: Path) -> LeagueState:
    """Download the export of a league from its page and return its state; check that it verifies, and the standings."""
    olga.open_path(f"/leagues/{slug}/")
    with olga.page.expect_download() as started:
        olga.page.get_by_role("link", name=re.compile("^Download the league")).click()
    started.value.save_as(path)
    assert verify_export(path).flaws == ()
    with tarfile.open(path) as tar:
        stream = {member.name: tar.extractfile(member) for member in tar}[league_export.STREAM]
        assert stream
        return VerifiedLeagueEventStream(stream.read()).league
