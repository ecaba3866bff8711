"""Supervision of child processes that must always run: a dead child is restarted, with growing delays."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence

from deploy.supervisor.child_process_start_and_stop import (
    MAX_PAUSE_SECONDS,
    STEADY_SECONDS,
    Process,
    restart_pause,
    stop,
)
from deploy.supervisor.process_roles import ProcessRole

WATCHED_SIGNALS = {signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
"""Signals that a supervisor blocks and waits for with `sigtimedwait`."""
STOP_SIGNALS = ((signal.SIGTERM, 5.0), (signal.SIGQUIT, 1.0))
"""Signals sent to stop a child, with the seconds to wait after each; afterwards the child is killed."""


class ChildProcessSupervisor:
    """Supervisor that keeps one child process running for each role, such as the match worker."""

    # A failed start counts as a death: it is tried again later, and the other processes keep running.

    def __init__(
        self,
        roles: Sequence[ProcessRole],
        start: Callable[[ProcessRole], Process],
        report_death: Callable[[str], object],
    ) -> None:
        """Store the callbacks: `start` starts a role's process; `report_death` gets a message about each death."""
        self._roles, self._start, self._say = roles, start, report_death

    def begin(self) -> None:
        """Start the processes of all roles, in the order of the roles."""
        for role in self._roles:
            self._start_role(role)

    def _start_role(self, role: ProcessRole) -> None:
        """Start a role's process, or try again later if that fails."""
        role.started = time.monotonic()
        try:
            role.process = self._start(role)
        except OSError as error:
            self._schedule_restart(role, f"{role.name} could not be started ({error})", role.started)

    def count_deaths(self, name: str) -> int:
        """Return the number of process deaths in all roles whose names begin with `name`."""
        return sum(role.deaths for role in self._roles if role.name.startswith(name))

    def stop(self) -> None:
        """Terminate all child processes."""
        # An interrupted match resumes at the next start.
        running = [role.process for role in self._roles if role.process]
        for process in running:
            process.terminate()
        for process in running:
            stop(process, STOP_SIGNALS)

    def restart_due(self) -> float:
        """Restart dead children whose delay is over; return the seconds until the next restart is due."""
        now = time.monotonic()
        for role in self._roles:
            if role.process and role.process.poll() is not None:
                self._handle_death(role, role.process, now)
            if role.process is None and role.due <= now:
                self._start_role(role)
        waiting = [role.due - now for role in self._roles if role.process is None]
        return max(0.0, min([*waiting, MAX_PAUSE_SECONDS]))

    def _handle_death(self, role: ProcessRole, process: Process, now: float) -> None:
        """Kill the remaining processes of a dead child's session, and set the time of its restart."""
        stop(process, [])
        role.process = None
        self._schedule_restart(role, f"{role.name} ended ({process.returncode})", now)

    def _schedule_restart(self, role: ProcessRole, what: str, now: float) -> None:
        role.deaths += 1
        role.failures = 0 if now - role.started > STEADY_SECONDS else role.failures + 1
        pause = restart_pause(role.failures)
        role.due = now + pause
        self._say(f"{what}; it starts again in {pause:.0f} s")


def is_stop_requested(seconds: float) -> bool:
    """Wait some seconds for a signal. Return True if it asks the supervisor to stop."""
    info = signal.sigtimedwait(WATCHED_SIGNALS, seconds)
    return info is not None and info.si_signo != signal.SIGCHLD
