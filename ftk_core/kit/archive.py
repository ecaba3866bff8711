"""Validation of an uploaded bot in memory: one ``.py`` file, or a ``.zip``.

Nothing is extracted to a path that the archive chooses, and nothing is compiled or imported here.
"""

from __future__ import annotations

import io
import re
import shlex
import stat
import struct
import tomllib
import zipfile
import zlib
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

from ftk_core.kit.elf import flaw_of
from ftk_core.kit.languages import LANGUAGES
from ftk_core.kit.limits import UPLOAD, UploadLimits
from ftk_core.kit.remedies import BINARY, BUILT, ENTRY_POINT, MANIFEST, REMEDIES

_PART = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.\-]*[A-Za-z0-9_\-])?")
_LOCAL_HEADER, _END_HEADER = 30, 22  # bytes, without names and comments
_ENCRYPTED, _ENCRYPTED_STRONGLY = 0x1, 0x40
_READABLE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the other methods unpack without a limit on memory
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError,
    struct.error, OverflowError, LookupError)  # fmt: skip


class BadUpload(Exception):
    """Raised for an invalid upload; `code` is short and stable, the message names the cause and the remedy."""

    def __init__(self, code: str, message: str) -> None:
        remedy = REMEDIES.get(code)
        super().__init__(f"{message}: {remedy}" if remedy else message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Upload:
    """A bot's files, as they are stored in its read-only folder."""

    files: tuple[tuple[str, bytes], ...]
    """(path, content), sorted by path."""
    command: tuple[str, ...]
    """The command that starts the bot, relative to the folder: ``("python", "bot.py")``."""

    @property
    def digest(self) -> str:
        """SHA-256 over the paths and contents, in hexadecimal: the version's identity."""
        total = sha256()
        for path, content in self.files:
            total.update(f"{path}\0{len(content)}\0".encode() + content)
        return total.hexdigest()


def read_upload(name: str, body: bytes, limits: UploadLimits = UPLOAD) -> Upload:
    """Validate an uploaded file and return the bot in it; raises BadUpload."""
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
    command = _command(files, limits)
    _check_contents(files, command, limits)
    return Upload(tuple(sorted(files.items())), command)


def _check_contents(files: dict[str, bytes], command: tuple[str, ...], limits: UploadLimits) -> None:
    """Raise BadUpload for files that are not text.

    The manifest's program may be a compiled one if its language and the limits allow it.
    """
    program = command[1] if LANGUAGES[command[0]].prebuilt else None
    if program and not limits.prebuilt:
        raise BadUpload("prebuilt", f"{program!r}: this arena takes no compiled programs")
    for path, content in files.items():
        if path == program:
            if flaw := flaw_of(content):
                raise BadUpload("wrong_program", f"{path!r} cannot be started: {flaw}")
        elif path.endswith(".py"):
            _check_text(path, content)
        elif b"\0" in content:  # every compiled program contains NUL bytes, whatever its name
            raise BadUpload("not_text", f"{path!r} holds a NUL byte")


def _unzip(body: bytes, limits: UploadLimits) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            members = archive.infolist()
            if len(members) > limits.files:
                raise BadUpload("too_many_files", f"the archive has {len(members)} files, {limits.files} are allowed")
            _check_names(members, limits)
            _check_structure(body, archive, members)
            return _read_members(archive, limits)
    except _UNREADABLE as error:
        detail = "".join(filter(str.isprintable, str(error)))[:120]
        raise BadUpload("not_a_zip", f"the file cannot be read as a .zip archive ({detail})") from error


def _check_structure(body: bytes, archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> None:
    """Refuse archives that two programs could read differently: gaps at either end, overlapping files."""
    if not body.startswith((b"PK\3\4", b"PK\5\6")):
        raise zipfile.BadZipFile("it does not begin with a file")
    end = body[-_END_HEADER - len(archive.comment) :]
    if not end.startswith(b"PK\5\6"):
        raise zipfile.BadZipFile("there is something behind its end")
    if members and min(member.header_offset for member in members) != 0:
        raise zipfile.BadZipFile("it does not begin with its first file")
    if struct.unpack_from("<H", end, 10)[0] not in (len(members), 0xFFFF):
        raise zipfile.BadZipFile("its count of files is wrong")
    covered = 0
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset < covered:
            raise zipfile.BadZipFile(f"its files overlap at {member.filename!r}")
        covered = member.header_offset + _LOCAL_HEADER + len(member.filename) + member.compress_size
    if covered > archive.start_dir:
        raise zipfile.BadZipFile("its files overlap with its directory")


def _check_names(members: list[zipfile.ZipInfo], limits: UploadLimits) -> None:
    """Check every member.

    Refuse two members with the same path on a case-insensitive disk, and a path that is both file and folder.
    """
    taken: set[str] = set()
    folders: set[str] = set()
    for member in members:
        _check_member(member, limits)
        path = PurePosixPath(member.filename.lower())
        folders |= {str(parent) for parent in path.parents}
        if member.is_dir():
            folders.add(str(path))
        elif str(path) in taken:
            raise BadUpload("twice", f"{member.filename!r} is in the archive twice")
        else:
            taken.add(str(path))
    if both := sorted(taken & folders):
        raise BadUpload("twice", f"{both[0]!r} is a file and a folder")


def _read_members(archive: zipfile.ZipFile, limits: UploadLimits) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    left = limits.unpacked_bytes
    for member in archive.infolist():
        if member.is_dir():
            continue
        with archive.open(member) as stream:
            content = stream.read(left + 1)
        left -= len(content)
        if left < 0:
            raise BadUpload("bomb", f"the archive unpacks to more than {limits.unpacked_bytes} bytes")
        if len(content) != member.file_size:
            raise zipfile.BadZipFile(f"{member.filename!r} has {len(content)} bytes and claims {member.file_size}")
        files[member.filename] = content
    return files


def _check_member(member: zipfile.ZipInfo, limits: UploadLimits) -> None:
    name = member.orig_filename  # zipfile cuts `filename` off at a NUL
    folder = name.endswith("/")
    _check_path(name.removesuffix("/"), limits)
    if member.flag_bits & (_ENCRYPTED | _ENCRYPTED_STRONGLY):
        raise BadUpload("encrypted", f"{name!r} is encrypted")
    mode = stat.S_IFMT(member.external_attr >> 16)
    if mode not in (0, stat.S_IFDIR if folder else stat.S_IFREG):
        raise BadUpload("not_a_file", f"{name!r} is a link, a folder or a device by its mode")
    if member.compress_type not in _READABLE:
        raise BadUpload("compression", f"{name!r} is packed by method {member.compress_type}")
    if not folder and PurePosixPath(name).suffix not in limits.suffixes:
        raise BadUpload("wrong_suffix", f"{name!r}: only {', '.join(limits.suffixes)} files are taken")


def _check_path(name: str, limits: UploadLimits) -> None:
    parts = name.split("/")
    if len(name) > limits.path_characters or len(parts) - 1 > limits.depth:
        raise BadUpload("bad_path", f"{name[:60]!r} is too long or too deep")
    if not all(_PART.fullmatch(part) for part in parts) or "__pycache__" in parts:
        raise BadUpload("bad_path", f"{name!r} leads out of the archive or is not a plain relative path")
    if parts[0].lower() in (BINARY, BUILT):
        raise BadUpload("reserved", f"{name!r}: {parts[0]!r} at the top of an archive is reserved for the arena")


def _command(files: dict[str, bytes], limits: UploadLimits) -> tuple[str, ...]:
    if MANIFEST in files:
        return manifest_command(files[MANIFEST], files, limits)
    if ENTRY_POINT in files:
        return ("python", ENTRY_POINT)
    nested = next((path for path in files if path.endswith("/" + ENTRY_POINT)), None)
    hint = f", but {nested!r} in a folder" if nested else ""
    raise BadUpload("no_entry_point", f"there is no {ENTRY_POINT} at the top of the archive{hint}")


def manifest_command(manifest: bytes, files: Collection[str], limits: UploadLimits = UPLOAD) -> tuple[str, ...]:
    """Return the command in a manifest; its program must be among the files. Raises BadUpload."""
    words = _words(_read_manifest(manifest, limits).get("command"))
    if not words or not all(isinstance(word, str) and "\0" not in word for word in words):
        raise BadUpload("bad_manifest", f"{MANIFEST} has no command that can be read")
    row = LANGUAGES.get(words[0])
    if row is None or len(words) < 2 or words[1] not in files or not words[1].endswith(row.suffix):
        known = ", ".join(f"{name!r} and a {row.suffix} file" for name, row in LANGUAGES.items())
        raise BadUpload("bad_manifest", f"{MANIFEST}: the command must be one of {known} of the archive")
    return tuple(words)


def _read_manifest(manifest: bytes, limits: UploadLimits) -> dict[str, Any]:
    if len(manifest) > limits.manifest_bytes:
        raise BadUpload("bad_manifest", f"{MANIFEST} has more than {limits.manifest_bytes} bytes")
    try:
        table = tomllib.loads(manifest.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadUpload("bad_manifest", f"{MANIFEST} cannot be read ({str(error)[:120]})") from error
    if unknown := sorted(table.keys() - {"command"}):
        raise BadUpload("bad_manifest", f"{MANIFEST} says {unknown[0][:60]!r}, which means nothing here")
    return table


def _words(command: object) -> list[str]:
    if isinstance(command, str):
        try:
            return shlex.split(command)
        except ValueError as error:
            raise BadUpload("bad_manifest", f"{MANIFEST}: the command {command[:60]!r}: {error}") from error
    return command if isinstance(command, list) else []


def _check_text(path: str, content: bytes) -> None:
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise BadUpload("not_python", f"{path} is not UTF-8 text ({error.reason} at byte {error.start})") from error
    if "\0" in text:
        raise BadUpload("not_python", f"{path} holds a NUL character")
