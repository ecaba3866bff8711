"""Change of a file of `ftk_core` for the computation of build ids, without a change on the disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import ftk_core
from ftk_core.analysis.analysis_build_ids import analysis_build_of
from ftk_core.games import build_of
from ftk_core.native.shared_rules_library import digest_sources, load_library

CORE = Path(ftk_core.__file__).parent


@contextmanager
def one_line_more_in(file: str) -> Iterator[None]:
    """Let a file of `ftk_core` end with one more line, and compute all build ids anew."""
    read, changed = Path.read_bytes, CORE / file
    assert changed.is_file()
    load_library()  # its file's name is a digest of the C++ sources
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "read_bytes", lambda path: read(path) + b"\n" * (path == changed))
        _clear_caches()
        yield
    _clear_caches()


def _clear_caches() -> None:
    for cached in (analysis_build_of, build_of, digest_sources):
        cached.cache_clear()
