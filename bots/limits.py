"""How much a bot may use and an upload may hold: every limit in one table."""

from __future__ import annotations

from dataclasses import dataclass

KIB, MIB = 1024, 1024 * 1024


@dataclass(frozen=True, slots=True)
class CageLimits:
    """What one bot process is held to by the kernel; the referee's clocks come before these."""

    cpu_seconds: int = 60
    """A backstop behind the referee's own clock."""
    memory_bytes: int = 256 * MIB
    """Of address space; of data in a runtime with threads, which reserves far more than it uses."""
    descriptors: int = 16
    threads: int = 32
    """For runtimes that cannot do without them (node)."""
    boot_seconds: float = 10
    """As long as the cage may take to close; a bot's own start is on its own clock."""


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """What an upload may hold."""

    packed_bytes: int = 1 * MIB
    unpacked_bytes: int = 4 * MIB
    """Counted while unpacking, whatever the archive claims."""
    files: int = 200
    depth: int = 6
    """Folders above a file."""
    path_characters: int = 120
    manifest_bytes: int = 4 * KIB
    suffixes: tuple[str, ...] = (".py", ".json", ".txt", ".md", ".csv", ".toml", ".js", ".c", ".h")


LANGUAGES = {"python": ".py", "node": ".js", "c": ".c"}
"""What a command may begin with, and how the file ends that it starts (or, in C, compiles)."""
CAGE = CageLimits()
UPLOAD = UploadLimits()
