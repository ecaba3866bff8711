"""The sandbox for uploaded bots, which are assumed to be hostile.

The entry point is `spawn.caged`; deploy/CAGE.md documents the design. Nothing here depends on Django or its settings:
callers pass a `Cage`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Cage:
    """Configuration of the sandbox."""

    tier: str
    """Sandbox backend, one of `spawn.TIERS`; it is recorded with each match."""
    folder: Path
    """Folder for the files of ours that bots may see; created when it is first needed."""
    wheels: str = ""
    """A folder of libraries that Python bots may import; empty for none."""
    cgroup: bool = False
    """True if each bot also gets its own cgroup."""
    prebuilt: bool = False
    """True if uploaded compiled programs (static ELF files) are accepted."""
    grid: int = 4
    """Factor between the grid times at which answers are released to a table; 0 releases them immediately."""
