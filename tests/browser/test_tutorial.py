"""The tutorial, typed as printed: from an empty folder to a rated bot, in Python, Rust and TypeScript."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Browser, expect

from ftk_core.kit.built_in_bots import list_built_in_bots
from tests.support.arena import STARTED
from tests.support.browser.browser_user import INVITATION, BrowserUser
from tests.support.lengths import LONG
from tests.support.spans import Collector, ReceivedSpan, run_collector
from tests.support.town import Town
from tests.support.waiting import wait_for

TUTORIAL = Path("docs/tutorial.md")
FENCED = re.compile(r"^(?:Replace `(\S+)` by this:\n\n)?```(?:python)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
LONG_SECTION, LONG_BOT = "7. Look ahead", "my-quill"
"""Section and bot that only the long variant types: they compile the engine and need `esbuild`."""
WAY = {"upload", "trial", "match.order", "match.play", "match.record", "rating"}
SOON = 180.0
"""Maximum seconds from the upload to a rating."""
ALONE = {"PIP_NO_DEPS": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_TARGET": "kit", "PYTHONPATH": "kit"}
"""Environment that installs the kit into a folder of its own, which precedes ours on the path."""
AWAY = ("FTK_TOKEN", "BROWSER", "FTK_VAR", "DATABASE_URL", "DJANGO_SETTINGS_MODULE")


class Author:
    """A person with a shell in an empty folder and a browser window."""

    def __init__(self, folder: Path, person: BrowserUser) -> None:
        self.folder, self.person = folder, person
        kept = {name: value for name, value in os.environ.items() if name not in AWAY}
        ring = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring", "XDG_CONFIG_HOME": str(folder / "config")}
        path = f"{Path(sys.executable).parent}:{kept['PATH']}"
        self.env = {**kept, **ring, **ALONE, "PATH": path, "PYTHONUNBUFFERED": "1"}
        self.said: dict[str, str] = {}

    def types(self, line: str) -> str:
        """Type a line of the tutorial, with the URL of this arena."""
        line = line.replace("https://arena.example", self.person.site)
        if exported := re.fullmatch(r"export (\w+)=(\S+)", line):
            self.env[exported[1]] = exported[2]
            return ""
        if line == "ftk login":
            return self.logs_in()
        done = subprocess.run(
            line, shell=True, cwd=self.folder, env=self.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        self.said[line] = done.stdout
        return done.stdout

    def logs_in(self) -> str:
        login = subprocess.Popen(["ftk", "login"], cwd=self.folder, env=self.env, stdout=subprocess.PIPE, text=True)
        assert login.stdout is not None
        line = login.stdout.readline()
        shown = re.search(r"Open (http\S+) and check that it shows the code (\w{4}-\w{4})", line)
        assert shown, line
        self.person.page.goto(shown[1])
        self.person.page.get_by_label("Code").fill(shown[2])
        self.person.press("Continue")
        self.person.press("Approve")
        expect(self.person.page.get_by_role("status")).to_contain_text("has its token")
        said, _ = login.communicate(timeout=60)
        assert login.returncode == 0
        return said


def lines() -> list[str]:
    """Return the commands of the tutorial, in order. A new text of a file becomes a command that writes it."""
    found = []
    for section in TUTORIAL.read_text().split("\n## ")[1:]:
        if LONG or not section.startswith(LONG_SECTION):
            for file, block in FENCED.findall(section):
                found += [f"cat > {file} <<'END'\n{block}END"] if file else block.splitlines()
    assert [line for line in found if line.split()[0] not in ("pip", "ftk", "export", "python", "cat")] == []
    return [line for line in found if LONG or LONG_BOT not in line]


@pytest.fixture
def collector() -> Iterator[Collector]:
    with run_collector() as collector:
        yield collector


@pytest.fixture
def town(tmp_path: Path, collector: Collector) -> Iterator[Town]:
    # many bouts an hour keep the test short
    town = Town(tmp_path / "var", FTK_LADDER_RATE="1200", OTEL_EXPORTER_OTLP_ENDPOINT=collector.url)
    yield town
    town.close()


@pytest.fixture
def author(town: Town, chromium: Browser, tmp_path: Path) -> Iterator[Author]:
    town.arena.wait_until_open()
    house = town.manage("token", "house")
    for bot in ("greedy", "random"):
        source = str(list_built_in_bots("for_the_king")[bot])
        town.ftk("upload", "for_the_king", source, "--bot", f"the-{bot}", FTK_TOKEN=house)
    context = chromium.new_context(reduced_motion="reduce")
    person = BrowserUser(town.arena, context.new_page(), "ada")
    wait_for(lambda: INVITATION.search(town.arena.read_output()) is not None, "a link to sign up by", STARTED)
    person.sign_up(INVITATION.findall(town.arena.read_output())[-1])
    (tmp_path / "desk").mkdir()
    yield Author(tmp_path / "desk", person)
    context.close()


def is_rated(town: Town, bot: str) -> bool:
    """Return True if the bot is rated. This reads the database, which has no rate limit."""
    rating = "SELECT 1 FROM tournaments_courtrating AS row JOIN bots_bot AS bot ON bot.id = row.bot_id"
    with psycopg.connect(town.arena.database) as connection:
        return bool(connection.execute(f"{rating} WHERE bot.slug = %s".encode(), [bot]).fetchall())


def way_of(collector: Collector, bot: str) -> list[ReceivedSpan]:
    """Return the traced steps of a bot's first upload; empty while the trace is incomplete."""
    spans = collector.spans()
    upload = next((span for span in spans if span.name == "upload" and span.attributes["ftk.bot"] == bot), None)
    way = [span for span in spans if upload and span.trace == upload.trace]
    return way if {span.name for span in way} >= WAY else []


def check_that_the_bot_repeats_its_answers(author: Author) -> None:
    logs = sorted((author.folder / "logs").glob("*.jsonl"))
    assert logs
    for log in logs:
        told = json.loads(author.types(f"ftk rerun {log} --bot ./my-bot --json"))
        assert (told["differences"], told["bot"]) == ([], "my-bot-1")


@pytest.mark.nightly
def test_following_the_tutorial_gives_a_rated_bot_within_three_minutes_of_the_upload(
    town: Town, author: Author, collector: Collector
) -> None:
    uploaded: list[str] = []
    for line in lines():
        said = author.types(line)
        if line.startswith("ftk logs"):  # check the bot before a later section replaces it
            check_that_the_bot_repeats_its_answers(author)
        if bot := re.match(r"ftk upload .* --bot (\S+)$", line):
            assert f"active: {bot[1]} version {1 + uploaded.count(bot[1])}" in said
            uploaded.append(bot[1])
            wait_for(partial(is_rated, town, bot[1]), f"{bot[1]} has a rating", SOON)
            way = wait_for(partial(way_of, collector, bot[1]), f"{bot[1]} has a trace up to its rating")
            assert len({span.instance for span in way}) >= 3, "the web server, who tried it, who played, who rated"
    assert {*uploaded} == {"my-bot", "my-crab", *([LONG_BOT] if LONG else [])}
    assert "rating" in next(said for line, said in author.said.items() if " play " in line)
    author.person.open_path("/leaderboards/for_the_king/continuous/")
    for bot in {*uploaded}:
        expect(author.person.page.locator("main")).to_contain_text(bot)
