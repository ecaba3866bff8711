"""Child processes that must always run; each is restarted after its death, with growing delays."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence

from deploy.supervisor.processes import LONGEST_PAUSE_SECONDS, STEADY_SECONDS, Process, pause_after, stop
from deploy.supervisor.roles import Role

WATCHED = {signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
"""Signals that a supervisor waits for; they are blocked."""
LAST_WORDS = ((signal.SIGTERM, 5.0), (signal.SIGQUIT, 1.0))
"""Signals that end a child, with the seconds it gets after each; then it is killed."""


class Children:
    """Keeps one process running for every role."""

    def __init__(self, roles: Sequence[Role], start: Callable[[Role], Process], mourn: Callable[[str], object]) -> None:
        """Take `start`, which starts a role's process, and `mourn`, which reports deaths and restarts."""
        self._roles, self._start, self._say = roles, start, mourn

    def begin(self) -> None:
        """Start all in their order."""
        for role in self._roles:
            self._fill(role)

    def _fill(self, role: Role) -> None:
        role.started = time.monotonic()
        role.process = self._start(role)

    def count_deaths(self, name: str) -> int:
        """Return the number of deaths over all roles whose name has this prefix."""
        return sum(role.deaths for role in self._roles if role.name.startswith(name))

    def stop(self) -> None:
        """Terminate all. An interrupted match resumes at the next start."""
        running = [role.process for role in self._roles if role.process]
        for process in running:
            process.terminate()
        for process in running:
            stop(process, LAST_WORDS)

    def tend(self) -> float:
        """Restart dead children that are due; return the seconds until the next is due."""
        now = time.monotonic()
        for role in self._roles:
            if role.process and role.process.poll() is not None:
                self._mourn(role, role.process, now)
            if role.process is None and role.due <= now:
                self._fill(role)
        waiting = [role.due - now for role in self._roles if role.process is None]
        return max(0.0, min([*waiting, LONGEST_PAUSE_SECONDS]))

    def _mourn(self, role: Role, process: Process, now: float) -> None:
        """Clean up after a dead child, and set the time of its restart."""
        stop(process, [])
        role.process = None
        role.deaths += 1
        role.failures = 0 if now - role.started > STEADY_SECONDS else role.failures + 1
        pause = pause_after(role.failures)
        role.due = now + pause
        self._say(f"{role.name} ended ({process.returncode}); it starts again in {pause:.0f} s")


def asked_to_end(seconds: float) -> bool:
    """Wait for a blocked signal; return True if it asks us to end."""
    info = signal.sigtimedwait(WATCHED, seconds)
    return info is not None and info.si_signo != signal.SIGCHLD
