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
    (tmp_path / "shared").mkdir()
    (folder / "lib").symlink_to(tmp_path / "shared")
    source = '#include <stdio.h>\nint main(void) { puts(\n#include "book.txt"\n#include "lib/book.h"\n); return 0; }\n'
    (folder / "bot.c").write_text(source)
    said = []
    for book, inner_book in (('"one"', ""), ('"two"', ""), ('"two"', ""), ('"two"', '" and three"')):
        (folder / "book.txt").write_text(book)
        (folder / "lib/book.h").write_text(inner_book)
        program = compile_source("c", folder, "bot.c")
        said.append((program, subprocess.run([program], capture_output=True, text=True, check=True).stdout))
    assert [text for _, text in said] == ["one\n", "two\n", "two\n", "two and three\n"]
    assert said[1] == said[2]


def test_a_bot_is_not_compiled_again_after_a_change_of_files_that_uploads_may_not_contain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "bot"
    (folder / ".git").mkdir(parents=True)
    (folder / "bot.c").write_text("int main(void) { return 0; }\n")
    program = compile_source("c", folder, "bot.c")
    for name in ("match.jsonl", ".hidden.txt", ".git/config.txt"):
        (folder / name).write_text("one more line\n")
        assert compile_source("c", folder, "bot.c") == program, name
