"""Address of the embedded PostgreSQL, a unix socket whose path is computed from the data folder."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

DATABASE = "ftk"
USER = "postgres"
SOCKET_ROOT = Path("/tmp")  # noqa: S108 - a socket's path must be short (107 bytes); the folder in it has mode 0700 and is checked


def socket_folder(data_dir: Path) -> Path:
    """Return the path of the folder for the embedded server's unix socket. `start_server` creates the folder."""
    name = hashlib.sha256(os.fsencode(data_dir.resolve())).hexdigest()[:12]
    return SOCKET_ROOT / f"ftk-{os.getuid()}-{name}"


def url_of(data_dir: Path, database: str = DATABASE) -> str:
    """Return the DATABASE_URL of the embedded server with this data folder."""
    return f"postgresql://{USER}@/{database}?host={socket_folder(data_dir)}"
