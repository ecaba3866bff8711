"""Unpacking of an uploaded .zip archive in memory, with checks of its structure, names and sizes."""

from __future__ import annotations

import io
import re
import stat
import struct
import zipfile
import zlib
from gettext import gettext as _
from pathlib import PurePosixPath

from ftk_core.kit.uploads.upload_error_hints import COMPILED_BOT_FILE, COMPILER_OUTPUT_FILE, InvalidUploadError
from ftk_core.kit.uploads.upload_limits import UploadLimits

_PART = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.\-]*[A-Za-z0-9_\-])?")
_LOCAL_HEADER, _END_HEADER = 30, 22  # bytes, without names and comments
_ENCRYPTED, _ENCRYPTED_STRONGLY = 0x1, 0x40
_READABLE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the other methods unpack without a limit on memory
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError,
    struct.error, OverflowError, LookupError)  # fmt: skip


def unzip(body: bytes, limits: UploadLimits, *, used_data_bytes: int = 0) -> dict[str, bytes]:
    """Return the files of a .zip archive by path. Raises InvalidUploadError for an unsafe archive.

    `used_data_bytes` is the size of the data files read before. It counts towards the limit `limits.data_bytes`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            members = archive.infolist()
            if len(members) > limits.files:
                raise InvalidUploadError(
                    "too_many_files",
                    _("the archive has {members} files, {files} are allowed").format(
                        members=len(members), files=limits.files
                    ),
                )
            _check_names(members, limits)
            _check_structure(body, archive, members)
            _check_packed_size(members, limits)
            return _read_members(archive, limits, used_data_bytes)
    except _UNREADABLE as error:
        detail = "".join(filter(str.isprintable, str(error)))[:120]
        raise InvalidUploadError(
            "not_a_zip", _("the file cannot be read as a .zip archive ({detail})").format(detail=detail)
        ) from error


def _check_structure(body: bytes, archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> None:
    """Raise BadZipFile for an archive that zip readers may read in different ways."""
    if not body.startswith((b"PK\3\4", b"PK\5\6")):
        raise zipfile.BadZipFile(_("it does not begin with a file"))
    end = body[-_END_HEADER - len(archive.comment) :]
    if not end.startswith(b"PK\5\6"):
        raise zipfile.BadZipFile(_("it has extra bytes after its end"))
    if members and min(member.header_offset for member in members) != 0:
        raise zipfile.BadZipFile(_("it does not begin with its first file"))
    if struct.unpack_from("<H", end, 10)[0] not in (len(members), 0xFFFF):
        raise zipfile.BadZipFile(_("its count of files is wrong"))
    covered = 0
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset < covered:
            raise zipfile.BadZipFile(_("its files overlap at {filename}").format(filename=repr(member.filename)))
        covered = member.header_offset + _LOCAL_HEADER + len(member.filename) + member.compress_size
    if covered > archive.start_dir:
        raise zipfile.BadZipFile(_("its files overlap with its directory"))


def _check_names(members: list[zipfile.ZipInfo], limits: UploadLimits) -> None:
    """Raise InvalidUploadError for invalid or conflicting names in an archive."""
    # Upper and lower case count as equal, as they do on the disks of Windows and macOS.
    used_paths: set[str] = set()
    folders: set[str] = set()
    for member in members:
        _check_member(member, limits)
        path = PurePosixPath(member.filename.lower())
        folders |= {str(parent) for parent in path.parents}
        if member.is_dir():
            folders.add(str(path))
        elif str(path) in used_paths:
            raise InvalidUploadError(
                "twice", _("{filename} is in the archive twice").format(filename=repr(member.filename))
            )
        else:
            used_paths.add(str(path))
    if both := sorted(used_paths & folders):
        raise InvalidUploadError("twice", _("{both} is a file and a folder").format(both=repr(both[0])))


def _check_packed_size(members: list[zipfile.ZipInfo], limits: UploadLimits) -> None:
    packed = sum(
        member.compress_size for member in members if PurePosixPath(member.filename).suffix not in limits.data_suffixes
    )
    if packed > limits.packed_bytes:
        raise InvalidUploadError(
            "too_large",
            _("without its data files the archive has {packed} bytes, {packed_bytes} are allowed").format(
                packed=packed, packed_bytes=limits.packed_bytes
            ),
        )


def _read_members(archive: zipfile.ZipFile, limits: UploadLimits, used_data_bytes: int) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    text_left, data_left = limits.unpacked_bytes, limits.data_bytes - used_data_bytes
    for member in archive.infolist():
        if member.is_dir():
            continue
        is_data = PurePosixPath(member.filename).suffix in limits.data_suffixes
        with archive.open(member) as stream:
            content = stream.read((data_left if is_data else text_left) + 1)
        text_left, data_left = text_left - len(content) * (not is_data), data_left - len(content) * is_data
        if data_left < 0:
            raise build_excessive_data_error(member.filename, limits)
        if text_left < 0:
            raise InvalidUploadError(
                "bomb",
                _("the archive unpacks to more than {unpacked_bytes} bytes").format(
                    unpacked_bytes=limits.unpacked_bytes
                ),
            )
        if len(content) != member.file_size:
            raise zipfile.BadZipFile(
                _("{filename} has {content} bytes and claims {file_size}").format(
                    filename=repr(member.filename), content=len(content), file_size=member.file_size
                )
            )
        files[member.filename] = content
    return files


def build_excessive_data_error(name: object, limits: UploadLimits) -> InvalidUploadError:
    """Build the error for data files that together exceed `UploadLimits.data_bytes`."""
    return InvalidUploadError(
        "data_too_large",
        _("with {name} the data files have more than {data_bytes} bytes").format(
            name=repr(str(name)), data_bytes=limits.data_bytes
        ),
    )


def _check_member(member: zipfile.ZipInfo, limits: UploadLimits) -> None:
    name = member.orig_filename  # zipfile cuts `filename` off at a NUL
    folder = name.endswith("/")
    _check_path(name.removesuffix("/"), limits)
    if member.flag_bits & (_ENCRYPTED | _ENCRYPTED_STRONGLY):
        raise InvalidUploadError("encrypted", _("{name} is encrypted").format(name=repr(name)))
    mode = stat.S_IFMT(member.external_attr >> 16)
    if mode not in (0, stat.S_IFDIR if folder else stat.S_IFREG):
        raise InvalidUploadError(
            "not_a_file", _("{name} is a link, a folder or a device by its mode").format(name=repr(name))
        )
    if member.compress_type not in _READABLE:
        raise InvalidUploadError(
            "compression",
            _("{name} is packed by method {compress_type}").format(name=repr(name), compress_type=member.compress_type),
        )
    if not folder and PurePosixPath(name).suffix not in limits.allowed_suffixes:
        raise InvalidUploadError(
            "wrong_suffix",
            _("{name}: only {suffixes} files are taken").format(
                name=repr(name), suffixes=", ".join(limits.allowed_suffixes)
            ),
        )


def _check_path(name: str, limits: UploadLimits) -> None:
    parts = name.split("/")
    if len(name) > limits.path_characters or len(parts) - 1 > limits.depth:
        raise InvalidUploadError("bad_path", _("{name} is too long or too deep").format(name=repr(name[:60])))
    if not all(_PART.fullmatch(part) for part in parts) or "__pycache__" in parts:
        raise InvalidUploadError(
            "bad_path", _("{name} leads out of the archive or is not a plain relative path").format(name=repr(name))
        )
    if parts[0].lower() in (COMPILED_BOT_FILE, COMPILER_OUTPUT_FILE):
        raise InvalidUploadError(
            "reserved",
            _("{name}: {parts} at the top of an archive is reserved for the arena").format(
                name=repr(name), parts=repr(parts[0])
            ),
        )
