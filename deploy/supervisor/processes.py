"""Child processes that cannot outlive us: each leads a session of its own and dies when its parent does."""

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
"""A child that lived this long is started again at once; one that did not is given more and more time."""
LONGEST_PAUSE_SECONDS = 30.0


class ForkedProcess:
    """A forked child, with the part of `subprocess.Popen` that a supervisor uses."""

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
    """Return how long to wait before a child is started that has failed so often in a row."""
    return min(LONGEST_PAUSE_SECONDS, 0.5 * 2**failures) if failures > 1 else 0.0


def launched(
    command: Sequence[str], *, death: signal.Signals = signal.SIGKILL, identity: Identity = "same"
) -> list[str]:
    """Return the command as the launcher runs it: as whom, and told of our death by which signal.

    The death meant is that of the thread that starts it, so start children from the main thread.
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
    """Start a child in a folder; it appends to the log file, or speaks as we do when there is none.

    A `scope` is what goes before the launcher and becomes it; `keep` are descriptors that it has of ours.
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
"""How long systemd may take to say whether it gives us a scope."""


def own_log(log: Path) -> BinaryIO:
    """Return a log that is open for appending; its folder and itself are nobody else's to read."""
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = log.open("ab")
    for path, mode in ((log.parent, 0o700), (log, 0o600)):
        if path.stat().st_uid == os.geteuid():
            path.chmod(mode)
    return file


class NobodyElse(RuntimeError):
    """Raised when root alone can run a command here; the message says why."""


def unprivileged(command: Sequence[str], *, starts_bots: bool = False) -> Identity:
    """Return as whom a command can run that must not be root: as ourselves, or as root in the first way that works.

    The command is tried, so it should do nothing. Raises NobodyElse.
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
    """Return what starts a command in a cgroup that it may divide by memory and tasks; nothing where systemd has none.

    systemd-run makes the scope and then becomes the command, so it stays our child.
    """
    for_user = () if os.getuid() == 0 else ("--user",)
    scope = ("systemd-run", *for_user, "--scope", "--quiet", "--collect", "--property=Delegate=memory pids", "--")
    try:
        tried = subprocess.run([*scope, "true"], capture_output=True, timeout=SCOPE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return scope if tried.returncode == 0 else ()


def stop(process: Process, signals: Sequence[tuple[signal.Signals, float]]) -> int:
    """Ask a child to end, each signal more urgent than the last; then kill what is left of its session."""
    for sign, patience in signals:
        if process.poll() is not None:
            break
        process.send_signal(sign)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait()
