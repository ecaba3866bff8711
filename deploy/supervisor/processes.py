"""Child processes that cannot outlive us: each leads its own session and dies when its parent does."""

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

LAUNCHER = Path(__file__).with_name("launch.py")
Identity = Literal["same", "namespace", "keeper", "nobody"]
STEADY_SECONDS = 30.0
"""A child that lived this long is restarted at once; others after growing pauses."""
LONGEST_PAUSE_SECONDS = 30.0


class ForkedProcess:
    """A forked child with the part of `subprocess.Popen` that a supervisor uses."""

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
        """Return the exit code once the child has ended; raises subprocess.TimeoutExpired after so many seconds."""
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


def pause_after(failures: int) -> float:
    """Return the pause before a child is restarted after this many failures in a row."""
    return min(LONGEST_PAUSE_SECONDS, 0.5 * 2**failures) if failures > 1 else 0.0


def launched(
    command: Sequence[str], *, death: signal.Signals = signal.SIGKILL, identity: Identity = "same"
) -> list[str]:
    """Return the command that runs `command` through the launcher, with its identity and death signal.

    The kernel sends the signal when the starting thread dies, so start children from the main thread.
    """
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
    """Start a child in a folder; it appends to the log file, or inherits our output without one.

    A `scope` is a command prefix that executes the launcher; `keep` are descriptors that it inherits.
    """
    argv = [*scope, *launched(command, death=death, identity=identity)]
    with ExitStack() as stack:
        out = None
        if log:
            out = stack.enter_context(own_log(log))
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
"""Timeout of systemd for granting a scope."""


def own_log(log: Path) -> BinaryIO:
    """Open a log for appending; its folder and file are readable by the owner only."""
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = log.open("ab")
    for path, mode in ((log.parent, 0o700), (log, 0o600)):
        if path.stat().st_uid == os.geteuid():
            path.chmod(mode)
    return file


class NobodyElse(RuntimeError):
    """Raised when only root can run a command here; the message gives the reason."""


def unprivileged(command: Sequence[str], *, starts_bots: bool = False) -> Identity:
    """Return an identity under which a command can run that must not be root: ours, or the first that works.

    The command is run as a trial, so it should have no effect. Raises NobodyElse.
    """
    if os.getuid() != 0:
        return "same"
    reasons = []
    candidates: tuple[Identity, ...] = ("keeper" if starts_bots else "namespace", "nobody")
    for identity in candidates:
        probe = subprocess.run(launched(command, identity=identity), capture_output=True, text=True, check=False)
        if probe.returncode == 0:
            return identity
        reasons.append(probe.stderr.strip())
    raise NobodyElse(f"nobody else can run {command[0]} ({'; '.join(reasons)})")


def delegated_scope() -> Sequence[str]:
    """Return a command prefix for a cgroup with delegated memory and pids; empty if systemd does not grant it.

    systemd-run makes the scope and then executes the command, so it stays our child.
    """
    for_user = () if os.getuid() == 0 else ("--user",)
    scope = ("systemd-run", *for_user, "--scope", "--quiet", "--collect", "--property=Delegate=memory pids", "--")
    try:
        tried = subprocess.run([*scope, "true"], capture_output=True, timeout=SCOPE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return scope if tried.returncode == 0 else ()


def stop(process: Process, signals: Sequence[tuple[signal.Signals, float]]) -> int:
    """Stop a child by increasingly urgent signals; then kill the rest of its session."""
    for sign, patience in signals:
        if process.poll() is not None:
            break
        process.send_signal(sign)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait()
