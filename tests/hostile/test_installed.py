"""A bot sees the files that its runtime needs, and no others of what is installed on the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.cage.libraries import LOCALE, common_libraries
from tests.support.cage.bots import note_of
from tests.support.machine import held_tiers

MOST_FILES = 400
"""The machine's own /usr/lib holds tens of thousands."""
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


@pytest.mark.parametrize("tier", [tier for tier in held_tiers() if tier != "landlock"])
def test_a_bot_finds_few_files_of_the_machine(tier: str, tmp_path: Path) -> None:
    assert 0 < int(note_of(tier, tmp_path, COUNTS)) < MOST_FILES


@pytest.mark.parametrize("tier", held_tiers())
def test_a_bot_reads_none_of_the_machines_other_files(tier: str, tmp_path: Path) -> None:
    assert Path("/usr/lib/os-release").is_file()
    assert "Error: [Errno" in note_of(tier, tmp_path, READ)


@pytest.mark.parametrize("tier", held_tiers())
def test_all_of_pythons_own_modules_find_their_libraries(tier: str, tmp_path: Path) -> None:
    assert note_of(tier, tmp_path, IMPORTS) == "((1,), 'a7ff')"


def test_an_interpreter_among_the_systems_own_programs_finds_its_libraries(tmp_path: Path) -> None:
    found = common_libraries("/usr/bin/env", str(tmp_path), (), "")
    assert {"libc.so.6", "libstdc++.so.6"} <= {Path(path).name for path in found}
    assert all(Path(path).is_file() or path == LOCALE for path in found)
