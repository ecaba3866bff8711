"""What one bot uses is never another's: each is somebody else to the kernel, and counted by itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from bots.cage.inside import nobody
from bots.cage.limits import CAGE
from bots.cage.plan import BINARY
from bots.cage.spawn import caged
from ftk_core.kit.pipe import PipePlayer
from ftk_core.players import Hello, NoAnswer
from tests.support.cage.bots import SAYS, bot_in, question
from tests.support.hostile.programs import become_node, put_program, uncaged
from tests.support.machine import cage_of, have, held_tiers

EVERYWHERE = pytest.mark.parametrize("tier", held_tiers())
needs_compiler = pytest.mark.skipif(not have("cc"), reason="there is no compiler")
CROWDS = 4


def uids_of(pid: int) -> list[int]:
    """Return the real, effective, saved and file system's uid of a process, as we call them."""
    status = Path(f"/proc/{pid}/status").read_text()
    return [int(word) for word in next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:]]


@EVERYWHERE
def test_no_bot_is_root_and_where_there_are_uids_each_has_its_own(tier: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        bots = [
            stack.enter_context(bot_in(tier, tmp_path / str(number), SAYS.format(body="    return ''")))
            for number in range(3)
        ]
        found = [uids_of(bot.pid) for bot in bots]
    assert all(len(set(uids)) == 1 for uids in found)
    seen = {uids[0] for uids in found}
    has = nobody.uids()
    if has:
        assert len(seen) == 3
        assert all(has[0] <= uid < has[0] + has[1] for uid in seen)
    else:
        assert not nobody.is_roots()
        assert seen == {os.getuid()}


@contextmanager
def crowd(tier: str, folder: Path) -> Iterator[PipePlayer]:
    folder.mkdir()
    folder.chmod(0o755)
    put_program(folder, "crowd.c")
    with caged(cage_of(tier), "crowd", folder, ("c", BINARY)) as player:
        player.greet(Hello(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
        yield player


def counted(player: PipePlayer) -> int:
    """Return how many threads it got; one that was ended for them has none."""
    try:
        player.choose(question(1, 5000))
        if int(player.notes[0][1]) > CAGE.threads:  # nothing but being seen stops it: it does not last
            [player.choose(question(number)) for number in range(2, 1000)]
    except NoAnswer as silence:
        if silence.excuse != "crash":
            raise
        return 0
    return int(player.notes[0][1])


@needs_compiler
@EVERYWHERE
def test_one_bots_threads_are_bounded_and_leave_the_others_theirs(
    tier: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    become_node(monkeypatch)
    with ExitStack() as stack:
        crowds = [stack.enter_context(crowd(tier, tmp_path / str(number))) for number in range(CROWDS)]
        counts = [counted(player) for player in crowds]
    ended = [text for player in crowds for _, text in player.faults if "threads" in text]
    assert max(counts) <= CAGE.threads
    assert [count for count in counts if 0 < count < CAGE.threads - 1] == [], "nobody gets less for another's sake"
    assert len(ended) == counts.count(0)


@needs_compiler
def test_without_a_cage_a_bot_has_as_many_threads_as_it_likes(tmp_path: Path) -> None:
    put_program(tmp_path, "crowd.c")
    with uncaged(tmp_path, "c", "crowd.c", "") as player:
        player.greet(Hello(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
        assert counted(player) > 10 * CAGE.threads
