"""Conversion between a bot on disk and an upload."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from ftk_core.kit.archive import BadUpload
from ftk_core.kit.limits import UPLOAD, UploadLimits

Files = Iterable[tuple[str, bytes]]
"""Relative paths and contents."""


def packed(path: Path, limits: UploadLimits = UPLOAD) -> tuple[str, bytes]:
    """Return the name and content of the upload; raises BadUpload, OSError.

    A file is sent unchanged. A folder is sent as a .zip of its files, without hidden files and __pycache__.
    """
    if not path.is_dir():
        return path.name, path.read_bytes()
    body, left = io.BytesIO(), limits.unpacked_bytes
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, file in enumerate(files_in(path)):
            left -= file.stat().st_size
            if number >= limits.files:
                raise BadUpload("too_many_files", f"{path} holds more than {limits.files} files")
            if left < 0:
                raise BadUpload("bomb", f"{path} holds more than {limits.unpacked_bytes} bytes")
            archive.writestr(str(file.relative_to(path)), file.read_bytes())
    return f"{path.resolve().name}.zip", body.getvalue()


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the files of a bot's folder, always in the same order; raises BadUpload."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(names):
            file = Path(place, name)
            if not name.startswith("."):
                if not file.is_file():
                    raise BadUpload("not_a_file", f"{file} is no plain file")
                yield file


def lay_out(files: Files, folder: Path) -> None:
    """Write files into a folder, read-only."""
    for name, content in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o444)
