"""Secret key that is generated on first use and stored in a file."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def stored_secret(file: Path) -> str:
    """Return the secret from a private file. Generate the secret if the file does not exist."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f".{file.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(64))
        _store_first(draft, file)
    return file.read_text()


def _store_first(draft: Path, file: Path) -> None:
    # If another process was faster, its file stays, so that both use one secret.
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
