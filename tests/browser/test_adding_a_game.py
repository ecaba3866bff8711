"""The guide for adding a game, typed as printed: from an empty folder to a played, drawn and reviewed league."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.support.arena import Arena
from tests.support.prepared_leagues import build_environment, is_league_closed, query_database
from tests.support.sockets import RawSocket
from tests.support.waiting import wait_for

PAGE = Path("docs/adding-a-game.md")
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
UP, AFTER_LEAGUE = "python manage.py up", "python manage.py export"
"""The command that blocks its shell, and the command that needs a finished league."""
EXAMPLE_ADDRESS = "http://127.0.0.1:8000"
ENDED = 180.0
"""Maximum seconds until the league, or the review of its last match, ends."""
PIP = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
"""Environment for `pip` without a package index. Its value 0 means "no build isolation"."""


class Developer:
    """A person with a shell in the arena's folder; the game's packages are installed in the subfolder `site`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.arena: Arena | None = None
        (folder / "manage.py").symlink_to(Path("manage.py").resolve())
        laws = f"-p ftk_core.kit.laws.pytest_plugin -p no:cacheprovider -c {os.devnull} --rootdir {folder} -k -2"
        self.env = build_environment(folder / "var", **PIP, PYTEST_ADDOPTS=laws, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
        site = str(folder / "site")
        self.env |= {"PIP_TARGET": site, "PYTHONPATH": f"{site}:{Path.cwd()}", "PYTHONUNBUFFERED": "1"}
        self.env["PATH"] = f"{Path(sys.executable).parent}:{self.env['PATH']}"

    @property
    def running_arena(self) -> Arena:
        """The arena, which must have been started."""
        assert self.arena
        return self.arena

    def types(self, block: str) -> str:
        """Type a block of commands into a shell, with the address of this arena; return its output."""
        commands, up, rest = block.partition(UP)
        assert not rest.strip(), "the arena occupies its shell"
        if self.arena:
            self.env |= {"DATABASE_URL": self.arena.database}
            commands = commands.replace(EXAMPLE_ADDRESS, f"http://127.0.0.1:{self.arena.port}")
        done = subprocess.run(
            ["sh", "-exc", commands], cwd=self.folder, env=self.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (commands, done.stdout, done.stderr)
        if up:
            self.arena = Arena(self.folder / "var", PYTHONPATH=self.env["PYTHONPATH"]).wait_until_open()
        return done.stdout

    def reads(self, path: str) -> str:
        """Return a page of the arena."""
        with urlopen(f"http://127.0.0.1:{self.running_arena.port}{path}", timeout=60) as answer:
            return str(answer.read().decode())


@pytest.fixture
def developer(tmp_path: Path) -> Iterator[Developer]:
    developer = Developer(tmp_path)
    yield developer
    if developer.arena:
        developer.arena.process.terminate()
        developer.arena.process.wait(60)
        developer.arena.wait_until_gone()


def read_frames(port: int, match: str) -> list[dict[str, Any]]:
    """Return all frames of an ended match as a spectator gets them."""
    watcher, frames = RawSocket(port, f"/ws/match/{match}/"), list[dict[str, Any]]()
    watcher.watch(eyes="all")
    for message in watcher.messages():
        frames += message["frames"]
        if frames[-1]["kind"] == "closed":
            break
    watcher.close()
    return frames


@pytest.mark.nightly
def test_following_the_guide_for_adding_a_game_leads_to_a_league_with_pictures_and_reviews(
    developer: Developer,
) -> None:
    blocks = FENCED.findall(PAGE.read_text())
    assert {language for language, _ in blocks} == {"sh"}, "each block is typed"
    outputs = []
    for _, block in blocks:
        if block.startswith(AFTER_LEAGUE):
            wait_for(lambda: is_league_closed(developer.running_arena), "the league is closed", ENDED)
        outputs.append(developer.types(block))
    assert "passed" in outputs[0]
    assert "careful-1" in outputs[2], "it is in the standings of the league that began"
    assert "ok: " in outputs[-1]
    arena = developer.running_arena
    matches = [str(row[0]) for row in query_database(arena, "SELECT id FROM replays_match ORDER BY created_at")]
    assert "High card" in developer.reads("/leagues/cards/")
    page = developer.reads(f"/matches/{matches[-1]}/")
    pieces = re.search(r'<meta name="pieces-high_card" content="([^"]+)">', page)
    assert pieces
    assert "export function draw" in developer.reads(pieces[1])
    frames = read_frames(arena.port, matches[-1])
    assert any(
        piece["kind"] == "card" for frame in frames for zone in frame.get("zones", ()) for piece in zone["pieces"]
    )
    review = f"/api/v1/matches/{matches[-1]}/review/?eyes=own"
    wait_for(lambda: json.loads(developer.reads(review))["status"] == "done", "the review is done", ENDED)
