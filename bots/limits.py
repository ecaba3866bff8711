"""How much a bot may use and an upload may hold: every limit in one table."""

from __future__ import annotations

from dataclasses import dataclass

KIB, MIB = 1024, 1024 * 1024


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What one bot process is held to by the kernel."""

    cpu_seconds: int = 120
    """A backstop behind the referee's own clock."""
    memory_bytes: int = 256 * MIB
    processes: int = 16
    file_bytes: int = 1 * MIB
    """The largest file it may write, in its own temporary folder only."""
    descriptors: int = 32


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


PROCESS = ProcessLimits()
UPLOAD = UploadLimits()
