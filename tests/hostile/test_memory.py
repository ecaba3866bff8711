"""256 MiB means 256 MiB, for every runtime and by every way of using memory; without a cage each way gives more."""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path

import pytest

from bots.cage import spawn
from bots.cage.limits import CAGE
from bots.cage.plan import BINARY
from bots.cage.spawn import caged
from bots.cage.watch import usage
from ftk_core.kit.holding import BuildFailed
from ftk_core.kit.pipe import PipePlayer
from ftk_core.players import Hello, NoAnswer
from tests.support.cage.bots import SAYS, bot_in, question
from tests.support.cage.unfiltered import unfiltered, unlimited
from tests.support.hostile.programs import FOLDER, become_node, compiled, put_program, uncaged
from tests.support.machine import cage_of, have, held_tiers

ALLOWED_MIB = CAGE.memory_bytes >> 20
MEMORY_MS = 20_000
"""Computing time to touch it all, whatever else the machine does."""


def ways(file: str) -> list[str]:
    """Return the ways that a hog knows, from its own table."""
    table = (FOLDER / file).read_text().partition("WAYS")[2]
    pattern = {"hog.c": r'\{"(\w+)"', "hog.js": r"^  (\w+): \(", "hog.py": r'^    "(\w+)":'}[file]
    return re.findall(pattern, table, re.MULTILINE)


HOGS = [("python", "hog.py", way) for way in ways("hog.py")]
HOGS += [("node", "hog.js", way) for way in ways("hog.js")] if have("node") else []
HOGS += [(runtime, "hog.c", way) for runtime in ("c", "c as node") for way in ways("hog.c")] if have("cc") else []
"""(runtime, file, way); a program in C also tries what it gets behind the filter that node needs."""


@pytest.fixture
def hog(tmp_path: Path) -> Path:
    """A folder with all of them."""
    tmp_path.chmod(0o755)
    for name in ("hog.py", "hog.js", "hog.c"):
        shutil.copy(FOLDER / name, tmp_path)
    return tmp_path


def put_library(folder: Path) -> None:
    """A library for node under a harmless name."""
    (folder / "table.txt").write_bytes(compiled("ballast.c", "-shared", "-fPIC"))


def got(player: PipePlayer) -> int:
    """Return how many MiB a hog could take; one that did not live to tell had too many."""
    player.greet(Hello(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
    try:
        player.choose(question(1, MEMORY_MS))
    except NoAnswer as silence:
        if silence.excuse != "crash":
            raise
        return 0
    return int(player.notes[0][1].split()[0])


@pytest.mark.parametrize(("runtime", "file", "way"), HOGS, ids=str)
@pytest.mark.parametrize("tier", held_tiers())
def test_no_bot_takes_more_than_it_is_given(
    tier: str,
    runtime: str,
    file: str,
    way: str,
    hog: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if runtime == "c as node":
        become_node(monkeypatch)
    if file == "hog.c":
        put_program(hog)
    word, name = (runtime, file) if runtime != "c as node" else ("c", BINARY)
    if way.startswith("native"):
        put_library(hog)
        monkeypatch.setattr(spawn, "refuse_programs", lambda _cage, _entry: None)  # it would not be started
    with caged(cage_of(tier), "hog", hog, (word, name, way)) as player:
        assert got(player) <= ALLOWED_MIB


@pytest.mark.parametrize(("runtime", "file", "way"), [hog for hog in HOGS if hog[0] != "c as node"], ids=str)
def test_without_a_cage_every_way_gives_more(runtime: str, file: str, way: str, hog: Path) -> None:
    if runtime == "c":
        put_program(hog)
    if way.startswith("native"):
        put_library(hog)
    with uncaged(hog, runtime, file, way) as player:
        assert got(player) > ALLOWED_MIB


SEEN = [
    "heap",
    "private",
    "shared",
    "stack",
    "nameless_file",
    "segment",
    "moved_away",
    "page_tables",
    "threads",
    "processes",
]
"""The ways that leave something to be seen in a process; a file that nobody maps belongs to nobody."""


@pytest.mark.skipif(not have("cc"), reason="there is no compiler")
@pytest.mark.parametrize("way", SEEN)
@pytest.mark.parametrize("tier", held_tiers())
def test_what_slips_through_filters_and_limits_is_seen_and_ended(
    tier: str, way: str, hog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlimited(monkeypatch)
    become_node(monkeypatch)
    put_program(hog)
    with unfiltered(monkeypatch), caged(cage_of(tier), "hog", hog, ("c", BINARY, way)) as player:
        player.greet(Hello(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
        assert any(is_ended(player, number) for number in range(1, 1000))
    assert [text for _, text in player.faults if text.startswith("ended by the arena: it used")], player.faults


def is_ended(player: PipePlayer, number: int) -> bool:
    """Ask once more, and tell whether nobody is there: where all is slow, it may be late before it has too much."""
    try:
        player.choose(question(number, MEMORY_MS))
    except NoAnswer as silence:
        return "crashed" in str(silence)
    return False


@pytest.mark.parametrize("tier", held_tiers())
def test_a_program_under_another_name_is_not_started(tier: str, hog: Path) -> None:
    (hog / "table.txt").write_bytes(b"\x7fELF" + bytes(60))
    with (
        pytest.raises(BuildFailed, match=r"table\.txt is a compiled program"),
        caged(cage_of(tier), "hog", hog, ("python", "hog.py", "heap")),
    ):
        pass


def test_one_look_at_a_bot_is_cheap() -> None:
    started = time.thread_time()
    for _ in range(200):
        usage(os.getpid())
    assert (time.thread_time() - started) / 200 < 0.001, "a fiftieth of the time between two looks"


FILES, FILE_BYTES = 8, 1 << 20


@pytest.mark.slow
@pytest.mark.parametrize("tier", held_tiers())
def test_a_worker_keeps_nothing_of_the_files_of_bots_that_it_started(tier: str, tmp_path: Path) -> None:
    for number in range(FILES + 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "table.txt").write_bytes(os.urandom(FILE_BYTES))
        with bot_in(tier, folder, SAYS.format(body="    return len(open('table.txt', 'rb').read())")) as player:
            player.choose(question())
        assert player.notes[0][1] == str(FILE_BYTES)
        if number == 0:
            before = usage(os.getpid()).memory
    assert usage(os.getpid()).memory - before < 2 * FILE_BYTES
