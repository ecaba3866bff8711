"""A supervisor without memory or disk space: it retries failed steps and keeps the other processes running."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from deploy.config.logs import MAX_LOG_BYTES, rotate
from deploy.supervisor import postgres_supervisor
from deploy.supervisor.arena_supervisor import ArenaSupervisor
from deploy.supervisor.child_process_start_and_stop import start
from deploy.supervisor.child_process_supervisor import ChildProcessSupervisor
from deploy.supervisor.process_roles import ArenaStartOptions, ProcessRole
from tests.support.arena import free_port
from tests.support.injected_failures import always_raise

SLEEPING = [sys.executable, "-c", "import time; time.sleep(60)"]


def create_large_log(folder: Path, name: str) -> Path:
    log = folder / name
    log.parent.mkdir(exist_ok=True)
    log.write_bytes(b"x" * (MAX_LOG_BYTES + 1))
    return log


def test_a_child_process_that_cannot_be_started_is_tried_again_while_the_others_run(tmp_path: Path) -> None:
    (tmp_path / "worker.log").mkdir()  # a folder cannot be opened as a log
    said: list[str] = []
    roles = [ProcessRole(name=name, command=SLEEPING) for name in ("web", "worker")]
    children = ChildProcessSupervisor(
        roles, lambda role: start(role.command, log=tmp_path / f"{role.name}.log"), said.append
    )
    children.begin()
    try:
        assert "worker could not be started ([Errno 21] Is a directory" in said[0]
        assert said[0].endswith("; it starts again in 0 s")
        for failures in (2, 3):
            roles[1].due = time.monotonic()
            assert children.restart_due() == pytest.approx(0.5 * 2**failures, abs=0.4)
        assert children.count_deaths("worker") == 3
        (tmp_path / "worker.log").rmdir()
        roles[1].due = time.monotonic()
        children.restart_due()
        for role in roles:
            assert role.process
            assert role.process.poll() is None
    finally:
        children.stop()


def test_a_failure_to_fork_the_database_server_is_printed_and_raises_no_exception(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, said = object.__new__(postgres_supervisor.PostgresSupervisor), list[str]()
    database._folder, database._say, database._server = tmp_path, said.append, None
    database._deaths, database._due, database._started, database._lacks_room = 0, 0.0, 0.0, False
    failure = BlockingIOError(11, "Resource temporarily unavailable")
    monkeypatch.setattr(postgres_supervisor.embedded_postgres, "start_server", always_raise(failure))
    assert database.restart_due(100.0) >= 0
    assert said[0].startswith("[Errno 11] Resource temporarily unavailable")


def test_a_log_file_that_cannot_be_rotated_does_not_prevent_the_rotation_of_others(tmp_path: Path) -> None:
    stuck, other = create_large_log(tmp_path, "stuck.log"), create_large_log(tmp_path, "other.log")
    (tmp_path / "stuck.log.0").mkdir()
    (tmp_path / "stuck.log.1").write_text("older")
    (error,) = rotate(tmp_path)
    assert error.filename == str(tmp_path / "stuck.log.0")
    assert stuck.stat().st_size > MAX_LOG_BYTES
    assert (tmp_path / "stuck.log.1").read_text() == "older"
    assert (other.stat().st_size, (tmp_path / "other.log.1").stat().st_size) == (0, MAX_LOG_BYTES + 1)


def test_a_log_on_a_full_disk_is_truncated_without_a_copy(tmp_path: Path) -> None:
    log = create_large_log(tmp_path, "web.log")
    (tmp_path / "web.log.1").write_text("older")
    (tmp_path / "web.log.0").symlink_to("/dev/full")
    assert rotate(tmp_path) == []
    assert log.stat().st_size == 0
    assert not (tmp_path / "web.log.0").is_symlink()
    assert (tmp_path / "web.log.1").read_text() == "older"


def test_the_supervisor_prints_once_that_a_log_cannot_be_rotated(tmp_path: Path) -> None:
    said: list[str] = []
    plan = ArenaStartOptions(var=tmp_path, database_url="postgresql://nobody@localhost/none", port=free_port())
    supervisor = ArenaSupervisor(plan, said.append, lambda: None, lambda: None)
    create_large_log(tmp_path / "logs", "web.log")
    (tmp_path / "logs" / "web.log.0").mkdir()
    for _ in range(3):
        supervisor._rotate_logs()
    assert len(said) == 1
    assert said[0].startswith(f"A log in {tmp_path / 'logs'} could not be rotated ([Errno 21] Is a directory")
    (tmp_path / "logs" / "web.log.0").rmdir()
    supervisor._rotate_logs()
    assert (tmp_path / "logs" / "web.log.1").exists()
