"""Address of the embedded PostgreSQL: one per data folder, always the same."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

DATABASE = "ftk"
USER = "postgres"
SOCKET_ROOT = Path("/tmp")  # noqa: S108 - a socket's path has 107 bytes at most; the folder itself is 0700 and checked


def socket_folder(data_dir: Path) -> Path:
    """Return the short path of the server's socket folder, which is created and checked when the server starts."""
    name = hashlib.sha256(os.fsencode(data_dir.resolve())).hexdigest()[:12]
    return SOCKET_ROOT / f"ftk-{os.getuid()}-{name}"


def url_of(data_dir: Path, database: str = DATABASE) -> str:
    """Return the DATABASE_URL of the server with this data folder."""
    return f"postgresql://{USER}@/{database}?host={socket_folder(data_dir)}"
