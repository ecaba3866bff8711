"""The memory limit of 256 MiB: for every runtime and every way to allocate; without a sandbox each way exceeds it."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bots.sandbox import sandboxed_bot_start
from bots.sandbox.resource_watchdog import measure_usage
from bots.sandbox.sandboxed_bot_start import start_in_sandbox
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.kit.sandboxing.sandbox_limits import SANDBOX_LIMITS
from ftk_core.kit.uploads.upload_error_hints import COMPILED_BOT_FILE
from ftk_core.players import HelloMessage, NoAnswerError
from tests.support.hostile.programs import (
    FOLDER,
    compile_program,
    put_program,
    run_programs_as_node,
    start_program_without_sandbox,
)
from tests.support.machine import has_programs, sandbox_config, working_backends
from tests.support.sandbox.bots import NOTING_BOT, question, start_bot_in
from tests.support.sandbox.unfiltered import disable_limits, disabled_filter

ALLOWED_MIB = SANDBOX_LIMITS.memory_bytes >> 20
MEMORY_MS = 20_000
"""Processor time that suffices to touch all memory, even on a busy machine."""


def ways(file: str) -> list[str]:
    """Return the ways of a memory hog to allocate, from its own table."""
    table = (FOLDER / file).read_text().partition("WAYS")[2]
    pattern = {"hog.c": r'\{"(\w+)"', "hog.js": r"^  (\w+): \(", "hog.py": r'^    "(\w+)":'}[file]
    return re.findall(pattern, table, re.MULTILINE)


HOGS = [("python", "hog.py", way) for way in ways("hog.py")]
HOGS += [("node", "hog.js", way) for way in ways("hog.js")] if has_programs("node") else []
HOGS += (
    [(runtime, "hog.c", way) for runtime in ("c", "c as node") for way in ways("hog.c")] if has_programs("cc") else []
)
"""(runtime, file, way). A C program is also tested behind the filter for node."""
SLOW_HOGS = {("hog.js", "objects"), ("hog.js", "workers")}
"""(file, way) of the hogs that take five seconds to reach the limit."""


def spread_over_backends(cases: Sequence[tuple[str, ...]]) -> list[Any]:
    """Return every case with every backend; each case is quick with one of them, and slow with the others."""
    backends = working_backends()
    return [
        pytest.param(
            backend,
            *case,
            marks=() if number % len(backends) == turn and case[1:] not in SLOW_HOGS else pytest.mark.slow,
        )
        for number, case in enumerate(cases)
        for turn, backend in enumerate(backends)
    ]


@pytest.fixture
def hog(tmp_path: Path) -> Path:
    """A folder with all memory hogs."""
    tmp_path.chmod(0o755)
    for name in ("hog.py", "hog.js", "hog.c"):
        shutil.copy(FOLDER / name, tmp_path)
    return tmp_path


def put_library(folder: Path) -> None:
    """Store a library for node under a harmless name."""
    (folder / "table.txt").write_bytes(compile_program("ballast.c", "-shared", "-fPIC"))


def got(player: BotProcessPlayer) -> int:
    """Return the MiB that a hog could allocate; a hog that was killed had too many."""
    player.greet(HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
    try:
        player.choose(question(1, MEMORY_MS))
    except NoAnswerError as silence:
        if silence.excuse != "crash":
            raise
        return 0
    return int(player.notes[0][1].split()[0])


@pytest.mark.parametrize(("backend", "runtime", "file", "way"), spread_over_backends(HOGS), ids=str)
def test_no_bot_can_exceed_its_memory_limit(
    backend: str,
    runtime: str,
    file: str,
    way: str,
    hog: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if runtime == "c as node":
        run_programs_as_node(monkeypatch)
    if file == "hog.c":
        put_program(hog)
    word, name = (runtime, file) if runtime != "c as node" else ("c", COMPILED_BOT_FILE)
    if way.startswith("native"):
        put_library(hog)
        # the worker would refuse to start it
        monkeypatch.setattr(sandboxed_bot_start, "refuse_compiled_programs", lambda _cage, _entry: None)
    with start_in_sandbox(sandbox_config(backend), "hog", hog, (word, name, way)) as player:
        assert got(player) <= ALLOWED_MIB


@pytest.mark.nightly
@pytest.mark.parametrize(("runtime", "file", "way"), [hog for hog in HOGS if hog[0] != "c as node"], ids=str)
def test_each_way_of_allocating_memory_can_exceed_the_memory_limit_without_a_sandbox(
    runtime: str, file: str, way: str, hog: Path
) -> None:
    if runtime == "c":
        put_program(hog)
    if way.startswith("native"):
        put_library(hog)
    with start_program_without_sandbox(hog, runtime, file, way) as player:
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
"""Ways whose memory belongs to a process; an unmapped in-memory file belongs to none."""


@pytest.mark.skipif(not has_programs("cc"), reason="there is no compiler")
@pytest.mark.parametrize(("backend", "way"), spread_over_backends([(way,) for way in SEEN]))
def test_the_memory_monitor_kills_a_bot_that_evades_filters_and_limits(
    backend: str, way: str, hog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disable_limits(monkeypatch)
    run_programs_as_node(monkeypatch)
    put_program(hog)
    with (
        disabled_filter(monkeypatch),
        start_in_sandbox(sandbox_config(backend), "hog", hog, ("c", COMPILED_BOT_FILE, way)) as player,
    ):
        player.greet(HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
        assert any(is_ended(player, number) for number in range(1, 1000))
    assert [text for _, text in player.faults if text.startswith("ended by the arena: it used")], player.faults


def is_ended(player: BotProcessPlayer, number: int) -> bool:
    """Ask the bot again, and return True if it has ended; on a slow machine it may be late first."""
    try:
        player.choose(question(number, MEMORY_MS))
    except NoAnswerError as silence:
        return "crashed" in str(silence)
    return False


@pytest.mark.parametrize("backend", working_backends())
def test_a_compiled_program_disguised_as_a_text_file_is_refused(backend: str, hog: Path) -> None:
    (hog / "table.txt").write_bytes(b"\x7fELF" + bytes(60))
    with (
        pytest.raises(BotBuildError, match=r"table\.txt is a compiled program"),
        start_in_sandbox(sandbox_config(backend), "hog", hog, ("python", "hog.py", "heap")),
    ):
        pass


def test_measuring_the_memory_of_a_bot_takes_little_processor_time() -> None:
    started = time.thread_time()
    for _ in range(200):
        measure_usage(os.getpid())
    assert (time.thread_time() - started) / 200 < 0.001, "a fiftieth of the time between two looks"


FILES, FILE_BYTES = 40, 1 << 20
"""Number and size of files: leaks would take 40 MiB, while the test's allocator sometimes grows by 9 MiB."""


@pytest.mark.slow
@pytest.mark.parametrize("backend", working_backends())
def test_a_worker_frees_the_in_memory_files_of_started_bots(backend: str, tmp_path: Path) -> None:
    folders = [tmp_path / str(number) for number in range(FILES + 1)]
    for folder in folders:  # before the measurement, because the allocator keeps the memory that this frees
        folder.mkdir()
        (folder / "table.txt").write_bytes(os.urandom(FILE_BYTES))
    for number, folder in enumerate(folders):
        with start_bot_in(
            backend, folder, NOTING_BOT.format(body="    return len(open('table.txt', 'rb').read())")
        ) as player:
            player.choose(question())
        assert player.notes[0][1] == str(FILE_BYTES)
        if number == 0:
            before = measure_usage(os.getpid()).memory
    assert measure_usage(os.getpid()).memory - before < FILES * FILE_BYTES // 2
