"""Validation of an uploaded bot in memory: one ``.py`` file, or a ``.zip``."""
# Nothing is extracted to a path that the archive chooses, and nothing is compiled or imported here.

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Collection
from dataclasses import dataclass, replace
from gettext import gettext as _
from hashlib import sha256
from typing import Any

from ftk_core.kit.uploads.data_file_validation import find_data_flaw
from ftk_core.kit.uploads.elf_validation import find_elf_flaw
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_error_hints import ENTRY_POINT, MANIFEST, InvalidUploadError
from ftk_core.kit.uploads.upload_limits import UPLOAD, UploadLimits
from ftk_core.kit.uploads.zip_reader import build_excessive_data_error, unzip


@dataclass(frozen=True, slots=True)
class ValidatedUpload:
    """A validated bot: its files and the command that starts it."""

    files: tuple[tuple[str, bytes], ...]
    """Pairs (path, content), sorted by path."""
    command: tuple[str, ...]
    """Command that starts the bot, with a path relative to its folder: ``("python", "bot.py")``."""

    @property
    def digest(self) -> str:
        """SHA-256 over the paths and contents of all files, in hexadecimal, which identifies the bot's version."""
        total = sha256()
        for path, content in self.files:
            total.update(f"{path}\0{len(content)}\0".encode() + content)
        return total.hexdigest()


def read_upload(name: str, body: bytes, limits: UploadLimits = UPLOAD) -> ValidatedUpload:
    """Validate an uploaded file and return the bot in it; raises InvalidUploadError."""
    if not body:
        raise InvalidUploadError("empty", _("the file is empty"))
    if len(body) > (max_bytes := limits.max_bytes(name)):
        raise InvalidUploadError(
            "too_large",
            _("the file has {body} bytes, {packed_bytes} are allowed").format(body=len(body), packed_bytes=max_bytes),
        )
    if name.endswith(".py"):
        _check_text(ENTRY_POINT, body)
        return ValidatedUpload(((ENTRY_POINT, body),), ("python", ENTRY_POINT))
    if not name.endswith(".zip"):
        raise InvalidUploadError(
            "wrong_type", _("{name} is neither a .py file nor a .zip archive").format(name=repr(name[-60:]))
        )
    files = unzip(body, limits)
    command = _command(files, limits)
    _check_contents(files, command, limits)
    return ValidatedUpload(tuple(sorted(files.items())), command)


def _check_contents(files: dict[str, bytes], command: tuple[str, ...], limits: UploadLimits) -> None:
    """Raise InvalidUploadError for files that are neither text, data nor an allowed program."""
    program = command[1] if LANGUAGES[command[0]].prebuilt else None
    if program and not limits.prebuilt:
        raise InvalidUploadError(
            "prebuilt", _("{program}: this arena takes no compiled programs").format(program=repr(program))
        )
    data_bytes = 0
    for path, content in files.items():
        if path == program:
            if flaw := find_elf_flaw(content):
                raise InvalidUploadError(
                    "wrong_program", _("{path} cannot be started: {flaw}").format(path=repr(path), flaw=flaw)
                )
        elif path.endswith(".py"):
            _check_text(path, content)
        elif path.endswith(limits.data_suffixes):
            data_bytes += _check_data(path, content, limits, data_bytes)
        elif b"\0" in content:  # every compiled program contains NUL bytes, whatever its name
            raise InvalidUploadError("not_text", _("{path} holds a NUL byte").format(path=repr(path)))


def _check_data(path: str, content: bytes, limits: UploadLimits, used_bytes: int) -> int:
    """Check a data file, and return its size in bytes, for an .npz file the unpacked size.

    `used_bytes` is the total size of the data files checked before. Raises InvalidUploadError if the content does not
    fit the file's suffix, or if the total size then exceeds `limits.data_bytes`.
    """
    if flaw := find_data_flaw(path, content):
        raise InvalidUploadError("not_data", _("{path} is refused: {flaw}").format(path=repr(path), flaw=flaw))
    size = len(content)
    if path.endswith(".npz"):
        arrays = unzip(content, replace(limits, suffixes=(), data_suffixes=(".npy",)), used_data_bytes=used_bytes)
        size = sum(_check_data(f"{path}/{name}", array, limits, 0) for name, array in arrays.items())
    if used_bytes + size > limits.data_bytes:
        raise build_excessive_data_error(path, limits)
    return size


