"""The sandbox backends: all of them contain a bot in the same way and give it the same environment."""

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

from bots.sandbox import sandbox_self_test as probing
from bots.sandbox.language_runtimes import SandboxUnavailable
from bots.sandbox.sandbox_self_test import probe_sandbox, require_sandbox
from bots.sandbox.sandboxed_bot_start import start_in_sandbox
from ftk_core.kit.protocol.cpu_clock import cpu_us
from ftk_core.players import NoAnswerError
from tests.support.machine import has_programs, sandbox_config, working_backends
from tests.support.sandbox.bots import NOTING_BOT, question, run_lines_in, start_bot_in
from tests.support.sandbox.unfiltered import disabled_filter
from tests.support.sandbox.wheels import numpy_in
from tests.support.waiting import wait_for

EACH_BACKEND = pytest.mark.parametrize("backend", working_backends())
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
from bots import sandbox_settings
from bots.sandbox.sandboxed_bot_start import start_in_sandbox
from ftk_core.players import HelloMessage
from tests.support.sandbox.bots import question
with start_in_sandbox(sandbox_settings.read_sandbox(), "bot", Path(sys.argv[1]), ("python", "bot.py")) as player:
    player.greet(HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
    player.choose(question())
    print(player.pid, flush=True)
    sys.stdin.read()
"""


@EACH_BACKEND
def test_the_sandbox_self_test_passes_with_every_backend(backend: str) -> None:
    assert probe_sandbox(sandbox_config(backend)).reason == ""


@EACH_BACKEND
def test_a_worker_with_thousands_of_open_files_can_start_bots(backend: str, tmp_path: Path) -> None:
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(usual[0], 4096), usual[1]))
    with ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, usual)
        for _ in range(2000):
            stack.callback(os.close, os.open(tmp_path, os.O_RDONLY))
        assert run_lines_in(backend, tmp_path, "return 'played'") == "played"


@EACH_BACKEND
def test_the_environment_of_a_bot_is_empty(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_WORKER", "x")
    told = run_lines_in(backend, tmp_path, "import os; return sorted(os.environ)")
    assert "SECRET" not in told
    assert "PYTHONHASHSEED" in told


@EACH_BACKEND
def test_a_bot_can_import_the_bot_library_but_no_package_of_the_worker(backend: str, tmp_path: Path) -> None:
    assert "ModuleNotFoundError" in run_lines_in(backend, tmp_path / "one", "import django")
    body = "import ftk_core.kit.bot as kit; return kit.__name__"
    assert run_lines_in(backend, tmp_path / "two", body) == "ftk_core.kit.bot"


@EACH_BACKEND
def test_a_bot_can_read_its_own_folder_and_write_nowhere(backend: str, tmp_path: Path) -> None:
    (tmp_path / "book.json").write_text("[7]")
    assert run_lines_in(backend, tmp_path, "return open('book.json').read()") == "[7]"
    for number, path in enumerate(("bot.py", "new", "/tmp/new", "/dev/shm/new")):
        assert "Error" in run_lines_in(backend, tmp_path / str(number), f"open({path!r}, 'w')")


@EACH_BACKEND
def test_the_process_of_a_bot_is_paused_between_questions(backend: str, tmp_path: Path) -> None:
    source = NOTING_BOT.format(body="    return ''")
    source += "        sys.stdout.flush()\n        while True:\n            pass\n"
    with start_bot_in(backend, tmp_path, source) as player:
        player.choose(question(1))
        state = Path(f"/proc/{player.pid}/stat")
        wait_for(lambda: state.read_text().rpartition(")")[2].split()[0] == "T", "it is stopped")
        before = cpu_us(player.pid)
        sum(range(2_000_000))
        assert cpu_us(player.pid) == before


@EACH_BACKEND
def test_sleep_of_a_bot_counts_as_idle_time_and_not_as_processor_time(backend: str, tmp_path: Path) -> None:
    source = NOTING_BOT.format(body="    import time; time.sleep(0.05 if ask['id'] > 1 else 0)")
    with start_bot_in(backend, tmp_path, source) as player:
        player.choose(question(1))
        spent = player.choose(question(2)).spent
    assert spent.charged_us < 20_000
    assert 25_000 < int(spent.idle_us or 0) < int(spent.wall_us or 0) + 1


@EACH_BACKEND
def test_a_bot_process_that_never_answers_is_killed_when_its_context_manager_exits(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ftk_core.kit.protocol.process_player.IDLE_MS", 50)
    monkeypatch.setattr("ftk_core.kit.protocol.process_player.STARTUP_MS", 50)
    with (
        start_bot_in(backend, tmp_path, "import time\ntime.sleep(3600)") as player,
        pytest.raises(NoAnswerError, match="late: asleep"),
    ):
        player.choose(question(1, 50))
    wait_for(lambda: not Path(f"/proc/{player.pid}").exists(), "it is gone")


@pytest.mark.nightly
@EACH_BACKEND
def test_a_bot_process_ends_when_its_worker_is_killed(backend: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "bot.py").write_text(NOTING_BOT.format(body="    return ''"))
    with subprocess.Popen(
        [sys.executable, "-c", WORKER, str(tmp_path)],
        env={**os.environ, "BOT_CAGE": backend},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as worker:
        assert worker.stdout
        pid = int(worker.stdout.readline())
        worker.send_signal(signal.SIGKILL)
    wait_for(lambda: not _runs(pid), "the bot is gone")


def _runs(pid: int) -> bool:
    """Return True if a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not has_programs("node"), reason="there is no node")
