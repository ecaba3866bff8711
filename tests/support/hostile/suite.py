"""The hostile bots in their folder; the first lines of each state the expected result.

``# expects: held``: it tries one forbidden act and must be refused. ``# expects: crash`` (or timeout, nonsense): the
referee must report this fault. ``# expects: answers``: unusual, but allowed. Alternatives are separated by ``|``.
Optional lines: ``# detail: words`` that the fault's message must contain, ``# control:`` how its success without a
sandbox is shown, ``# matches: 2``, ``# pause: 200`` milliseconds between questions, ``# shadows: json os``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "hostile" / "bots"
GROUPS = (
    "files", "secrets", "processes", "kernel", "network", "persistence", "collusion", "memory", "time", "dialogue",
    "shadowing",
)  # fmt: skip
OUTCOMES = frozenset({"held", "crash", "timeout", "nonsense", "answers"})
_HEADER = re.compile(r"# (expects|detail|control|matches|pause|shadows): (.+)")


@dataclass(frozen=True, slots=True)
class HostileBot:
    """One hostile bot and its expected result."""

    name: str
    group: str
    files: tuple[tuple[str, str], ...]
    """(path, source) of each file in the bot's folder, before the prelude is added."""
    expects: frozenset[str]
    """Accepted outcomes."""
    detail: str = ""
    """Text that the fault must contain."""
    control: str = "breach"
    """``breach``, ``needs root``, ``if the kernel has it``, the last two together, or ``none, <reason>``."""
    matches: int = 1
    """Number of consecutive matches."""
    pause_ms: int = 0
    """Time that other players take before the next question."""

    @property
    def attempts(self) -> bool:
        """True if the bot tries a forbidden action and reports the result, instead of failing to answer."""
        return "held" in self.expects

    def __str__(self) -> str:
        return f"{self.group}-{self.name}"


def read_bot(path: Path) -> HostileBot:
    """Read a bot's file; raises AssertionError if it states no expected result."""
    source = path.read_text(encoding="utf-8")
    header = dict(match.groups() for line in source.splitlines()[:8] if (match := _HEADER.fullmatch(line)))
    expects = frozenset(header.get("expects", "").split("|"))
    assert expects <= OUTCOMES, f"{path}: {expects - OUTCOMES} are no outcomes"
    shadow = Path(__file__).with_name("shadow.py").read_text(encoding="utf-8") if "shadows" in header else ""
    shadows = tuple((f"{module}.py", shadow) for module in header.get("shadows", "").split())
    return HostileBot(
        name=path.stem,
        group=path.parent.name,
        files=(("bot.py", source), *shadows),
        expects=expects,
        detail=header.get("detail", ""),
        control=header.get("control", "breach"),
        matches=int(header.get("matches", "1")),
        pause_ms=int(header.get("pause", "0")),
    )


@cache
def list_hostile_bots() -> tuple[HostileBot, ...]:
    """Return all hostile bots, sorted by group and name."""
    return tuple(read_bot(path) for group in GROUPS for path in sorted((FOLDER / group).glob("*.py")))