def _command(files: dict[str, bytes], limits: UploadLimits) -> tuple[str, ...]:
    if MANIFEST in files:
        return manifest_command(files[MANIFEST], files, limits)
    if ENTRY_POINT in files:
        return ("python", ENTRY_POINT)
    nested = next((path for path in files if path.endswith(("/" + ENTRY_POINT, "/" + MANIFEST))), None)
    hint = _(", but {nested} in a folder").format(nested=repr(nested)) if nested else ""
    raise InvalidUploadError(
        "no_entry_point",
        _("there is no {entry_point} at the top of the archive{hint}").format(entry_point=ENTRY_POINT, hint=hint),
    )


def manifest_command(manifest: bytes, files: Collection[str], limits: UploadLimits = UPLOAD) -> tuple[str, ...]:
    """Return the words of the command in a bot's manifest, bot.toml. Raises InvalidUploadError.

    The program must be one of `files`.
    """
    command = _split_command(_read_manifest(manifest, limits).get("command"))
    if not command or not all(isinstance(word, str) and "\0" not in word for word in command):
        raise InvalidUploadError(
            "bad_manifest", _("{manifest} has no command that can be read").format(manifest=MANIFEST)
        )
    language = LANGUAGES.get(command[0])
    if language is None or len(command) < 2:
        known = ", ".join(
            _("{name} and a {suffix} file").format(name=repr(name), suffix=language.suffix)
            for name, language in LANGUAGES.items()
        )
        raise InvalidUploadError(
            "bad_manifest",
            _("{manifest}: the command must be one of {known} of the archive").format(manifest=MANIFEST, known=known),
        )
    if command[1] not in files or not command[1].endswith(language.suffix):
        raise InvalidUploadError(
            "bad_manifest",
            _("{manifest}: {language} runs a {suffix} file of the archive, and {file} is none").format(
                manifest=MANIFEST, language=repr(command[0]), suffix=language.suffix, file=repr(command[1][:60])
            ),
        )
    return tuple(command)


def _read_manifest(manifest: bytes, limits: UploadLimits) -> dict[str, Any]:
    if len(manifest) > limits.manifest_bytes:
        raise InvalidUploadError(
            "bad_manifest",
            _("{manifest} has more than {manifest_bytes} bytes").format(
                manifest=MANIFEST, manifest_bytes=limits.manifest_bytes
            ),
        )
    try:
        table = tomllib.loads(manifest.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidUploadError(
            "bad_manifest", _("{manifest} cannot be read ({error})").format(manifest=MANIFEST, error=str(error)[:120])
        ) from error
    if unknown := sorted(table.keys() - {"command"}):
        raise InvalidUploadError(
            "bad_manifest",
            _("{manifest} contains the unknown key {unknown}; remove it").format(
                manifest=MANIFEST, unknown=repr(unknown[0][:60])
            ),
        )
    return table


def _split_command(command: object) -> list[str]:
    if isinstance(command, str):
        try:
            return shlex.split(command)
        except ValueError as error:
            raise InvalidUploadError(
                "bad_manifest",
                _("{manifest}: the command {command}: {error}").format(
                    manifest=MANIFEST, command=repr(command[:60]), error=error
                ),
            ) from error
    return command if isinstance(command, list) else []


def _check_text(path: str, content: bytes) -> None:
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise InvalidUploadError(
            "not_python",
            _("{path} is not UTF-8 text ({reason} at byte {start})").format(
                path=path, reason=error.reason, start=error.start
            ),
        ) from error
    if "\0" in text:
        raise InvalidUploadError("not_python", _("{path} holds a NUL character").format(path=path))
