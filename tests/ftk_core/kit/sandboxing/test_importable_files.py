"""Bots import the search engine from a folder with only the files that the sandbox gives them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ftk_core.kit.sandboxing.sandbox_files_and_environment import (
    ENVIRONMENT,
    IMPORTABLE_FILES,
    INTERPRETER_FLAGS,
    write_importable_files,
)
from ftk_core.native.shared_rules_library import load_library


def run_in_folder(folder: Path, program: str) -> str:
    """Run a program as the sandbox starts Python, with only this folder to import from. Return its output or error."""
    done = subprocess.run(
        [sys.executable, *INTERPRETER_FLAGS, "-c", program],
        cwd=folder, env={**ENVIRONMENT, "PYTHONPATH": str(folder)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.strip() or done.stderr


@pytest.mark.parametrize("file", IMPORTABLE_FILES)
def test_each_importable_file_can_be_imported_without_any_other_file_of_the_project(file: str, tmp_path: Path) -> None:
    write_importable_files(tmp_path)
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert run_in_folder(tmp_path, f"import {module} as module; print(module.__file__)") == str(tmp_path / file)


def test_the_search_engine_for_bots_finds_the_native_rules_beside_the_importable_files_if_they_are_built(
    tmp_path: Path,
) -> None:
    write_importable_files(tmp_path)
    output = run_in_folder(
        tmp_path, "from ftk_core.kit.engine import NativeMatch; print(NativeMatch('pig', 2).seats_due())"
    )
    assert output == "(0,)" if load_library() else "the native library is not built" in output
