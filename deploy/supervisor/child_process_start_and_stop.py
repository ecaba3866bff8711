"""Functions to start and stop child processes that lead their own session and die with their supervisor."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO, Literal

LAUNCHER = Path(__file__).with_name("child_launcher.py")
Identity = Literal["same", "namespace", "keeper", "nobody"]
STEADY_SECONDS = 30.0
"""A child that has run for this time and then dies is restarted at once; its earlier failures no longer count."""
MAX_PAUSE_SECONDS = 30.0


class ForkedProcess:
    """A forked child process, with the methods of `subprocess.Popen` that a supervisor uses."""

    def __init__(self, pid: int, args: Sequence[str]) -> None:
        self.pid, self.args = pid, list(args)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal, or None while the child runs."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the child's end and return its exit code; raises TimeoutExpired after `timeout` seconds."""
        if self.poll() is None:
            descriptor = os.pidfd_open(self.pid)
            try:
                ended, _, _ = select.select([descriptor], [], [], timeout)
            finally:
                os.close(descriptor)
            if not ended:
                raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        code = self.poll()
        assert code is not None
        return code

    def send_signal(self, sign: int) -> None:
        """Send a signal to the child, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, sign)

    def terminate(self) -> None:
        """Send SIGTERM to the child, if it still runs."""
        self.send_signal(signal.SIGTERM)


Process = subprocess.Popen[bytes] | ForkedProcess


def restart_pause(failures: int) -> float:
    """Return the seconds to wait before a child is restarted after this many failures in a row."""
    return min(MAX_PAUSE_SECONDS, 0.5 * 2**failures) if failures > 1 else 0.0


def launcher_command(
    command: Sequence[str], *, death: signal.Signals = signal.SIGKILL, identity: Identity = "same"
) -> list[str]:
    """Return a command line that runs a command through `child_launcher.py`."""
    # The child gets the signal `death` when the thread that started it dies, so start children from the main thread.
    launcher = [sys.executable, "-I", "-S", "-B", str(LAUNCHER)]
    return [*launcher, str(os.getpid()), str(int(death)), identity, *command]


def start(
    command: Sequence[str],
    *,
    log: Path | None = None,
    env: Mapping[str, str] | None = None,
    folder: Path | None = None,
    death: signal.Signals = signal.SIGKILL,
    identity: Identity = "same",
    scope: Sequence[str] = (),
    keep: Sequence[int] = (),
) -> Process:
    """Start a command as a child process in a new session.

    Its output is appended to `log`. `scope` is put before the command, such as a systemd-run command. The child
    inherits the file descriptors in `keep`.
    """
    argv = [*scope, *launcher_command(command, death=death, identity=identity)]
    with ExitStack() as stack:
        out = None
        if log:
            out = stack.enter_context(open_log(log))
        return subprocess.Popen(
            argv,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
            pass_fds=keep,
        )


SCOPE_SECONDS = 5.0
"""Maximum time to wait for systemd to create a scope (a cgroup for a command)."""


def open_log(log: Path) -> BinaryIO:
    """Open a log file for appending, and let only its owner read the file and its folder."""
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = log.open("ab")
    for path, mode in ((log.parent, 0o700), (log, 0o600)):
        if path.stat().st_uid == os.geteuid():
            path.chmod(mode)
    return file


class RootRequiredError(RuntimeError):
    """Raised when a command can run only as root on this machine; the message gives the reason."""


def find_identity(command: Sequence[str], *, starts_bots: bool = False) -> Identity:
    """Return an identity (see `child_launcher.py`) that can run a command without root's rights.

    If this process is root, it tests identities by running the command, which must have no side effects. Otherwise it
    returns ``same``. Raises RootRequiredError if all tests fail.
    """
    if os.getuid() != 0:
        return "same"
    reasons = []
    candidates: tuple[Identity, ...] = ("keeper" if starts_bots else "namespace", "nobody")
    for identity in candidates:
        probe = subprocess.run(
            launcher_command(command, identity=identity), capture_output=True, text=True, check=False
        )
        if probe.returncode == 0:
            return identity
        reasons.append(probe.stderr.strip())
    raise RootRequiredError(f"nobody else can run {command[0]} ({'; '.join(reasons)})")


def delegated_scope() -> Sequence[str]:
    """Return a command prefix that runs a command in its own cgroup; empty if systemd cannot do that here."""
    # In the cgroup the command may limit memory and processes. systemd-run replaces itself by the command, which so is
    # a child of this process.
    for_user = () if os.getuid() == 0 else ("--user",)
    scope = ("systemd-run", *for_user, "--scope", "--quiet", "--collect", "--property=Delegate=memory pids", "--")
    try:
        tried = subprocess.run([*scope, "true"], capture_output=True, timeout=SCOPE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return scope if tried.returncode == 0 else ()


def stop(process: Process, signals: Sequence[tuple[signal.Signals, float]]) -> int:
    """Stop a child with signals, then kill its process group. Return its exit code.

    `signals` are pairs of a signal and the seconds to wait after it.
    """
    for sign, patience in signals:
        if process.poll() is not None:
            break
        process.send_signal(sign)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait()
