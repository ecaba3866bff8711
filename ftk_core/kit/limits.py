"""How much an upload may hold: every limit in one table."""

from __future__ import annotations

from dataclasses import dataclass

from ftk_core.kit.languages import SUFFIXES

KIB, MIB = 1024, 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
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
    prebuilt: bool = False
    """Whether a program may come compiled, as a static ELF file."""
    suffixes: tuple[str, ...] = (*SUFFIXES, ".json", ".txt", ".md", ".csv", ".toml")


UPLOAD = UploadLimits()
