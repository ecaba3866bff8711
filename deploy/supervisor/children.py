"""Children that are always to be there: started again when they die, each a little later the more often it did."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence

from deploy.supervisor.processes import LONGEST_PAUSE_SECONDS, STEADY_SECONDS, Process, pause_after, stop
from deploy.supervisor.roles import Role

WATCHED = {signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
"""What a supervisor waits for, and so has blocked."""
LAST_WORDS = ((signal.SIGTERM, 5.0), (signal.SIGQUIT, 1.0))
"""How a child is asked to end, and how long it gets for it; then it is killed."""


class Children:
    """Keeps every role filled."""

    def __init__(self, roles: Sequence[Role], start: Callable[[Role], Process], mourn: Callable[[str], object]) -> None:
        """`start` starts a role's process; `mourn` says what became of one that died, and when it is back."""
        self._roles, self._start, self._say = roles, start, mourn

    def begin(self) -> None:
        """Start all, in their order."""
        for role in self._roles:
            self._fill(role)

    def _fill(self, role: Role) -> None:
        role.started = time.monotonic()
        role.process = self._start(role)

    def count_deaths(self, name: str) -> int:
        """Return how often a process has ended whose role has a name that begins so."""
        return sum(role.deaths for role in self._roles if role.name.startswith(name))

    def stop(self) -> None:
        """Ask all to end, then see to it. A match that is cut off is taken up again at the next start."""
        running = [role.process for role in self._roles if role.process]
        for process in running:
            process.terminate()
        for process in running:
            stop(process, LAST_WORDS)

    def tend(self) -> float:
        """Start again what has died, each when it is due; return for how many seconds nothing will be due."""
        now = time.monotonic()
        for role in self._roles:
            if role.process and role.process.poll() is not None:
                self._mourn(role, role.process, now)
            if role.process is None and role.due <= now:
                self._fill(role)
        waiting = [role.due - now for role in self._roles if role.process is None]
        return max(0.0, min([*waiting, LONGEST_PAUSE_SECONDS]))

    def _mourn(self, role: Role, process: Process, now: float) -> None:
        """Clear up after a child that died, and set the time of its return."""
        stop(process, [])
        role.process = None
        role.deaths += 1
        role.failures = 0 if now - role.started > STEADY_SECONDS else role.failures + 1
        pause = pause_after(role.failures)
        role.due = now + pause
        self._say(f"{role.name} ended ({process.returncode}); it starts again in {pause:.0f} s")


def asked_to_end(seconds: float) -> bool:
    """Wait for a signal that is blocked; True if it is one that ends us."""
    info = signal.sigtimedwait(WATCHED, seconds)
    return info is not None and info.si_signo != signal.SIGCHLD
