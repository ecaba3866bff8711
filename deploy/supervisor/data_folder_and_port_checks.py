"""Checks that no two sites of a machine share a data folder or a port."""

from __future__ import annotations

import fcntl
import socket
from io import TextIOWrapper
from pathlib import Path

HOST = "127.0.0.1"
HIGHEST_PORT = 65_535


class ArenaStartError(RuntimeError):
    """Raised when the site cannot start; the message says what to do."""


def lock_data_folder(var: Path) -> TextIOWrapper:
    """Lock a data folder and return the lock file, which must stay open while the site runs.

    Raises ArenaStartError if another site uses the folder, or if the folder is not writable.
    """
    try:
        var.mkdir(parents=True, exist_ok=True)
        lock = (var / "up.lock").open("w")
    except OSError as error:
        raise ArenaStartError(
            f"nothing can be written into {var} ({error.strerror}): choose another by FTK_VAR"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise ArenaStartError(
            f"{var} is in use by another arena: stop that one first, or give this one a folder of its own by FTK_VAR"
        ) from None
    return lock


def check_port(port: int, host: str = HOST) -> None:
    """Raise ArenaStartError if the TCP port is in use."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            other = port + 1 if port < HIGHEST_PORT else port - 1
            raise ArenaStartError(
                f"port {port} is not free ({error.strerror}): stop what uses it,"
                f" or choose another: `make run PORT={other}` (`manage.py up --port {other}`)"
            ) from None
