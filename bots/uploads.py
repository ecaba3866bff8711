"""Read an upload in memory, believing nothing in it: one ``.py`` file, or a ``.zip``.

Nothing is ever extracted to a path of the archive's choosing, compiled or imported here.
"""

from __future__ import annotations

import io
import re
import shlex
import stat
import tomllib
import zipfile
import zlib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath

from bots.limits import UPLOAD, UploadLimits

ENTRY_POINT = "bot.py"
MANIFEST = "bot.toml"
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*")


class BadUpload(Exception):
    """Raised for what is not a bot; `code` is short and stable, the message names the cause and the remedy."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Upload:
    """A bot's files, as they will be laid out in a read-only folder."""

    files: tuple[tuple[str, bytes], ...]
    """(path, content), sorted by path."""
    command: tuple[str, ...]
    """What starts it, relative to the folder: ``("python", "bot.py")``."""

    @property
    def digest(self) -> str:
        """SHA-256 over the paths and contents, in hexadecimal: the version's identity."""
        total = sha256()
        for path, content in self.files:
            total.update(f"{path}\0{len(content)}\0".encode() + content)
        return total.hexdigest()


def read_upload(name: str, body: bytes, limits: UploadLimits = UPLOAD) -> Upload:
    """Return the bot in an uploaded file; raises BadUpload."""
    if not body:
        raise BadUpload("empty", "the file is empty")
    if len(body) > limits.packed_bytes:
        raise BadUpload("too_large", f"the file has {len(body)} bytes, {limits.packed_bytes} are allowed")
    if name.endswith(".py"):
        _check_text(ENTRY_POINT, body)
        return Upload(((ENTRY_POINT, body),), ("python", ENTRY_POINT))
    if not name.endswith(".zip"):
        raise BadUpload("wrong_type", f"{name[-60:]!r} is neither a .py file nor a .zip archive")
    files = _unzip(body, limits)
    return Upload(tuple(sorted(files.items())), _command(files))


def _unzip(body: bytes, limits: UploadLimits) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            return _read_members(archive, limits)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise BadUpload("not_a_zip", f"the file cannot be read as a .zip archive: {error}") from error


def _read_members(archive: zipfile.ZipFile, limits: UploadLimits) -> dict[str, bytes]:
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > limits.files:
        raise BadUpload("too_many_files", f"the archive has {len(members)} files, {limits.files} are allowed")
    files: dict[str, bytes] = {}
    seen: set[str] = set()
    left = limits.unpacked_bytes
    for member in members:
        _check_member(member, limits)
        if member.filename.lower() in seen:
            raise BadUpload("twice", f"{member.filename!r} is in the archive twice")
        seen.add(member.filename.lower())
        with archive.open(member) as stream:
            content = stream.read(left + 1)
        left -= len(content)
        if left < 0:
            raise BadUpload("bomb", f"the archive unpacks to more than {limits.unpacked_bytes} bytes")
        files[member.filename] = content
    return files


def _check_member(member: zipfile.ZipInfo, limits: UploadLimits) -> None:
    name = member.filename
    if member.flag_bits & 1:
        raise BadUpload("encrypted", f"{name!r} is encrypted")
    mode = member.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise BadUpload("not_a_file", f"{name!r} is a link or a device; only plain files are taken")
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or any(part in ("", ".", "..") for part in parts):
        raise BadUpload("bad_path", f"{name!r} leads out of the archive or is not a plain relative path")
    if len(name) > limits.path_characters or len(parts) - 1 > limits.depth:
        raise BadUpload("bad_path", f"{name[:60]!r} is too long or too deep")
    if not all(_PART.fullmatch(part) for part in parts):
        raise BadUpload("bad_path", f"{name!r}: use letters, digits, '_', '-' and '.' in names")
    if PurePosixPath(name).suffix not in limits.suffixes:
        raise BadUpload("wrong_suffix", f"{name!r}: only {', '.join(limits.suffixes)} files are taken")


def _command(files: dict[str, bytes]) -> tuple[str, ...]:
    if MANIFEST in files:
        return _manifest_command(files[MANIFEST], files)
    if ENTRY_POINT in files:
        _check_text(ENTRY_POINT, files[ENTRY_POINT])
        return ("python", ENTRY_POINT)
    nested = next((path for path in files if path.endswith("/" + ENTRY_POINT)), None)
    hint = f"; {nested!r} is in a folder: zip its contents, not the folder" if nested else ""
    raise BadUpload("no_entry_point", f"there is no {ENTRY_POINT} and no {MANIFEST} at the top of the archive{hint}")


def _manifest_command(manifest: bytes, files: dict[str, bytes]) -> tuple[str, ...]:
    try:
        command = tomllib.loads(manifest.decode()).get("command")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadUpload("bad_manifest", f"{MANIFEST} cannot be read: {error}") from error
    words = shlex.split(command) if isinstance(command, str) else command
    if not isinstance(words, list) or not words or not all(isinstance(w, str) and "\0" not in w for w in words):
        raise BadUpload("bad_manifest", f'{MANIFEST} must say: command = "python bot.py"')
    if words[0] != "python" or len(words) < 2 or words[1] not in files:
        raise BadUpload("bad_manifest", f"{MANIFEST}: the command must be 'python' and a file of the archive")
    return tuple(words)


def _check_text(path: str, content: bytes) -> None:
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise BadUpload("not_python", f"{path} is not UTF-8 text: {error}") from error
    if "\0" in text:
        raise BadUpload("not_python", f"{path} holds a NUL character")
