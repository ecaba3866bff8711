"""How long the bots of one match take, so that a question that is not asked can take as long."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterator
from statistics import median

FIRST_GUESS_US = 1000
"""How long an answer is taken to be while nobody has given one."""
REMEMBERED = 31
"""How many of a bot's last answers count."""


class Rhythm:
    """The answers of one match, by seat; all its players share one."""

    def __init__(self) -> None:
        self._took: defaultdict[Hashable, deque[int]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def note(self, who: Hashable, microseconds: int) -> None:
        """Note how long somebody took for an answer; what starting took does not belong here."""
        self._took[who].append(microseconds)

    def usual(self, who: Hashable) -> int:
        """Return about how long somebody takes, in microseconds: by his own answers, else by everybody's."""
        return int(median(self._took.get(who) or list(self._all()) or [FIRST_GUESS_US]))

    def _all(self) -> Iterator[int]:
        for answers in self._took.values():
            yield from answers
