"""The shared library of native rules and its functions, loaded with ctypes."""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import POINTER, c_char_p, c_double, c_int, c_int8, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

MAX_SEATS = 12
"""Length of the arrays in the C interface that hold one value per seat."""


class NativePlayoutParameters(ctypes.Structure):
    """Parameters of many playouts (simulated matches) from one state: the struct `FtkPlayouts` of ``src/api.cpp``."""

    _fields_ = (
        ("name", c_char_p),
        ("name_size", c_size_t),
        ("first", c_int64),
        ("count", c_int64),
        ("luck", c_char_p),
        ("early", c_char_p * MAX_SEATS),
        ("deal", c_int),
        ("seat", c_int),
        ("item", c_int),
        ("viewer", c_int),
        ("policy", c_int),
        ("threads", c_int),
        ("items", POINTER(c_int32)),
        ("item_count", c_int),
        ("later", c_int),
    )


class NativeSearchParameters(ctypes.Structure):
    """Parameters of a search for the best choice: the struct `SearchTerms` of ``src/search.hpp``."""

    _fields_ = (("seed", c_uint64), ("budget", c_int64), ("seat", c_int), ("policy", c_int))


class LearningStepPointers(ctypes.Structure):
    """Pointers to the input and output arrays of one step of parallel matches.

    It is the struct `LearningStep` of ``src/learning.hpp``, for reinforcement learning.
    """

    _fields_ = tuple(
        (name, c_void_p)
        for name in (
            "actions", "observations", "masks", "seats", "sizes", "rewards", "shares", "over", "excused",
        )
    )  # fmt: skip


class NativeObjectHandle(c_void_p):
    """Pointer to an object of the library; false if it is null."""


_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "ftk_game_version": (c_int, [c_char_p]),
    "ftk_error": (c_char_p, []),
    "ftk_new": (NativeObjectHandle, [c_char_p, c_int, c_char_p, c_size_t]),
    "ftk_free": (None, [c_void_p]),
    "ftk_copy": (NativeObjectHandle, [c_void_p]),
    "ftk_seed": (None, [c_void_p, c_char_p]),
    "ftk_seed_fast": (None, [c_void_p, c_uint64]),
    "ftk_seats": (c_int, [c_void_p]),
    "ftk_seats_due": (c_int, [c_void_p]),
    "ftk_menu_size": (c_int, [c_void_p, c_int]),
    "ftk_quick": (c_int, [c_void_p, c_int, c_char_p]),
    "ftk_next_question": (c_int64, [c_void_p]),
    "ftk_choose": (c_int64, [c_void_p, c_int]),
    "ftk_step": (c_int, [c_void_p, c_int, c_int]),
    "ftk_resample": (c_int, [c_void_p, c_int]),
    "ftk_set_state": (c_int, [c_void_p, c_char_p, c_size_t]),
    "ftk_apply": (c_int, [c_void_p, c_char_p, c_size_t]),
    "ftk_worlds_new": (NativeObjectHandle, [c_void_p, c_int]),
    "ftk_worlds_free": (None, [c_void_p]),
    "ftk_worlds_deal": (c_int64, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "ftk_state": (c_int64, [c_void_p, POINTER(c_void_p)]),
    "ftk_view": (c_int64, [c_void_p, c_int, POINTER(c_void_p)]),
    "ftk_menu": (c_int64, [c_void_p, c_int, POINTER(c_void_p)]),
    "ftk_result": (c_int64, [c_void_p, POINTER(c_void_p)]),
    "ftk_deal": (c_int64, [c_void_p, POINTER(c_void_p)]),
    "ftk_follow_action": (c_int64, [c_void_p, c_int, c_char_p, c_size_t, POINTER(c_void_p)]),
    "ftk_rerun": (c_int64, [c_void_p, c_char_p, c_size_t, POINTER(c_void_p)]),
    "ftk_playouts": (c_int64, [c_void_p, POINTER(NativePlayoutParameters), POINTER(c_int8)]),
    "ftk_likely_playouts": (
        c_int64, [c_void_p, POINTER(NativePlayoutParameters), c_int, POINTER(c_int8), POINTER(c_double)],
    ),
    "ftk_play_fast": (c_int64, [c_void_p, c_uint64, c_int64, c_int]),
    "ftk_search_spent": (c_int64, [c_void_p]),
    "ftk_search": (c_int, [c_void_p, POINTER(NativeSearchParameters), POINTER(c_double), POINTER(c_int64)]),
    "ftk_learning_new": (
        NativeObjectHandle,
        [c_char_p, c_int, c_char_p, c_size_t, c_int, c_char_p, c_char_p, c_int, c_int, c_int, c_int],
    ),
    "ftk_learning_free": (None, [c_void_p]),
    "ftk_learning_deal": (c_int, [c_void_p, c_int, c_char_p, POINTER(c_int32)]),
    "ftk_learning_answer": (c_int, [c_void_p, c_int, POINTER(c_int32), POINTER(c_int32)]),
    "ftk_learning_observe": (c_int, [c_void_p, c_int, c_int, c_void_p]),
    "ftk_learning_menu": (c_int, [c_void_p, c_int, c_int, c_void_p, c_int]),
    "ftk_learning_places": (c_int, [c_void_p, c_int, POINTER(c_int8)]),
    "ftk_learning_series": (c_int, [c_void_p, c_char_p]),
    "ftk_learning_step": (c_int, [c_void_p, POINTER(LearningStepPointers)]),
    "ftk_learning_deal_again": (c_int, [c_void_p, POINTER(LearningStepPointers)]),
}  # fmt: skip


