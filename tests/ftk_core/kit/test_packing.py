"""A folder is sent as a .zip of what is meant to be sent, and comes out of it as it went in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ftk_core.kit.archive import BadUpload, read_upload
from ftk_core.kit.limits import UPLOAD
from ftk_core.kit.packing import lay_out, packed

GOOD = "print('hello')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mybot"
    for name in ("bot.py", "lib/tables.json", ".git/config", ".hidden", "lib/__pycache__/x.pyc"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(GOOD)
    return folder


def test_hidden_and_compiled_files_stay_at_home(folder: Path) -> None:
    name, body = packed(folder)
    assert name == "mybot.zip"
    assert [path for path, _ in read_upload(name, body).files] == ["bot.py", "lib/tables.json"]


def test_a_file_is_sent_as_it_is(folder: Path) -> None:
    assert packed(folder / "bot.py") == ("bot.py", GOOD.encode())


def test_what_was_packed_is_laid_out_again_to_be_read_only(folder: Path, tmp_path: Path) -> None:
    lay_out(read_upload(*packed(folder)).files, tmp_path / "out")
    assert (tmp_path / "out" / "lib" / "tables.json").read_text() == GOOD
    assert (tmp_path / "out" / "bot.py").stat().st_mode & 0o222 == 0


@pytest.mark.parametrize(("limits", "code"), [({"files": 1}, "too_many_files"), ({"unpacked_bytes": 20}, "bomb")])
def test_a_folder_that_holds_too_much_is_not_read_to_its_end(folder: Path, limits: dict[str, int], code: str) -> None:
    with pytest.raises(BadUpload) as refused:
        packed(folder, replace(UPLOAD, **limits))
    assert refused.value.code == code


def test_what_is_no_plain_file_is_named(folder: Path) -> None:
    (folder / "link.py").symlink_to(folder / "nothing.py")
    with pytest.raises(BadUpload, match=r"link\.py is no plain file"):
        packed(folder)
