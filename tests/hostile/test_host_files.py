"""Files of the host: a bot sees those that its runtime needs, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.sandbox.shared_library_discovery import LOCALE, list_common_libraries
from tests.support.machine import working_backends
from tests.support.sandbox.bots import run_lines_in

MOST_FILES = 400
"""Maximum number of files that a bot sees. The machine's own /usr/lib has tens of thousands."""
COUNTS = """
import os
found = [name for place in ("/usr", "/lib", "/lib64") for _, _, names in os.walk(place) for name in names]
return len(found)
"""
IMPORTS = """
import bz2, ctypes, decimal, hashlib, lzma, math, random, sqlite3, ssl, zlib
return sqlite3.connect(":memory:").execute("select 1").fetchone(), hashlib.sha3_256(b"").hexdigest()[:4]
"""
READ = "return open('/usr/lib/os-release').read()"


@pytest.mark.parametrize("backend", [backend for backend in working_backends() if backend != "landlock"])
def test_a_bot_can_see_only_the_few_host_files_that_its_runtime_needs(backend: str, tmp_path: Path) -> None:
    assert 0 < int(run_lines_in(backend, tmp_path, COUNTS)) < MOST_FILES


@pytest.mark.parametrize("backend", working_backends())
def test_a_bot_cannot_read_host_files_that_its_runtime_does_not_need(backend: str, tmp_path: Path) -> None:
    assert Path("/usr/lib/os-release").is_file()
    assert "Error: [Errno" in run_lines_in(backend, tmp_path, READ)


@pytest.mark.parametrize("backend", working_backends())
def test_a_sandboxed_bot_can_import_all_standard_library_modules(backend: str, tmp_path: Path) -> None:
    assert run_lines_in(backend, tmp_path, IMPORTS) == "((1,), 'a7ff')"


def test_a_system_interpreter_in_the_sandbox_finds_its_shared_libraries(tmp_path: Path) -> None:
    found = list_common_libraries("/usr/bin/env", str(tmp_path), (), "")
    assert {"libc.so.6", "libstdc++.so.6"} <= {Path(path).name for path in found}
    assert all(Path(path).is_file() or path == LOCALE for path in found)
