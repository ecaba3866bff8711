"""Compilation of bots on the author's machine."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ftk_core.kit.uploads.bot_compilation import compile_source


def test_a_bot_is_compiled_again_after_any_file_that_its_source_may_include_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.c").write_text('#include <stdio.h>\nint main(void) { puts(\n#include "book.txt"\n); return 0; }\n')
    said = []
    for book in ('"one"', '"two"', '"two"'):
        (folder / "book.txt").write_text(book)
        program = compile_source("c", folder, "bot.c")
        said.append((program, subprocess.run([program], capture_output=True, text=True, check=True).stdout))
    assert [text for _, text in said] == ["one\n", "two\n", "two\n"]
    assert said[1] == said[2]
