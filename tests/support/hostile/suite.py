"""The hostile bots, found in their folder; each says in its first lines what must become of it.

``# expects: held``: it tries one forbidden thing and must be refused. ``# expects: crash`` (or timeout, nonsense):
the referee must find it at fault, with this excuse. ``# expects: answers``: odd, but allowed. Several are parted by
``|``. Further lines, all optional: ``# detail: words`` that the excuse must contain, ``# control:`` how it is shown to
bite without a cage, ``# matches: 2``, ``# pause: 200`` milliseconds between questions, ``# shadows: json os``.
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
class Hostile:
    """One hostile bot, and what is expected of it."""

    name: str
    group: str
    files: tuple[tuple[str, str], ...]
    """(path, source) as in its stored folder, before the prelude is put in."""
    expects: frozenset[str]
    """Any of these outcomes will do."""
    detail: str = ""
    """What the fault must mention."""
    control: str = "breach"
    """``breach``, ``needs root``, ``if the kernel has it``, both of these, or ``none, <reason>``."""
    matches: int = 1
    """How many matches it plays, one after the other."""
    pause_ms: int = 0
    """How long the others take before it is asked again."""

    @property
    def attempts(self) -> bool:
        """Whether it tries a forbidden thing and reports, rather than failing to answer."""
        return "held" in self.expects

    def __str__(self) -> str:
        return f"{self.group}-{self.name}"


def read_bot(path: Path) -> Hostile:
    """Return a bot by its file; raises AssertionError when it does not say what is expected."""
    source = path.read_text(encoding="utf-8")
    said = dict(match.groups() for line in source.splitlines()[:8] if (match := _HEADER.fullmatch(line)))
    expects = frozenset(said.get("expects", "").split("|"))
    assert expects <= OUTCOMES, f"{path}: {expects - OUTCOMES} are no outcomes"
    shadow = Path(__file__).with_name("shadow.py").read_text(encoding="utf-8") if "shadows" in said else ""
    shadows = tuple((f"{module}.py", shadow) for module in said.get("shadows", "").split())
    return Hostile(
        name=path.stem,
        group=path.parent.name,
        files=(("bot.py", source), *shadows),
        expects=expects,
        detail=said.get("detail", ""),
        control=said.get("control", "breach"),
        matches=int(said.get("matches", "1")),
        pause_ms=int(said.get("pause", "0")),
    )


@cache
def hostile_bots() -> tuple[Hostile, ...]:
    """Return all of them, in the order of their groups and names."""
    return tuple(read_bot(path) for group in GROUPS for path in sorted((FOLDER / group).glob("*.py")))
