"""The cage: uploaded bots are hostile, and held. `spawn.caged` is the door; docs in deploy/CAGE.md.

Nothing here knows Django or a setting: whoever wants bots held says how, in a `Cage`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Cage:
    """How bots are held."""

    tier: str
    """One of `spawn.TIERS`; it is recorded with each match."""
    folder: Path
    """Where what bots may see of ours is laid out; made when it is first needed."""
    wheels: str = ""
    """A folder of libraries that Python bots may import; empty for none."""
    cgroup: bool = False
    """Whether each bot also gets a cgroup of its own."""
    prebuilt: bool = False
    """Whether a bot may be a program that came compiled, as a static ELF file."""
    grid: int = 4
    """The factor between the times at which answers are released to a table; 0 releases them as they come."""
