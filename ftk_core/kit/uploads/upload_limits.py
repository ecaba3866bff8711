"""Limits on uploaded bots: sizes, number of files, paths and file types."""

from __future__ import annotations

from dataclasses import dataclass

from ftk_core.kit.uploads.data_file_validation import DATA_SUFFIXES
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
    data_bytes: int = 8 * MIB
    """Maximum total size of binary data files, which do not count toward the other limits on sizes; 0 forbids them."""
    data_suffixes: tuple[str, ...] = DATA_SUFFIXES

    def max_bytes(self, name: str) -> int:
        """Return the maximum size in bytes of an upload with this file name."""
        return self.packed_bytes if name.endswith(".py") else self.packed_bytes + self.data_bytes

    @property
    def allowed_suffixes(self) -> tuple[str, ...]:
        """All suffixes that a file in an archive may have."""
        return (*self.suffixes, *(self.data_suffixes if self.data_bytes else ()))


UPLOAD = UploadLimits()
