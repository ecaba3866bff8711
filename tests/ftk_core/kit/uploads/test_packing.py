"""A folder is packed as a .zip of its source files and unpacks unchanged."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.kit.uploads.upload_limits import UPLOAD
from ftk_core.kit.uploads.upload_packing import pack_bot, write_read_only
from ftk_core.kit.uploads.upload_validation import read_upload

GOOD = "print('hello')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mybot"
    for name in ("bot.py", "lib/tables.json", ".git/config", ".hidden", "lib/__pycache__/x.pyc"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(GOOD)
    return folder


def test_hidden_and_compiled_files_of_a_bot_folder_are_not_uploaded(folder: Path) -> None:
    name, body = pack_bot(folder)
    assert name == "mybot.zip"
    assert [path for path, _ in read_upload(name, body).files] == ["bot.py", "lib/tables.json"]


def test_files_behind_a_linked_folder_are_uploaded_but_a_link_to_a_parent_folder_is_not_followed(folder: Path) -> None:
    shared = folder.parent / "shared"
    shared.mkdir()
    (shared / "search.py").write_text(GOOD)
    (folder / "common").symlink_to(shared)
    (folder / "lib" / "top").symlink_to(folder)
    name, body = pack_bot(folder)
    assert [path for path, _ in read_upload(name, body).files] == ["bot.py", "common/search.py", "lib/tables.json"]


def test_a_bot_that_is_a_single_file_is_uploaded_unchanged(folder: Path) -> None:
    assert pack_bot(folder / "bot.py") == ("bot.py", GOOD.encode())


def test_a_packed_folder_is_unpacked_read_only(folder: Path, tmp_path: Path) -> None:
    write_read_only(read_upload(*pack_bot(folder)).files, tmp_path / "out")
    assert (tmp_path / "out" / "lib" / "tables.json").read_text() == GOOD
    assert (tmp_path / "out" / "bot.py").stat().st_mode & 0o222 == 0


@pytest.mark.parametrize(("limits", "code"), [({"files": 1}, "too_many_files"), ({"unpacked_bytes": 20}, "bomb")])
def test_a_folder_over_the_size_limit_is_refused_before_all_files_are_read(
    folder: Path, limits: dict[str, int], code: str
) -> None:
    (folder / "lib/tables.json").chmod(0)  # reading this file would raise PermissionError
    with pytest.raises(InvalidUploadError) as refused:
        pack_bot(folder, replace(UPLOAD, **limits))
    assert refused.value.code == code


def test_packing_a_folder_with_a_special_file_fails_and_prints_its_name(folder: Path) -> None:
    (folder / "link.py").symlink_to(folder / "nothing.py")
    with pytest.raises(InvalidUploadError, match=r"link\.py is not a plain file"):
        pack_bot(folder)


def test_an_unpacked_folder_is_readable_for_all_users_whatever_the_umask_is(folder: Path, tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        write_read_only(read_upload(*pack_bot(folder)).files, tmp_path / "out")
    finally:
        os.umask(before)
    assert (tmp_path / "out" / "lib").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "out" / "lib" / "tables.json").stat().st_mode & 0o777 == 0o444
