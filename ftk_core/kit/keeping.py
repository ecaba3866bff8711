"""Where `ftk login` keeps tokens, by server: in the system's keyring, else in a file for its owner only.

The keyring is that of the package `keyring`, if it is installed and has a place to put things; the kit does without.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

SERVICE = "ftk"
"""What the tokens are called in a keyring."""
OTHERS = 0o077
"""The rights of everybody but the owner."""


class NotKept(Exception):
    """Raised where tokens cannot be kept or read; the message says why, and what to do."""


def keep(server: str, token: str) -> str:
    """Keep the token of a server, instead of any other, and return where it is; raises NotKept."""
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
    """Return the token that is kept for a server, empty where there is none; raises NotKept."""
    ring, kept = _keyring(), None
    if ring is not None:
        try:
            kept = ring.get_password(SERVICE, server)
        except Exception as error:
            raise NotKept(f"the keyring does not open ({error}); unlock it, or give a token by FTK_TOKEN") from error
    return str(kept or _read().get(server, ""))


def forget(server: str) -> None:
    """Forget the token of a server, wherever it is; raises NotKept."""
    ring = _keyring()
    if ring is not None:
        with suppress(Exception):  # it says so where there is none
            ring.delete_password(SERVICE, server)
    _write({name: token for name, token in _read().items() if name != server})
    if kept_for(server):
        raise NotKept("the keyring does not let go of it; remove it there")


def _keyring() -> Any:
    """Return the system's keyring; None where the package is missing or finds none that keeps anything."""
    try:
        ring = import_module("keyring").get_keyring()
        return ring if ring.priority >= 1 else None
    except Exception:  # noqa: BLE001 - a keyring that is half installed is none
        return None


def _file() -> Path:
    """Return where tokens are without a keyring: in the folder for configurations that XDG names."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    home = Path(folder) if os.path.isabs(folder) else Path.home() / ".config"
    return home / "ftk" / "tokens.json"


def _read() -> dict[str, str]:
    """Return the tokens in the file by their servers; raises NotKept, also for a file that others can read."""
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
    """Put tokens into the file, all or nothing, for nobody else to read at any moment; raises NotKept."""
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
