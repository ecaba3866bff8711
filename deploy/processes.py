"""Child processes that cannot outlive us: each leads a session of its own and dies when its parent does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO, Literal

LAUNCHER = Path(__file__).with_name("launch.py")
Identity = Literal["same", "namespace", "nobody"]
Process = subprocess.Popen[bytes]
STEADY_SECONDS = 30.0
"""A child that lived this long is started again at once; one that did not is given more and more time."""
LONGEST_PAUSE_SECONDS = 30.0


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
) -> Process:
    """Start a child in a folder; it appends to the log file, or speaks as we do when there is none."""
    argv = launched(command, death=death, identity=identity)
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
        )


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


def unprivileged(command: Sequence[str]) -> Identity:
    """Return as whom a command can run that must not be root: as ourselves, or as root in the first way that works.

    The command is tried, so it should do nothing. Raises NobodyElse.
    """
    if os.getuid() != 0:
        return "same"
    reasons = []
    candidates: tuple[Identity, ...] = ("namespace", "nobody")
    for identity in candidates:
        probe = subprocess.run(launched(command, identity=identity), capture_output=True, text=True, check=False)
        if probe.returncode == 0:
            return identity
        reasons.append(probe.stderr.strip())
    raise NobodyElse(f"nobody else can run {command[0]} ({'; '.join(reasons)})")


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
