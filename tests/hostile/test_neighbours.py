"""Isolation of bots from each other: separate users and separate limits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from bots.sandbox.inside import user_namespace
from bots.sandbox.sandboxed_bot_start import start_in_sandbox
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.kit.sandboxing.sandbox_limits import SANDBOX_LIMITS
from ftk_core.kit.uploads.upload_error_hints import COMPILED_BOT_FILE
from ftk_core.players import HelloMessage, NoAnswerError
from tests.support.hostile.programs import put_program, run_programs_as_node, start_program_without_sandbox
from tests.support.machine import has_programs, sandbox_config, working_backends
from tests.support.sandbox.bots import NOTING_BOT, question, start_bot_in

EVERYWHERE = pytest.mark.parametrize("backend", working_backends())
needs_compiler = pytest.mark.skipif(not has_programs("cc"), reason="there is no compiler")
CROWDS = 4


def uids_of(pid: int) -> list[int]:
    """Return the real, effective, saved and file system uid of a process, as seen from outside."""
    status = Path(f"/proc/{pid}/status").read_text()
    return [int(word) for word in next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:]]


@EVERYWHERE
def test_bots_run_under_separate_user_ids_if_available_and_otherwise_never_as_root(
    backend: str, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        bots = [
            stack.enter_context(start_bot_in(backend, tmp_path / str(number), NOTING_BOT.format(body="    return ''")))
            for number in range(3)
        ]
        found = [uids_of(bot.pid) for bot in bots]
    assert all(len(set(uids)) == 1 for uids in found)
    seen = {uids[0] for uids in found}
    has = user_namespace.bot_uids()
    if has:
        assert len(seen) == 3
        assert all(has[0] <= uid < has[0] + has[1] for uid in seen)
    else:
        assert not user_namespace.has_root_rights()
        assert seen == {os.getuid()}


@contextmanager
def crowd(backend: str, folder: Path) -> Iterator[BotProcessPlayer]:
    folder.mkdir()
    folder.chmod(0o755)
    put_program(folder, "crowd.c")
    with start_in_sandbox(sandbox_config(backend), "crowd", folder, ("c", COMPILED_BOT_FILE)) as player:
        player.greet(HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
        yield player


def counted(player: BotProcessPlayer) -> int:
    """Return the number of threads that a bot could start; 0 if it was killed."""
    try:
        player.choose(question(1, 5000))
        if int(player.notes[0][1]) > SANDBOX_LIMITS.threads:  # only the monitor stops it, which kills it soon
            [player.choose(question(number)) for number in range(2, 1000)]
    except NoAnswerError as silence:
        if silence.excuse != "crash":
            raise
        return 0
    return int(player.notes[0][1])


@needs_compiler
@EVERYWHERE
def test_the_thread_limit_of_one_bot_does_not_affect_others(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_programs_as_node(monkeypatch)
    with ExitStack() as stack:
        crowds = [stack.enter_context(crowd(backend, tmp_path / str(number))) for number in range(CROWDS)]
        counts = [counted(player) for player in crowds]
    ended = [text for player in crowds for _, text in player.faults if "threads" in text]
    assert max(counts) <= SANDBOX_LIMITS.threads
    assert [count for count in counts if 0 < count < SANDBOX_LIMITS.threads - 1] == [], (
        "nobody gets less for another's sake"
    )
    assert len(ended) == counts.count(0)


@needs_compiler
def test_without_a_sandbox_a_bot_starts_unlimited_threads(tmp_path: Path) -> None:
    put_program(tmp_path, "crowd.c")
    with start_program_without_sandbox(tmp_path, "c", "crowd.c", "") as player:
        player.greet(HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
        assert counted(player) > 10 * SANDBOX_LIMITS.threads
