"""Validation of a compiled program without running it: a static ELF program for this machine.

Source: System V ABI, chapters 4 and 5 (ELF header, program header, dynamic section), for 64 bits.
"""

from __future__ import annotations

import platform
import struct
from functools import partial
from gettext import gettext

MAGIC = b"\x7fELF"
MACHINES = {62: "x86_64", 183: "aarch64"}
"""Machine number in the ELF header -> machine name in Linux."""
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_CLASS_64, _LITTLE = 2, 1
_EXECUTABLE, _POSITION_INDEPENDENT = 2, 3
_DYNAMIC, _INTERPRETER = 2, 3
_NEEDED = 1
_MAX_SEGMENTS = 64


def find_elf_flaw(content: bytes) -> str:
    """Return the reason why a program cannot start on this machine; empty if it can."""
    machine = platform.machine()
    if not content.startswith(MAGIC):
        return gettext("it is not an ELF program")
    if len(content) < _HEADER.size or (content[4], content[5]) != (_CLASS_64, _LITTLE):
        return gettext("it is not a 64-bit little-endian ELF program")
    _, kind, made_for, _, _, at, _, _, _, size, count, *_ = _HEADER.unpack_from(content)
    if MACHINES.get(made_for) != machine:
        return gettext("it is made for {f}, and this is {machine}").format(
            f=MACHINES.get(made_for, gettext("machine {made_for}").format(made_for=made_for)), machine=machine
        )
    if kind not in (_EXECUTABLE, _POSITION_INDEPENDENT):
        return gettext("it is an object file or a library, not a program")
    if size != _SEGMENT.size or not 0 < count <= _MAX_SEGMENTS or at + size * count > len(content):
        return gettext("its table of segments cannot be read")
    if any(map(partial(_is_dynamic, content), range(at, at + size * count, size))):
        return gettext("it wants a dynamic linker or shared libraries: link it statically")
    return ""


def _is_dynamic(content: bytes, at: int) -> bool:
    segment, _, offset, _, _, length, _, _ = _SEGMENT.unpack_from(content, at)
    return segment == _INTERPRETER or (segment == _DYNAMIC and _needs(content[offset : offset + length]))


def _needs(dynamic: bytes) -> bool:
    complete_length = len(dynamic) - len(dynamic) % 16
    return any(tag == _NEEDED for tag, _ in struct.iter_unpack("<QQ", dynamic[:complete_length]))
