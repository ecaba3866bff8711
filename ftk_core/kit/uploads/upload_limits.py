"""Limits on uploaded bots: sizes, number of files, paths and file types."""

from __future__ import annotations

from dataclasses import dataclass

from ftk_core.kit.uploads.programming_languages import SUFFIXES

KIB, MIB = 1024, 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadLimits:
    """Limits on an uploaded bot."""

    packed_bytes: int = 1 * MIB
    unpacked_bytes: int = 4 * MIB
    """Maximum size after unpacking; counted while unpacking, whatever sizes the archive states."""
    files: int = 200
    depth: int = 6
    """Maximum number of nested folders above a file."""
    path_characters: int = 120
    manifest_bytes: int = 4 * KIB
    prebuilt: bool = False
    """True if compiled programs (static ELF files) are accepted."""
    suffixes: tuple[str, ...] = (*SUFFIXES, ".json", ".txt", ".md", ".csv", ".toml")


UPLOAD = UploadLimits()