_CALLED_FOR_EACH_CHOICE = ("ftk_choose", "ftk_next_question", "ftk_learning_answer", "ftk_learning_observe")
"""Functions that run for a few microseconds. They are called without conversion of arguments (which must be
`NativeObjectHandle`, ctypes objects or int), and keep the interpreter lock: a call then takes 0.35 microseconds
instead of 0.5.
"""


class NativeError(Exception):
    """Raised if the native rules refuse an input. The message gives the reason."""


SOURCES = Path(__file__).with_name("src")
ENGINE_VARIABLE, ENGINE_FILE = "FTK_ENGINE", "libftk.so"
"""Environment variable that gives bots the library's path, and the library's file name in a sandbox without sources."""


@cache
def digest_sources() -> str:
    """Return a digest of the C++ sources, in 16 hexadecimal digits."""
    digest = sha256()
    for path in sorted(SOURCES.rglob("*.[ch]pp")):
        digest.update(str(path.relative_to(SOURCES)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def library_path() -> Path:
    """Return the path of the library for the present sources, built or not."""
    # It lies beside the sources if that folder is writable, else in the user's cache folder. In a sandbox without
    # sources it is `libftk.so` beside the package.
    if not SOURCES.is_dir():
        return Path(__file__).parents[2] / ENGINE_FILE
    suffix = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    name = f"ftk_native-{digest_sources()}{suffix}"
    beside = SOURCES.with_name("compiled") / name
    if beside.exists() or os.access(SOURCES.parent, os.W_OK):
        return beside
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ftk" / name


@cache
def load_library() -> ctypes.CDLL | None:
    """Return the library; None if it is not built or the environment variable FTK_NATIVE is 0."""
    if os.environ.get("FTK_NATIVE") == "0":
        return None
    try:
        library, locked = ctypes.CDLL(str(library_path())), ctypes.PyDLL(str(library_path()))
    except OSError:
        return None
    for name, (result, arguments) in _SIGNATURES.items():
        if name in _CALLED_FOR_EACH_CHOICE:
            setattr(library, name, getattr(locked, name))
        else:
            getattr(library, name).argtypes = arguments
        getattr(library, name).restype = result
    return library


def last_error(library: ctypes.CDLL) -> str:
    """Return the message of the last error that a function of the library reported in this thread."""
    message: bytes = library.ftk_error()
    return message.decode(errors="replace")
