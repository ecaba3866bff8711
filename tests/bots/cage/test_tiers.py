"""Every tier of the cage holds a bot in the same way, and gives it the same things to play with."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from bots.cage import probe as probing
from bots.cage.probe import probe, require
from bots.cage.runtime import CageUnavailable
from bots.cage.spawn import caged
from ftk_core.kit.clock import cpu_us
from ftk_core.players import NoAnswer
from tests.support.cage.bots import SAYS, bot_in, note_of, question
from tests.support.cage.unfiltered import unfiltered
from tests.support.cage.wheels import numpy_in
from tests.support.machine import cage_of, have, held_tiers
from tests.support.waiting import wait_for

EVERYWHERE = pytest.mark.parametrize("tier", held_tiers())
JAVASCRIPT = """
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const ask = JSON.parse(line);
  if (ask.type === "ask") console.log(JSON.stringify({ id: ask.id, choose: 1, note: Object.keys(process.env).join() }));
});
"""
WORKER = """
import os, sys, django
django.setup()
from pathlib import Path
from bots import cage_settings
from bots.cage.spawn import caged
from ftk_core.players import Hello
from tests.support.cage.bots import question
with caged(cage_settings.read_cage(), "bot", Path(sys.argv[1]), ("python", "bot.py")) as player:
    player.greet(Hello(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
    player.choose(question())
    print(player.pid, flush=True)
    sys.stdin.read()
"""


@EVERYWHERE
def test_the_probe_finds_nothing_that_a_bot_could_do(tier: str) -> None:
    assert probe(cage_of(tier)).reason == ""


@EVERYWHERE
def test_a_worker_with_thousands_of_open_files_starts_bots_as_any_other(tier: str, tmp_path: Path) -> None:
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(usual[0], 4096), usual[1]))
    with ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, usual)
        for _ in range(2000):
            stack.callback(os.close, os.open(tmp_path, os.O_RDONLY))
        assert note_of(tier, tmp_path, "return 'played'") == "played"


@EVERYWHERE
def test_the_environment_is_empty(tier: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_WORKER", "x")
    told = note_of(tier, tmp_path, "import os; return sorted(os.environ)")
    assert "SECRET" not in told
    assert "PYTHONHASHSEED" in told


@EVERYWHERE
def test_the_workers_packages_cannot_be_imported_but_the_helper_can(tier: str, tmp_path: Path) -> None:
    assert "ModuleNotFoundError" in note_of(tier, tmp_path / "one", "import django")
    assert note_of(tier, tmp_path / "two", "import ftk_core.kit.bot as kit; return kit.__name__") == "ftk_core.kit.bot"


@EVERYWHERE
def test_memory_is_bounded(tier: str, tmp_path: Path) -> None:
    assert "MemoryError" in note_of(tier, tmp_path, "x = bytearray(1 << 29)")


@EVERYWHERE
def test_it_may_read_its_own_folder_and_write_nowhere(tier: str, tmp_path: Path) -> None:
    (tmp_path / "book.json").write_text("[7]")
    assert note_of(tier, tmp_path, "return open('book.json').read()") == "[7]"
    for number, path in enumerate(("bot.py", "new", "/tmp/new", "/dev/shm/new")):
        assert "Error" in note_of(tier, tmp_path / str(number), f"open({path!r}, 'w')")


@EVERYWHERE
def test_it_does_not_think_while_it_is_not_asked(tier: str, tmp_path: Path) -> None:
    source = SAYS.format(body="    return ''") + "        sys.stdout.flush()\n        while True:\n            pass\n"
    with bot_in(tier, tmp_path, source) as player:
        player.choose(question(1))
        state = Path(f"/proc/{player.pid}/stat")
        wait_for(lambda: state.read_text().rpartition(")")[2].split()[0] == "T", "it is stopped")
        before = cpu_us(player.pid)
        sum(range(2_000_000))
        assert cpu_us(player.pid) == before


@EVERYWHERE
def test_a_sleep_is_idleness_and_no_computing(tier: str, tmp_path: Path) -> None:
    source = SAYS.format(body="    import time; time.sleep(0.05 if ask['id'] > 1 else 0)")
    with bot_in(tier, tmp_path, source) as player:
        player.choose(question(1))
        spent = player.choose(question(2)).spent
    assert spent.charged_us < 20_000
    assert 25_000 < int(spent.idle_us or 0) < int(spent.wall_us or 0) + 1


@EVERYWHERE
def test_a_bot_that_never_answers_ends_with_its_block(
    tier: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ftk_core.kit.pipe.IDLE_MS", 50)
    monkeypatch.setattr("ftk_core.kit.pipe.STARTUP_MS", 50)
    with (
        bot_in(tier, tmp_path, "import time\ntime.sleep(3600)") as player,
        pytest.raises(NoAnswer, match="late: asleep"),
    ):
        player.choose(question(1, 50))
    wait_for(lambda: not Path(f"/proc/{player.pid}").exists(), "it is gone")


@pytest.mark.slow
@EVERYWHERE
def test_a_bot_dies_with_a_worker_that_is_killed(tier: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "bot.py").write_text(SAYS.format(body="    return ''"))
    with subprocess.Popen(
        [sys.executable, "-c", WORKER, str(tmp_path)],
        env={**os.environ, "BOT_CAGE": tier},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as worker:
        assert worker.stdout
        pid = int(worker.stdout.readline())
        worker.send_signal(signal.SIGKILL)
    wait_for(lambda: not _runs(pid), "the bot is gone")


def _runs(pid: int) -> bool:
    """Tell whether a process is there; one that only waits to be collected is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not have("node"), reason="there is no node")
@EVERYWHERE
def test_a_bot_in_javascript_plays(tier: str, tmp_path: Path) -> None:
    with bot_in(tier, tmp_path, JAVASCRIPT, "bot.js", "node") as player:
        assert [player.choose(question(number)).index for number in (1, 2, 3)] == [1, 1, 1]
    assert "SECRET" not in player.notes[0][1]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with numpy, as `pip install --target` makes it."""
    return numpy_in(tmp_path_factory.mktemp("wheels"))


@EVERYWHERE
def test_an_organisers_libraries_can_be_imported(tier: str, tmp_path: Path, wheels: Path) -> None:
    body = "import numpy; return numpy.linalg.inv(numpy.full((50, 50), 2.0) + numpy.eye(50)).trace().round(6)"
    with override_settings(BOT_WHEELS=str(wheels)):
        assert note_of(tier, tmp_path / "bot", body) == str(round(50 - 100 / 101, 6))
    assert "ModuleNotFoundError" in note_of(tier, tmp_path / "without", body)


@EVERYWHERE
def test_the_authors_own_frames_are_what_is_told_of_an_error(tier: str, tmp_path: Path) -> None:
    with bot_in(tier, tmp_path, "def f():\n    return 1 / 0\nf()\n") as player, pytest.raises(NoAnswer) as silence:
        player.choose(question())
    assert "crashed: ZeroDivisionError" in silence.value.detail
    assert 'bot.py", line 2, in f' in player.stderr


@EVERYWHERE
def test_nothing_is_left_open_behind_many_bots(tier: str, tmp_path: Path) -> None:
    def once() -> None:
        with bot_in(tier, tmp_path, SAYS.format(body="    return ''")) as player:
            player.choose(question())

    once()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(10):
        once()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_worker_that_is_root_or_holds_a_capability_starts_no_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "root" in probe(cage_of("bwrap")).reason


@EVERYWHERE
def test_a_filter_that_allows_all_is_found_out(tier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with unfiltered(monkeypatch):
        reason = probe(cage_of(tier)).reason
    assert "open a network socket" in reason
    assert "trace a process" in reason


def test_where_bwrap_is_missing_no_bot_is_started_and_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr("os.defpath", "/nonexistent")
    assert "apt install bubblewrap" in probe(cage_of("bwrap")).reason


def test_an_unknown_tier_is_refused_by_name(tmp_path: Path) -> None:
    with (
        pytest.raises(CageUnavailable, match="must be one of bwrap, forkserver, landlock"),
        caged(cage_of("none"), "bot", tmp_path, ("python", "bot.py")),
    ):
        pass


def test_no_match_is_taken_where_the_cage_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    probing.gate.cache_clear()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    try:
        with pytest.raises(CageUnavailable, match="no bot is started here"):
            require(cage_of(held_tiers()[0]))
    finally:
        probing.gate.cache_clear()


def test_the_command_names_what_holds_and_fails_when_the_tier_in_force_does_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    call_command("cage")
    holding = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.endswith("holds")]
    assert tuple(holding) == held_tiers()
    call_command("cage", "--best")
    assert capsys.readouterr().out.strip() == held_tiers()[0]
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(CommandError, match="does not hold here"):
        call_command("cage")
