"""All limits of an upload in one table."""

from __future__ import annotations

from dataclasses import dataclass

from ftk_core.kit.languages import SUFFIXES

KIB, MIB = 1024, 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadLimits:
    """Limits of an upload."""

    packed_bytes: int = 1 * MIB
    unpacked_bytes: int = 4 * MIB
    """Counted while unpacking, independent of the sizes that the archive states."""
    files: int = 200
    depth: int = 6
    """Maximum number of folders above a file."""
    path_characters: int = 120
    manifest_bytes: int = 4 * KIB
    prebuilt: bool = False
    """True if compiled programs (static ELF files) are accepted."""
    suffixes: tuple[str, ...] = (*SUFFIXES, ".json", ".txt", ".md", ".csv", ".toml")


UPLOAD = UploadLimits()
