"""Build of the library of native rules for tests that need it, and a check that this machine can build it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from ftk_core.native.build import NativeBuildError, build, find_compiler
from ftk_core.native.shared_rules_library import load_library

WARNING_FLAGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
"""Additional compiler flags. Users build without them: a newer compiler may warn more and still build correctly."""


def can_build() -> bool:
    """Return True if this machine has a C++ compiler. The arena and the other tests work without a compiler."""
    try:
        return bool(find_compiler())
    except NativeBuildError:
        return False


def build_and_load() -> None:
    """Build and load the native rules; raise NativeBuildError."""
    build()
    load_library.cache_clear()
    assert load_library(), "FTK_NATIVE=0 switches the native rules off"


@contextmanager
def enable_native_rules() -> Iterator[None]:
    """Load the native rules for one test, even where FTK_NATIVE=0 switches them off for the others."""
    switch = os.environ.pop("FTK_NATIVE", None)
    try:
        build_and_load()
        yield
    finally:
        if switch is not None:
            os.environ["FTK_NATIVE"] = switch
        load_library.cache_clear()
