"""A writer of .zip archives in which every field can be wrong."""

from __future__ import annotations

import stat
import struct
import zlib
from dataclasses import dataclass

GOOD = b"print('hello')\n"
STORED, DEFLATED = 0, 8
FILE = stat.S_IFREG | 0o644


@dataclass(frozen=True, slots=True)
class Entry:
    """One file and its two headers; a field that is None gets its true value."""

    name: str | bytes = "bot.py"
    data: bytes = GOOD
    method: int = DEFLATED
    flags: int = 0
    mode: int = FILE
    packed: bytes | None = None
    """Bytes in the archive in place of the data."""
    claimed: int | None = None
    """Declared length of the data."""
    crc: int | None = None
    local_name: bytes | None = None
    """File name in the local header."""
    offset: int | None = None
    """Declared offset of the local header; if it is given, no local header and no data are written."""
    extra: bytes = b""
    version: int = 20
    """Declared version of the ZIP format that a reader needs, times ten."""


def _raw(name: str | bytes) -> bytes:
    return name if isinstance(name, bytes) else name.encode()


def _deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def archive(*entries: Entry, before: bytes = b"", after: bytes = b"", count: int | None = None) -> bytes:
    """Return the archive with these bytes before and after it; `count` is the declared number of files."""
    body, directory = bytearray(before), bytearray()
    for entry in entries:
        start = len(body) if entry.offset is None else entry.offset
        content = _deflated(entry.data) if entry.method == DEFLATED else entry.data
        content = content if entry.packed is None else entry.packed
        size = len(entry.data) if entry.claimed is None else entry.claimed
        crc = zlib.crc32(entry.data) if entry.crc is None else entry.crc
        name = _raw(entry.name)
        local = name if entry.local_name is None else entry.local_name
        mode = stat.S_IFDIR | 0o755 if name.endswith(b"/") else entry.mode
        told = struct.pack("<HHHHHLLL", entry.version, entry.flags, entry.method, 0, 33, crc, len(content), size)
        if entry.offset is None:
            body += b"PK\3\4" + told + struct.pack("<HH", len(local), 0) + local + content
        directory += b"PK\1\2" + struct.pack("<H", 0x0314) + told
        directory += struct.pack("<HHHHHLL", len(name), len(entry.extra), 0, 0, 0, mode << 16, start)
        directory += name + entry.extra
    number = len(entries) if count is None else count
    tail = struct.pack("<HHHHLLH", 0, 0, number & 0xFFFF, number & 0xFFFF, len(directory), len(body), 0)
    return bytes(body + directory) + b"PK\5\6" + tail + after


def plain(*names: str, content: bytes = GOOD) -> bytes:
    """Return an archive of valid entries."""
    return archive(*(Entry(name, content) for name in names))
