"""Storage of the tokens of `ftk login`, by server: in the system's keyring, or in a file that only its owner can read.

The keyring is used if the optional package `keyring` is installed and finds a backend.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

SERVICE = "ftk"
"""Service name of our tokens in a keyring."""
OTHERS = 0o077
"""Permission bits of everybody except the owner."""


class NotKept(Exception):
    """Raised if tokens cannot be stored or read; the message gives the reason and the remedy."""


def keep(server: str, token: str) -> str:
    """Store the token of a server, replacing any other, and return its location; raises NotKept."""
    ring = _keyring()
    if ring is not None:
        try:
            ring.set_password(SERVICE, server, token)
        except Exception as error:
            raise NotKept(f"the keyring does not take it ({error}); unlock it, or give tokens by FTK_TOKEN") from error
        _write({name: other for name, other in _read().items() if name != server})
        return "the keyring"
    _write(_read() | {server: token})
    return str(_file())


def kept_for(server: str) -> str:
    """Return the stored token of a server, or an empty string; raises NotKept."""
    ring, kept = _keyring(), None
    if ring is not None:
        try:
            kept = ring.get_password(SERVICE, server)
        except Exception as error:
            raise NotKept(f"the keyring does not open ({error}); unlock it, or give a token by FTK_TOKEN") from error
    return str(kept or _read().get(server, ""))


def forget(server: str) -> None:
    """Delete the token of a server from keyring and file; raises NotKept."""
    ring = _keyring()
    if ring is not None:
        with suppress(Exception):  # keyrings raise an error if it does not exist
            ring.delete_password(SERVICE, server)
    _write({name: token for name, token in _read().items() if name != server})
    if kept_for(server):
        raise NotKept("the keyring does not let go of it; remove it there")


def _keyring() -> Any:
    """Return the system's keyring, or None if the package is missing or has no usable backend."""
    try:
        ring = import_module("keyring").get_keyring()
        return ring if ring.priority >= 1 else None
    except Exception:  # noqa: BLE001 - a keyring that is half installed is none
        return None


def _file() -> Path:
    """Return the path of the token file, in the XDG configuration folder."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    home = Path(folder) if os.path.isabs(folder) else Path.home() / ".config"
    return home / "ftk" / "tokens.json"


def _read() -> dict[str, str]:
    """Return the tokens of the file by server; raises NotKept, also for a file that others can read."""
    file = _file()
    try:
        if file.stat().st_mode & OTHERS:
            raise NotKept(f"{file} can be read by others: revoke its tokens, then `chmod 600 {file}`")
        found = json.loads(file.read_text())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise NotKept(f"{file} cannot be read ({error}); remove it and `ftk login` again") from error
    return {str(name): str(token) for name, token in found.items()} if isinstance(found, dict) else {}


def _write(tokens: dict[str, str]) -> None:
    """Write the token file atomically, readable for its owner only at every moment; raises NotKept."""
    file = _file()
    try:
        if not tokens:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = file.with_name(f"{file.name}.{os.getpid()}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "w") as out:
            json.dump(tokens, out)
        draft.replace(file)
    except OSError as error:
        raise NotKept(f"{file} cannot be written ({error.strerror}); give tokens by FTK_TOKEN") from error
