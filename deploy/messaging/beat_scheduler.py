"""Celery's beat scheduler, for machines whose clock may be set back."""

from __future__ import annotations

from typing import Any

from celery.beat import PersistentScheduler


class ClockSetbackTolerantScheduler(PersistentScheduler):  # type: ignore[misc]  # celery ships no types
    """Scheduler that continues to send tasks after the system clock was set back.

    Celery's own scheduler would not send a task again until the clock has passed the time of its last run.
    """

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send one due task. Return the seconds to wait before the next tick."""
        now = self.app.now()
        ahead = [entry for entry in self.schedule.values() if entry.last_run_at > now]
        for entry in ahead:
            entry.last_run_at = now
        if ahead:
            self._heap = None  # made anew from the times of the last runs
        return float(super().tick(*args, **kwargs))
