"""`manage.py` without a running arena: commands start a database, or print the command to start."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from foundation.management_commands import InvalidCommandInputError
from ftk_core.kit.client.api_token_format import is_token
from tests.support.arena import free_port
from tests.support.prepared_leagues import build_environment
from tests.support.waiting import wait_for


def manage(var: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(command, env=build_environment(var, **more), capture_output=True, text=True, check=False)


def left_of(var: Path) -> list[str]:
    """Return the command lines of processes that still use a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(var) in command:
            found.append(command)
    return found


@pytest.mark.nightly
def test_the_token_command_works_on_a_fresh_clone_and_leaves_nothing_running(tmp_path: Path) -> None:
    var = tmp_path / "var"
    made = manage(var, "token", "ada")
    assert made.returncode == 0, made.stderr
    assert is_token(made.stdout.strip())
    assert made.stderr == ""
    opened = manage(var, "league", "open", "autumn", "pig", "--seats", "2")
    assert opened.returncode == 0, opened.stderr
    shown = manage(var, "league", "show", "autumn")
    assert shown.stdout.startswith("autumn: open, round 0 of 5")
    assert wait_for(lambda: not left_of(var), "nothing is left")


def is_refused(done: subprocess.CompletedProcess[str], *parts: str) -> bool:
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return all(part in done.stderr for part in parts)


@pytest.mark.parametrize("words", [("token", "ada"), ("up",)])
def test_a_command_in_an_installed_release_without_its_settings_creates_no_database(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    settings.BASE_DIR, settings.POSTGRES_FOLDER = Path("/opt/ftk-releases/1.0.0"), tmp_path / "postgres"
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with pytest.raises(InvalidCommandInputError, match=r"EnvironmentFile=/etc/ftk/arena\.env"):
        call_command(*words)
    assert not (tmp_path / "postgres").exists()


@pytest.mark.slow
def test_a_command_that_needs_workers_prints_which_server_command_to_start(tmp_path: Path) -> None:
    assert is_refused(manage(tmp_path / "var", "demo"), "`make run`", "does not answer")


@pytest.mark.slow
@pytest.mark.parametrize("words", [("token", "ada"), ("league", "show", "x"), ("showmigrations",), ("audit",)])
def test_the_error_for_an_unreachable_external_database_hides_its_password(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    away = f"postgresql://ftk:secret@127.0.0.1:{free_port()}/ftk"
    done = manage(tmp_path, *words, DATABASE_URL=away)
    assert is_refused(done, "does not answer")
    assert "secret" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("url", ["mysql://x/y", "postgresql://host:port/x", "nonsense"])
def test_an_invalid_database_url_is_reported_in_one_line(tmp_path: Path, url: str) -> None:
    assert is_refused(manage(tmp_path, "token", "ada", DATABASE_URL=url), "DATABASE_URL")


@pytest.mark.nightly
def test_a_closed_output_pipe_is_not_an_error(tmp_path: Path) -> None:
    command = (
        f"{sys.executable} manage.py help league | head -c 1; {sys.executable} manage.py help --commands | head -1"
    )
    done = subprocess.run(
        command, shell=True, env=build_environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    reading, writing = socket.socketpair()
    reading.close()
    with writing:
        closed = subprocess.run(
            [sys.executable, "manage.py", "help", "--commands"],
            env=build_environment(tmp_path), stdout=writing, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert (closed.returncode, closed.stderr) == (141, "")


@pytest.mark.slow
def test_a_port_in_use_is_reported_with_two_possible_remedies(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = manage(tmp_path, "up", "--port", str(port))
    other = port + 1 if port < 65535 else port - 1
    assert is_refused(done, f"port {port} is not free", f"`make run PORT={other}`", f"`manage.py up --port {other}`")


@pytest.mark.slow
def test_make_run_accepts_a_port_number() -> None:
    said = subprocess.run(["make", "-n", "run", "PORT=8001"], capture_output=True, text=True, check=True).stdout
    assert "manage.py up --demo --port 8001" in said
