"""Packing of a bot's files for an upload, and writing of an upload's files to a folder."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterable, Iterator
from gettext import gettext as _
from pathlib import Path

from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.kit.uploads.upload_limits import UPLOAD, UploadLimits
from ftk_core.kit.uploads.zip_reader import build_excessive_data_error

Files = Iterable[tuple[str, bytes]]
"""Pairs (relative path, content)."""


def pack_bot(path: Path, limits: UploadLimits = UPLOAD) -> tuple[str, bytes]:
    """Pack a bot for an upload; return file name and content. Raises InvalidUploadError, OSError.

    A folder becomes a .zip without hidden files and __pycache__. A single file stays unchanged.
    """
    if not path.is_dir():
        return path.name, path.read_bytes()
    body, left, data_left = io.BytesIO(), limits.unpacked_bytes, limits.data_bytes
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, file in enumerate(files_in(path)):
            is_data, size = file.suffix in limits.data_suffixes, file.stat().st_size
            left, data_left = left - size * (not is_data), data_left - size * is_data
            if number >= limits.files:
                raise InvalidUploadError(
                    "too_many_files", _("{path} holds more than {files} files").format(path=path, files=limits.files)
                )
            if data_left < 0:
                raise build_excessive_data_error(file, limits)
            if left < 0:
                raise InvalidUploadError(
                    "bomb",
                    _("{path} holds more than {unpacked_bytes} bytes").format(
                        path=path, unpacked_bytes=limits.unpacked_bytes
                    ),
                )
            archive.writestr(file.relative_to(path).as_posix(), file.read_bytes())
    return f"{path.resolve().name}.zip", body.getvalue()


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the paths of all files in a bot's folder, sorted, without hidden files.

    Raises InvalidUploadError for anything that is not a plain file.
    """
    for place, names in walk_shown_folders(folder):
        for name in sorted(names):
            file = Path(place, name)
            if not name.startswith("."):
                if not file.is_file():
                    raise InvalidUploadError("not_a_file", _("{file} is not a plain file").format(file=file))
                yield file


def walk_shown_folders(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield a folder and its subfolders with the names of their files, without hidden folders and `__pycache__`.

    Symbolic links to folders are followed, as compilers and Python follow them, but not into a folder above the link.
    """
    for place, folders, names in os.walk(folder, followlinks=True):
        above = {os.path.realpath(path) for path in (Path(place), *Path(os.path.abspath(place)).parents)}
        shown = (name for name in folders if not name.startswith(".") and name != "__pycache__")
        folders[:] = sorted(name for name in shown if os.path.realpath(Path(place, name)) not in above)
        yield Path(place), names


def write_read_only(files: Files, folder: Path) -> None:
    """Write files into a folder, make them read-only, and let all users read them."""
    for name, content in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o444)
    let_all_users_read(folder)


def let_all_users_read(folder: Path) -> None:
    """Let all users read the files and subfolders of a folder."""
    # A bot may run as another user than this process, whose umask may forbid other users to read new files.
    for place, folders, files in os.walk(folder):
        for name in folders:
            _add_mode(Path(place, name), 0o755)
        for name in files:
            _add_mode(Path(place, name), 0o444)


def _add_mode(path: Path, bits: int) -> None:
    mode = path.stat().st_mode & 0o777
    if mode & bits != bits:
        path.chmod(mode | bits)
