"""Checks of binary data files, such as trained weights, by their format.

Sources: the formats NPY (numpy.lib.format) and safetensors.
"""
# Nothing in the files is executed or unpickled.

from __future__ import annotations

import ast
import math
import re
import struct
import sys
from collections.abc import Callable, Sequence
from gettext import gettext as _
from pathlib import PurePosixPath
from typing import Any

import msgspec

DATA_SUFFIXES = (".npy", ".npz", ".safetensors", ".bin")
PROGRAM_BEGINNINGS = (
    b"\x7fELF", b"MZ", b"#!", b"\0asm", b"\xca\xfe\xba\xbe", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe", b"!<arch>",
)  # fmt: skip
"""First bytes of programs and libraries for Linux, Windows, macOS, Java and WebAssembly, and of scripts."""
ARCHIVE_BEGINNINGS = (b"PK\3\4", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf")
PICKLE_BEGINNING = b"\x80"
NPY_BEGINNING = b"\x93NUMPY"
MAX_NPY_HEADER_BYTES = 10_000
"""Maximum size of an .npy header in bytes. It is also the default limit of numpy."""
_NUMBERS = re.compile(r"[<>|=]?([biufc])(\d{1,2})|\|?\?")


def find_data_flaw(path: str, content: bytes) -> str:
    """Return the reason why a data file is invalid; empty if it is valid.

    The caller must unpack an .npz file and check each array.
    """
    if content.startswith(PROGRAM_BEGINNINGS):
        return _("it is a program")
    return _FLAW_FINDERS[PurePosixPath(path).suffix](content)


def _find_npy_flaw(content: bytes) -> str:
    try:
        begin, header = _read_npy_header(content)
        kind, shape = header["descr"], header["shape"]
        numbers = _NUMBERS.fullmatch(kind) if isinstance(kind, str) else None
        if numbers is None:
            return _("it holds objects or records: save plain numbers")
        size = _read_size(shape, int(numbers[2] or 1))
    except (LookupError, ValueError, TypeError, SyntaxError, RecursionError, MemoryError, struct.error):
        return _("it is not a .npy file that can be read")
    if len(content) - begin != size:
        return _("it has {got} bytes of numbers, and its header says {size}").format(
            got=len(content) - begin, size=size
        )
    return ""


def _read_npy_header(content: bytes) -> tuple[int, dict[str, Any]]:
    """Return the pair (byte offset of the array data, header as a dict) of an .npy file."""
    if not content.startswith(NPY_BEGINNING):
        raise ValueError
    is_short = content[6] == 1
    (length,) = struct.unpack_from("<H" if is_short else "<I", content, 8)
    begin = (10 if is_short else 12) + length
    if content[6] not in (1, 2, 3) or length > MAX_NPY_HEADER_BYTES or begin > len(content):
        raise ValueError
    header = ast.literal_eval(content[begin - length : begin].decode())
    if not isinstance(header, dict):
        raise TypeError
    return begin, header


def _read_size(shape: Sequence[object], number_bytes: int) -> int:
    """Return the size in bytes of an array; raises ValueError if it is too large for numpy."""
    size = math.prod(_read_length(length) for length in shape) * number_bytes
    if size > sys.maxsize:
        raise ValueError
    return size


def _read_length(length: object) -> int:
    if type(length) is not int or not 0 <= length < 1 << 40:
        raise ValueError
    return length


class _Tensor(msgspec.Struct, forbid_unknown_fields=True):
    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


def _find_safetensors_flaw(content: bytes) -> str:
    try:
        (length,) = struct.unpack_from("<Q", content)
        header = msgspec.json.decode(content[8 : 8 + length], type=dict[str, Any])
        header.pop("__metadata__", None)
        ends = [msgspec.convert(tensor, _Tensor).data_offsets for tensor in header.values()]
    except (struct.error, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _("it is not a .safetensors file that can be read")
    left = len(content) - 8 - length
    if any(not 0 <= begin <= end <= left for begin, end in ends):
        return _("a tensor in it lies beyond its end")
    return ""


def _find_raw_flaw(content: bytes) -> str:
    if content.startswith(ARCHIVE_BEGINNINGS):
        return _("it is an archive")
    if content.startswith(PICKLE_BEGINNING) and content.endswith(b"."):
        return _("it is a pickle, which can run code: save plain numbers")
    return ""


_FLAW_FINDERS: dict[str, Callable[[bytes], str]] = {
    ".npy": _find_npy_flaw,
    ".npz": lambda content: "" if content.startswith(b"PK") else _("it is not a .npz file that can be read"),
    ".safetensors": _find_safetensors_flaw,
    ".bin": _find_raw_flaw,
}
