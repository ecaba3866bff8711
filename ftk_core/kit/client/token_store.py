"""Storage of API tokens, in the system's keyring or a private file."""
# The keyring is used if the optional package `keyring` is installed and finds a backend.

from __future__ import annotations

import json
import os
from contextlib import suppress
from gettext import gettext as _
from importlib import import_module
from pathlib import Path
from typing import Any

SERVICE = "ftk"
"""Service name under which a keyring holds the tokens of `ftk`."""
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
"""Flag of `os.open` that refuses to follow a symbolic link; 0 on Windows."""
OTHERS_PERMISSION_BITS = 0o077
"""File permission bits of everybody except the owner."""


class TokenStoreError(Exception):
    """Raised if tokens cannot be stored or read; the message gives the reason and the remedy."""


def store_token(server: str, token: str) -> str:
    """Store a server's token. Return "the keyring" or the path of the token file. Raises TokenStoreError."""
    ring = _keyring()
    if ring is not None:
        try:
            ring.set_password(SERVICE, server, token)
        except Exception as error:
            raise TokenStoreError(
                _(
                    "the token could not be stored in the keyring ({error}); unlock the keyring, or give tokens"
                    " by FTK_TOKEN"
                ).format(error=error)
            ) from error
        _write({name: other for name, other in _read().items() if name != server})
        return "the keyring"
    _write(_read() | {server: token})
    return str(_file())


def load_token(server: str) -> str:
    """Return the stored token for a server, or an empty string; raises TokenStoreError."""
    ring, stored_token = _keyring(), None
    if ring is not None:
        try:
            stored_token = ring.get_password(SERVICE, server)
        except Exception as error:
            raise TokenStoreError(
                _("the keyring could not be read ({error}); unlock it, or give a token by FTK_TOKEN").format(
                    error=error
                )
            ) from error
    return str(stored_token or _read().get(server, ""))


def delete_token(server: str) -> None:
    """Delete the token for a server from keyring and file; raises TokenStoreError."""
    ring = _keyring()
    if ring is not None:
        with suppress(Exception):  # keyrings raise an error if they hold no such token
            ring.delete_password(SERVICE, server)
    _write({name: token for name, token in _read().items() if name != server})
    if load_token(server):
        raise TokenStoreError(_("the token could not be deleted from the keyring; delete it there"))


def _keyring() -> Any:
    """Return the system's keyring, or None if the package is missing or has no usable backend."""
    try:
        ring = import_module("keyring").get_keyring()
        return ring if ring.priority >= 1 else None
    except Exception:  # noqa: BLE001 - a keyring with a broken backend counts as missing
        return None


def _file() -> Path:
    """Return the path of the token file, in the XDG configuration folder."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    home = Path(folder) if os.path.isabs(folder) else Path.home() / ".config"
    return home / "ftk" / "tokens.json"


def _read() -> dict[str, str]:
    """Return the tokens in the token file by server. Raises TokenStoreError."""
    file = _file()
    try:
        if os.name == "posix" and file.stat().st_mode & OTHERS_PERMISSION_BITS:
            raise TokenStoreError(
                _("{file} can be read by others: revoke its tokens, then `chmod 600 {file}`").format(file=file)
            )
        tokens = json.loads(file.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise TokenStoreError(
            _("{file} cannot be read ({error}); remove it and `ftk login` again").format(file=file, error=error)
        ) from error
    return {str(name): str(token) for name, token in tokens.items()} if isinstance(tokens, dict) else {}


def _write(tokens: dict[str, str]) -> None:
    """Write the token file atomically, so that only its owner can ever read it; raises TokenStoreError."""
    file = _file()
    try:
        if not tokens:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = file.with_name(f"{file.name}.{os.getpid()}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW, 0o600), "w") as out:
            json.dump(tokens, out)
        draft.replace(file)
    except OSError as error:
        raise TokenStoreError(
            _("{file} cannot be written ({strerror}); give tokens by FTK_TOKEN").format(
                file=file, strerror=_(error.strerror or str(error))
            )
        ) from error
