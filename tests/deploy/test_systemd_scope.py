"""systemd scopes: workers start in one if systemd grants it, and remain our children."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deploy.supervisor.child_process_start_and_stop import delegated_scope, start

TAKES = '#!/bin/sh\nwhile [ "$1" != "--" ]; do shift; done\nshift\nexec "$@"\n'
"""Stand-in for systemd-run: it skips its options and runs the command."""
REFUSES = "#!/bin/sh\nexit 1\n"
HANGS = "#!/bin/sh\nexec sleep 60\n"


@pytest.fixture
def systemd_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return tmp_path / "systemd-run"


def put(program: Path, text: str) -> None:
    program.write_text(text)
    program.chmod(0o755)


def test_worker_processes_start_in_a_systemd_scope_if_systemd_is_available(systemd_run: Path, tmp_path: Path) -> None:
    put(systemd_run, TAKES)
    scope = delegated_scope()
    assert "--property=Delegate=memory pids" in scope
    process = start(["/bin/sh", "-c", "echo $$ $PPID"], log=tmp_path / "log", scope=scope)
    assert process.wait() == 0
    assert (tmp_path / "log").read_text().split() == [str(process.pid), str(os.getpid())]


def test_worker_processes_start_without_a_systemd_scope_if_systemd_is_not_available(
    systemd_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(systemd_run, REFUSES)
    assert delegated_scope() == ()
    put(systemd_run, HANGS)
    monkeypatch.setattr("deploy.supervisor.child_process_start_and_stop.SCOPE_SECONDS", 0.05)
    assert delegated_scope() == ()
    monkeypatch.setenv("PATH", "/nonexistent")
    assert delegated_scope() == ()