@EACH_BACKEND
def test_a_bot_in_javascript_answers_questions_in_the_sandbox(backend: str, tmp_path: Path) -> None:
    with start_bot_in(backend, tmp_path, JAVASCRIPT, "bot.js", "node") as player:
        assert [player.choose(question(number)).index for number in (1, 2, 3)] == [1, 1, 1]
    assert "SECRET" not in player.notes[0][1]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with numpy, as `pip install --target` makes it."""
    return numpy_in(tmp_path_factory.mktemp("wheels"))


@EACH_BACKEND
def test_a_bot_can_import_libraries_that_the_organiser_installed(backend: str, tmp_path: Path, wheels: Path) -> None:
    body = "import numpy; return numpy.linalg.inv(numpy.full((50, 50), 2.0) + numpy.eye(50)).trace().round(6)"
    with override_settings(BOT_WHEELS=str(wheels)):
        assert run_lines_in(backend, tmp_path / "bot", body) == str(round(50 - 100 / 101, 6))
    assert "ModuleNotFoundError" in run_lines_in(backend, tmp_path / "without", body)


@EACH_BACKEND
def test_a_traceback_shows_only_stack_frames_of_the_bots_own_code(backend: str, tmp_path: Path) -> None:
    with (
        start_bot_in(backend, tmp_path, "def f():\n    return 1 / 0\nf()\n") as player,
        pytest.raises(NoAnswerError) as silence,
    ):
        player.choose(question())
    assert "crashed: ZeroDivisionError" in silence.value.detail
    assert 'bot.py", line 2, in f' in player.stderr
    assert [line for line in player.stderr.splitlines() if "File" in line and "bot.py" not in line] == []


@EACH_BACKEND
def test_starting_and_closing_many_bots_leaks_no_file_descriptors(backend: str, tmp_path: Path) -> None:
    def once() -> None:
        with start_bot_in(backend, tmp_path, NOTING_BOT.format(body="    return ''")) as player:
            player.choose(question())

    once()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(10):
        once()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_worker_that_runs_as_root_or_with_linux_capabilities_starts_no_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "root" in probe_sandbox(sandbox_config("bwrap")).reason


@EACH_BACKEND
def test_the_sandbox_self_test_detects_a_missing_seccomp_filter(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with disabled_filter(monkeypatch):
        reason = probe_sandbox(sandbox_config(backend)).reason
    assert "open a network socket" in reason
    assert "trace a process" in reason


def test_without_bwrap_no_bot_is_started_and_the_error_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr("os.defpath", "/nonexistent")
    assert "apt install bubblewrap" in probe_sandbox(sandbox_config("bwrap")).reason


def test_the_error_for_an_unknown_sandbox_backend_lists_the_known_backends(tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="must be one of bwrap, forkserver, landlock"):
        start_in_sandbox(sandbox_config("none"), "bot", tmp_path, ("python", "bot.py")).__enter__()


def test_a_worker_whose_sandbox_fails_its_self_test_takes_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    probing.cached_probe.cache_clear()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    try:
        with pytest.raises(SandboxUnavailable, match="no bot is started here"):
            require_sandbox(sandbox_config(working_backends()[0]))
    finally:
        probing.cached_probe.cache_clear()


def test_the_sandbox_command_lists_working_backends_and_fails_if_the_selected_one_does_not_work(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    call_command("cage")
    passing = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.endswith("passed")]
    assert tuple(passing) == working_backends()
    call_command("cage", "--best")
    assert capsys.readouterr().out.strip() == working_backends()[0]
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(CommandError, match="fails its self-test here"):
        call_command("cage")
